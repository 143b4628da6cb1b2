// RUN: sluice-opt %s --stream-verify-flat --verify-diagnostics --split-input-file

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

stream.graph @Merge submissions = [] {
  %a = stream.operator "A" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // expected-error @+1 {{phase flat: 'stream.merge' should be gone}}
  %m = stream.merge %a : !s
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @Kind submissions = [] {
  // expected-error @+1 {{phase flat: operator `spl.utility::Beacon` has neither handlers nor a native body}}
  %a = stream.operator "A" kind "spl.utility::Beacon" () [] : () -> !s {
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @Items submissions = [] {
  %a = stream.operator "A" kind "spl.utility::Custom" () [] : () -> !s {
    // expected-error @+1 {{phase flat: no 'stream.output' in an operator with handlers}}
    stream.output 0 {
      %0 = spl.const 0 : si32
      stream.yield %0 : si32
    }
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

stream.graph @Tuple submissions = [] {
  %a = stream.operator "A" kind "spl.utility::Custom" () [] : () -> !s {
  }
  stream.operator "B" kind "spl.adapter::FileSink" (%a) [1] {native} : (!s) -> () {
    // expected-error @+1 {{evaluated at start, without a tuple}}
    stream.param "file" {
    ^bb0(%t: !t):
      %0 = spl.const "a" : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @Apart submissions = [] attributes {parallel_regions = [#stream.region<path = "P", width = 3, loc = loc(unknown)>]} {
  %a = stream.operator "P.A" kind "spl.utility::Custom" () [] {parallel_region = 0 : i32} : () -> !s {
  }
  %b = stream.operator "B" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // expected-error @+1 {{phase flat: the operators of region 0 do not stand together}}
  %c = stream.operator "P.C" kind "spl.utility::Custom" () [] {parallel_region = 0 : i32} : () -> !s {
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @NoRegion submissions = [] {
  // expected-error @+1 {{phase flat: the graph has no region 0}}
  %a = stream.operator "A" kind "spl.utility::Custom" () [] {parallel_region = 0 : i32} : () -> !s {
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @Elsewhere submissions = [] attributes {parallel_regions = [#stream.region<path = "P", width = 3, loc = loc(unknown)>]} {
  %a = stream.operator "A" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // expected-error @+1 {{phase flat: is split for region 0, which it is not in}}
  %b = stream.operator "B" kind "spl.utility::Custom" (%a) [1] {splits = [[#stream.split<region = 0, by = row>]]} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

stream.graph @State submissions = [] {
  %a = stream.operator "A" kind "spl.utility::Custom" () [] : () -> !s {
  }
  stream.operator "B" kind "spl.adapter::FileSink" (%a) [1] {native} : (!s) -> () {
    // expected-error @+1 {{evaluated at start, without a tuple or state}}
    stream.param "flush" {
      %n = spl.state "n"[0] : !spl.ref<ui32>
      %0 = spl.load %n : !spl.ref<ui32> -> ui32
      stream.yield %0 : ui32
    }
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

stream.graph @History submissions = [] {
  %a = stream.operator "A" kind "spl.utility::Custom" () [] : () -> !s {
  }
  stream.operator "B" kind "spl.utility::Custom" (%a) [1] : (!s) -> () {
    stream.on_punct 0 {
    ^bb0(%m: !spl.enum<"WindowMarker", "FinalMarker">):
      // expected-error @+1 {{phase flat: 'stream.history' should be gone}}
      %h = stream.history 0[1] : !t
      stream.end
    }
  }
}
