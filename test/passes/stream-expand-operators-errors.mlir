// RUN: sluice-opt %s --stream-expand-operators --verify-diagnostics
// Sema refuses such programs; these are mistakes of a declaration in the toolkit.

!t = !spl.tuple<"a": !spl.rstring>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{internal error: operator `my::Other` has no expansion}}
  %a = stream.operator "A" kind "my::Other" (%b) [1] : (!s) -> !s {
  }
  %b = stream.operator "B" kind "my::Source" () [] {facts = #stream.operator_facts<traits = native>} : () -> !s {
    // expected-error @+1 {{internal error: operator `my::Source` has assignments and no expansion}}
    stream.output 0 {
      %0 = spl.supplied : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
  // expected-error @+1 {{internal error: logic of native operator `my::Join` with 2 input ports}}
  stream.operator "C" kind "my::Join" (%b, %b) [1, 1] {facts = #stream.operator_facts<traits = native>} : (!s, !s) -> () {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      stream.end
    }
  }
}
