// RUN: sluice-opt %s --stream-find-loops --stream-analyze-order --stream-analyze-state --stream-place-boundaries=boundaries=all --stream-form-segments --stream-lower-segments | FileCheck %s

!in = !spl.tuple<"a": si32, "k": !spl.rstring>
!ins = !stream.stream<!in>
!out = !spl.tuple<"k": !spl.rstring, "n": ui64>
!outs = !stream.stream<!out>
!map = !spl.map<!spl.rstring, ui64>

// State by key: the segment has a function for some of its rows, which forwards what is
// full and nothing at its end. It notes what each row has made before that. It releases nothing, for its rows take no scratch memory. The table names the key's column and the variables.
// CHECK: keyed = <rows = @op1.keyed0, column = 1, variables = [<name = "m", offset = 8, type = !spl.map<!spl.rstring, ui64>>]>
// CHECK-LABEL: func.func private @op1.seg0
// CHECK: call @op1.tuple0
// CHECK-LABEL: func.func private @op1.keyed0(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: !llvm.ptr)
// CHECK: call @op1.tuple0
// CHECK: llvm.store %{{.*}} : i16, !llvm.ptr
// CHECK-NOT: spl.release
// CHECK: llvm.call @sl_forward
// CHECK-NOT: sl_forward
// CHECK: llvm.call @sl_unwind
// CHECK-NOT: @op2.keyed0
stream.graph @Main submissions = [] {
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !ins {
    stream.on_process {
      %0 = spl.const 7 : si32
      %1 = spl.const "x" : !spl.rstring
      %2 = spl.make_tuple %0, %1 : !in
      stream.submit 0, %2 : !in
      stream.end
    }
  }
  %count = stream.operator "Count" kind "spl.utility::Custom" (%src) [1] : (!ins) -> !outs {
    stream.state "bound" : ui64 {
      %0 = spl.const 9 : ui64
      stream.yield %0 : ui64
    }
    stream.state "m" : !map {
      %0 = spl.const : !map
      stream.yield %0 : !map
    }
    stream.on_tuple 0 {
    ^bb0(%t: !in):
      %k = spl.field %t[1] : !in -> !spl.rstring
      %m = spl.state "m"[1] : <!map>
      %slot = spl.map_slot %m[%k] : <!map>, !spl.rstring -> <ui64>
      %b = spl.state "bound"[0] : <ui64>
      %n = spl.load %b : <ui64> -> ui64
      spl.store %n, %slot : ui64, <ui64>
      %2 = spl.make_tuple %k, %n : !out
      stream.submit 0, %2 : !out
      stream.end
    }
  }
  stream.operator "Sink" kind "spl.utility::Custom" (%count) [1] : (!outs) -> () {
    stream.on_tuple 0 {
    ^bb0(%t: !out):
      stream.end
    }
  }
}
