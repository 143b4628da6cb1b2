// RUN: sluice-opt %s --stream-expand-operators --verify-diagnostics

!s = !stream.stream<!spl.tuple<"a": si32>>
!r = !stream.stream<!spl.tuple<"b": si32>>

stream.graph @Union submissions = [] {
  %a = stream.operator "A" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // expected-error @+1 {{input port 0 lacks attribute 'b'}}
  %u = stream.operator "U" kind "spl.utility::Union" (%a) [1] : (!s) -> !r {
  }
}
