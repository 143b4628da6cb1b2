// RUN: sluice-opt %s --stream-find-loops --stream-analyze-order --stream-place-boundaries=boundaries=all --stream-form-segments --stream-lower-segments | FileCheck %s
// RUN: sluice-opt %s --stream-find-loops --stream-analyze-order --stream-place-boundaries=boundaries=all --stream-form-segments --stream-lower-segments --convert-spl-to-llvm | FileCheck %s --check-prefix=TAGS

!t = !spl.tuple<"a": si64>
!s = !stream.stream<!t>
!w = !spl.tuple<"a": si64, "b": si64>

// Between strips of rows a row loop asks whether the batch that it fills must go;
// inside of a strip it does not. Its memory is none of the other batches'.
// CHECK-LABEL: func.func private @op1.seg0
// CHECK: arith.minsi
// CHECK: call @op1.tuple0
// CHECK: arith.cmpi uge
// CHECK: llvm.call @sl_forward
// CHECK-LABEL: func.func private @op1.strip0
// CHECK-NOT: sl_forward
// CHECK: return
// TAGS-DAG: #[[IN:.*]] = #llvm.tbaa_type_desc<id = "columns0"
// TAGS-DAG: #[[OUT:.*]] = #llvm.tbaa_type_desc<id = "columns1"
// TAGS-DAG: #[[HEAD:.*]] = #llvm.tbaa_type_desc<id = "header1"

// An operator that may submit several rows for one asks at each.
// CHECK-LABEL: func.func private @op2.strip0
// CHECK: llvm.call @sl_forward
stream.graph @Main submissions = [] {
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !stream.stream<!w> {
    stream.on_process {
      %0 = spl.const 7 : si64
      %1 = spl.make_tuple %0, %0 : !w
      stream.submit 0, %1 : !w
      stream.end
    }
  }
  %one = stream.operator "One" kind "spl.utility::Custom" (%src) [1] : (!stream.stream<!w>) -> !s {
    stream.on_tuple 0 {
    ^bb0(%w: !w):
      %a = spl.field %w[0] : !w -> si64
      %t = spl.make_tuple %a : !t
      stream.submit 0, %t : !t
      stream.end
    }
  }
  %two = stream.operator "Two" kind "spl.utility::Custom" (%one) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      stream.submit 0, %t : !t
      stream.submit 0, %t : !t
      stream.end
    }
  }
  stream.operator "Sink" kind "spl.utility::Custom" (%two) [1] : (!s) -> () {
  }
}
