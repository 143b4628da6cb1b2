// RUN: sluice-opt %s --stream-find-loops --stream-analyze-order --stream-place-boundaries=boundaries=none --stream-form-segments --stream-lower-segments | FileCheck %s

!t = !spl.tuple<"a": si32, "k": si32>
!s = !stream.stream<!t>

// The code of a region is there once; the table says what belongs to it and where
// its state lies, from a multiple of 16 to the next.
// CHECK: state_bytes = 36
// CHECK-SAME: splits = [<consumer = 0, split = <region = 0, by = key, keys = [1]>>]
// CHECK-SAME: regions = [<region = <path = "P", width = 3, loc = #{{loc[0-9]*}}>, ops = <1, 2>, ins = <0, 2>, outs = <1, 1>, natives = <0, 1>, first_state = 16, state_bytes = 16, init = @sl.init0, destroy = @sl.destroy0>]
// State of a region has an initialiser of its own: it runs once per replica.
// CHECK: func.func private @sl.init(
// CHECK: call @op0.state0
// CHECK-NOT: call @op1.state0
// CHECK: call @op3.state0
// CHECK: func.func private @sl.init0(
// CHECK-NOT: call @op0.state0
// CHECK: call @op1.state0
// CHECK: func.func private @sl.destroy0(
stream.graph @Main submissions = [] attributes {parallel_regions = [#stream.region<path = "P", width = 3, loc = loc(unknown)>]} {
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
    stream.state "x" : si32 {
      %0 = spl.const 7 : si32
      stream.yield %0 : si32
    }
  }
  %p = stream.operator "P.A" kind "spl.utility::Custom" (%src) [1] {parallel_region = 0 : i32, splits = [[#stream.split<region = 0, by = key, keys = [1]>]]} : (!s) -> !s {
    stream.state "c" : si32 {
      %0 = spl.const 7 : si32
      stream.yield %0 : si32
    }
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      stream.submit 0, %t : !t
      stream.end
    }
  }
  stream.operator "P.B" kind "spl.adapter::FileSink" (%p) [1] {parallel_region = 0 : i32, native} : (!s) -> () {
  }
  stream.operator "Sink" kind "spl.utility::Custom" (%p) [1] : (!s) -> () {
    stream.state "y" : si32 {
      %0 = spl.const 7 : si32
      stream.yield %0 : si32
    }
  }
}
