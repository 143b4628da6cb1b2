// RUN: sluice-opt %s --stream-find-loops --stream-analyze-order --stream-partition=pes=auto --split-input-file --verify-diagnostics

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// What has to be together, and is to be apart.
stream.graph @Isolated submissions = [] {
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // expected-note @+1 {{they are on one cycle, or a placement joins them}}
  %m = stream.operator "Merge" kind "spl.utility::Custom" (%src, %back) [1, 1] : (!s, !s) -> !s {
  }
  // expected-error @+1 {{`Back` is to be in a PE of its own (partitionIsolation), but it cannot be apart from `Merge`}}
  %back = stream.operator "Back" kind "spl.utility::Custom" (%m) [1] {placement = #stream.placement<isolation = true>} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>
#x = #stream.placement_id<text = "x">

stream.graph @Exlocated submissions = [] {
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // expected-error @+1 {{`Merge` is to be in another PE (partitionExlocation("x")), but it cannot be apart from `Back`}}
  %m = stream.operator "Merge" kind "spl.utility::Custom" (%src, %back) [1, 1] {placement = #stream.placement<exlocation = [#x]>} : (!s, !s) -> !s {
  }
  // expected-note @+1 {{they are on one cycle, or a placement joins them}}
  %back = stream.operator "Back" kind "spl.utility::Custom" (%m) [1] {placement = #stream.placement<exlocation = [#x]>} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>
#x = #stream.placement_id<text = "x">
#y = #stream.placement_id<text = "y">

// The channels of R are to be apart from each other, and together with what is outside.
stream.graph @Channels submissions = []
    attributes {parallel_regions = [#stream.region<path = "R", width = 2, loc = loc("M.spl":1:1)>]} {
  // expected-note @+1 {{they are on one cycle, or a placement joins them}}
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] {placement = #stream.placement<colocation = [#y]>} : () -> !s {
  }
  // expected-error @+1 {{`R` is to be in another PE for each channel, but it cannot be apart from `Src`}}
  stream.operator "R" kind "spl.utility::Custom" (%src) [1] {parallel_region = 0 : i32, splits = [[#stream.split<region = 0, by = row>]], placement = #stream.placement<colocation = [#y], exlocation = [#x]>} : (!s) -> () {
  }
}
