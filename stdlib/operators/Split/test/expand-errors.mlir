// RUN: sluice-opt %s --stream-expand-operators --verify-diagnostics

!s = !stream.stream<!spl.tuple<"a": !spl.rstring>>

stream.graph @Main submissions = [] {
  %b = stream.operator "B" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // expected-error @+1 {{operator `spl.utility::Split` needs parameter `index`}}
  %d = stream.operator "D" kind "spl.utility::Split" (%b) [1] : (!s) -> !s {
  }
}
