// RUN: sluice-opt %s --stream-find-loops --verify-diagnostics

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] attributes {parallel_regions = [#stream.region<path = "P", width = 3, loc = loc(unknown)>]} {
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // expected-error @+1 {{internal error: a feedback loop through the border of a parallel region}}
  %g = stream.operator "Gate" kind "spl.utility::Custom" (%src, %p) [1, 1] : (!s, !s) -> !s {
  }
  %p = stream.operator "P" kind "spl.utility::Custom" (%g) [1] {parallel_region = 0 : i32, splits = [[#stream.split<region = 0, by = row>]]} : (!s) -> !s {
  }
}
