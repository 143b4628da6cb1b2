// RUN: sluice-opt %s --stream-find-loops --stream-analyze-order --stream-place-boundaries=boundaries=none --stream-form-segments --stream-lower-segments | FileCheck %s

!key = !spl.tuple<"a": si32, "k": !spl.rstring>
!keys = !stream.stream<!key>
!map = !spl.map<!spl.rstring, ui64>

// A segment whose handler looks up its state by a field of the input asks for the
// keys of later rows: the column `k` (of strings: 16 bytes), each table once.
// CHECK-LABEL: func.func private @op2.seg0
// CHECK: %[[LATER:.*]] = arith.addi %{{.*}}, %c16_i64
// CHECK: arith.cmpi ult, %[[LATER]]
// CHECK: spl.type_desc !spl.map<!spl.rstring, ui64>
// CHECK: llvm.call @sl_ahead_index
// CHECK: arith.addi %{{.*}}, %c8_i64
// CHECK: llvm.call @sl_ahead_entry
// CHECK-NOT: sl_ahead
// CHECK: call @op2.tuple0
// A key that is computed is not known before its row runs.
// CHECK-LABEL: func.func private @op3.seg0
// CHECK-NOT: sl_ahead
stream.graph @Main submissions = [] {
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !keys {
    stream.on_process {
      %0 = spl.const 7 : si32
      %1 = spl.const "x" : !spl.rstring
      %2 = spl.make_tuple %0, %1 : !key
      stream.submit 0, %2 : !key
      stream.end
    }
  }
  %other = stream.operator "Other" kind "spl.utility::Custom" () [] : () -> !keys {
    stream.on_process {
      %0 = spl.const 7 : si32
      %1 = spl.const "x" : !spl.rstring
      %2 = spl.make_tuple %0, %1 : !key
      stream.submit 0, %2 : !key
      stream.end
    }
  }
  stream.operator "Count" kind "spl.utility::Custom" (%src, %other) [2] : (!keys, !keys) -> () {
    stream.state "m" : !map {
      %0 = spl.const : !map
      stream.yield %0 : !map
    }
    stream.on_tuple 0 {
    ^bb0(%t: !key):
      %k = spl.field %t[1] : !key -> !spl.rstring
      %m = spl.state "m"[0] : <!map>
      %v = spl.load %m : <!map> -> !map
      %in = spl.contains %k in %v : !spl.rstring, !map
      %slot = spl.map_slot %m[%k] : <!map>, !spl.rstring -> <ui64>
      stream.end
    }
  }
  stream.operator "Computed" kind "spl.utility::Custom" (%src, %other) [2] : (!keys, !keys) -> () {
    stream.state "m" : !map {
      %0 = spl.const : !map
      stream.yield %0 : !map
    }
    stream.on_tuple 0 {
    ^bb0(%t: !key):
      %k = spl.field %t[1] : !key -> !spl.rstring
      %kk = spl.binary add %k, %k : !spl.rstring, !spl.rstring
      %m = spl.state "m"[0] : <!map>
      %slot = spl.map_slot %m[%kk] : <!map>, !spl.rstring -> <ui64>
      stream.end
    }
  }
}
