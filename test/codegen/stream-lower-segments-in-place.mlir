// RUN: sluice-opt %s --stream-find-loops --stream-analyze-order --stream-place-boundaries=boundaries=all --stream-form-segments --stream-lower-segments | FileCheck %s

!t = !spl.tuple<"a": si64, "b": si64, "s": !spl.rstring>
!u = !spl.tuple<"s": !spl.rstring>
!s = !stream.stream<!t>
!n = !stream.stream<!u>

// What belongs to one consumer alone is changed and forwarded in place: port 1 of the
// program has the batches of input port 0, and so on. Not where the columns are others.
// CHECK: in_place_output = 1, rows = @op1.rows0
// CHECK-SAME: in_place_output = 2, rows = @op2.rows0
// CHECK-NOT: in_place_output

// The row loop is apart, and neither hands on.
// CHECK-LABEL: func.func private @op1.rows0(
// CHECK: call @op1.tuple0(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
// CHECK-NOT: sl_forward
// CHECK-LABEL: func.func private @op1.seg0
// CHECK: llvm.call @sl_take_puncts
// CHECK: call @op1.rows0(
// CHECK: call @op1.arrive0(
// CHECK: call @op1.rows0(
// CHECK-NOT: sl_forward
// Every row stays where it is: only what changes is written, at the row.
// CHECK-LABEL: func.func private @op1.strip0(
// CHECK-SAME: %[[BATCH:[^:]*]]: !llvm.ptr, %[[ROW:[^:]*]]: i64) -> i32
// CHECK: spl.put
// CHECK-NOT: spl.put
// CHECK-NOT: sl_batch_keep
// CHECK: return

// A filter moves rows to the front, their texts stay in the batch's arena.
// CHECK-LABEL: func.func private @op2.strip0(
// CHECK-SAME: i64) -> i32
// CHECK-COUNT-3: spl.put
// CHECK-NOT: sl_batch_keep
// CHECK: return

// Others append to a batch of their own.
// CHECK-LABEL: func.func private @op3.strip0(%{{[^,]*}}, %{{[^,]*}}) -> i32
// CHECK: sl_batch_keep
stream.graph @Main submissions = [] {
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
    stream.on_process {
      %0 = spl.const 7 : si64
      %1 = spl.const "x" : !spl.rstring
      %2 = spl.make_tuple %0, %0, %1 : !t
      stream.submit 0, %2 : !t
      stream.end
    }
  }
  %one = stream.operator "One" kind "spl.utility::Custom" (%src) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %a = spl.field %t[0] : !t -> si64
      %b = spl.field %t[1] : !t -> si64
      %s = spl.field %t[2] : !t -> !spl.rstring
      %c = spl.binary add %a, %b : si64, si64
      %1 = spl.make_tuple %a, %c, %s : !t
      stream.submit 0, %1 : !t
      stream.end
    }
  }
  %some = stream.operator "Some" kind "spl.utility::Custom" (%one) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %a = spl.field %t[0] : !t -> si64
      %b = spl.field %t[1] : !t -> si64
      %c = spl.compare lt %a, %b : si64
      cf.cond_br %c, ^yes, ^no
    ^yes:
      stream.submit 0, %t : !t
      stream.end
    ^no:
      stream.end
    }
  }
  %text = stream.operator "Text" kind "spl.utility::Custom" (%some) [1] : (!s) -> !n {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %s = spl.field %t[2] : !t -> !spl.rstring
      %1 = spl.make_tuple %s : !u
      stream.submit 0, %1 : !u
      stream.end
    }
  }
  %fork = stream.operator "Fork" kind "spl.utility::Custom" (%text) [1] : (!n) -> !n {
    stream.on_tuple 0 {
    ^bb0(%t: !u):
      %s = spl.field %t[0] : !u -> !spl.rstring
      %1 = spl.binary add %s, %s : !spl.rstring, !spl.rstring
      %2 = spl.make_tuple %1 : !u
      stream.submit 0, %2 : !u
      stream.end
    }
  }
  %left = stream.operator "Left" kind "spl.utility::Custom" (%fork) [1] : (!n) -> !n {
    stream.on_tuple 0 {
    ^bb0(%t: !u):
      stream.submit 0, %t : !u
      stream.end
    }
  }
  stream.operator "Sink" kind "spl.utility::Custom" (%left) [1] : (!n) -> () {
  }
  stream.operator "Right" kind "spl.utility::Custom" (%fork) [1] : (!n) -> () {
  }
}
