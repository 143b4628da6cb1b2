// RUN: sluice-opt %s --stream-find-loops --stream-analyze-order --stream-analyze-state --stream-place-boundaries=boundaries=none --stream-form-segments --stream-lower-segments | FileCheck %s

!key = !spl.tuple<"a": si32, "k": !spl.rstring>
!keys = !stream.stream<!key>
!map = !spl.map<!spl.rstring, ui64>
!slot = !spl.tuple<"a": ui64, "b": si64>
!value = !spl.tuple<"n": ui64, "s": !spl.rstring, "slots": !spl.list<!slot>, "head": ui64, "count": ui64>
!windows = !spl.map<!spl.rstring, !value>

// The rows of a segment whose handler looks up its state by a field of the input run in blocks. The
// keys of a block (the column `k`) are looked up ahead, each table once: their places in the index
// two blocks before, their entries one block before. Each row tries what was found first.
// CHECK-LABEL: func.func private @op2.seg0
// CHECK: %[[SLOTS:.*]] = llvm.alloca %c64_i32
// CHECK: %[[DESC:.*]] = spl.type_desc !spl.map<!spl.rstring, ui64>
// CHECK: arith.addi %[[BEGIN:.*]], %c32_i64
// CHECK: %[[FIRST:.*]] = arith.minui %{{.*}}, %c16_i64
// CHECK: llvm.call @sl_ahead(%[[DESC]], %[[TABLE:.*]], %{{.*}}, %[[FIRST]], %{{.*}})
// CHECK: arith.addi %[[BEGIN]], %c16_i64
// CHECK: llvm.call @sl_ahead_entries(%[[DESC]], %[[TABLE]], %{{.*}}, %{{.*}})
// CHECK: arith.addi %[[ROW:.*]], %c32_i64
// CHECK: llvm.call @sl_ahead(%[[DESC]], %[[TABLE]],
// CHECK: arith.addi %[[ROW]], %c16_i64
// CHECK: llvm.call @sl_ahead_entries(%[[DESC]], %[[TABLE]],
// CHECK-NOT: sl_ahead
// CHECK: llvm.call @sl_try_first(%[[TABLE]], %{{.*}})
// CHECK: call @op2.tuple0
// A key that is computed is not known before its row runs.
// CHECK-LABEL: func.func private @op3.seg0
// CHECK-NOT: sl_ahead
// The values of this map have a ring behind a number and a string.
// CHECK-LABEL: func.func private @op4.seg0
// CHECK: llvm.call @sl_ahead_entries(
// CHECK: llvm.call @sl_ahead_ring(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %c24_i32, %c40_i32, %c48_i32, %c16_i32)
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
  stream.operator "Windows" kind "spl.utility::Custom" (%src, %other) [2] : (!keys, !keys) -> () {
    stream.state "w" : !windows {
      %0 = spl.const : !windows
      stream.yield %0 : !windows
    }
    stream.on_tuple 0 {
    ^bb0(%t: !key):
      %k = spl.field %t[1] : !key -> !spl.rstring
      %w = spl.state "w"[0] : <!windows>
      %v = spl.map_slot %w[%k] : <!windows>, !spl.rstring -> <!value>
      %slots = spl.field_ref %v[2] : <!value> -> <!spl.list<!slot>>
      %head = spl.field_ref %v[3] : <!value> -> <ui64>
      %count = spl.field_ref %v[4] : <!value> -> <ui64>
      spl.grow_ring %slots, %head, %count : <!spl.list<!slot>>, <ui64>, <ui64>
      stream.end
    }
  }
}
