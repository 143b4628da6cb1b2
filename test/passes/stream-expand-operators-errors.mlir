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
  // expected-error @+1 {{logic of several input ports of `my::Join` with state is not in this release}}
  stream.operator "C" kind "my::Join" (%b, %b) [1, 1] {facts = #stream.operator_facts<traits = native>} : (!s, !s) -> () {
    stream.state "n" : si32 {
    }
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      stream.end
    }
    stream.on_tuple 1 {
    ^bb0(%t: !t):
      stream.end
    }
  }
}
