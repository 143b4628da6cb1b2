// RUN: sluice-opt %s --stream-expand-operators | FileCheck %s

!t = !spl.tuple<"a": si32>
!u = !spl.tuple<"b": i1>
!s = !stream.stream<!t>
!c = !stream.stream<!u>

// CHECK-LABEL: stream.graph @Pair
stream.graph @Pair submissions = [] {
  %in:2 = stream.operator "In" kind "spl.utility::Custom" () [] : () -> (!s, !c) {
  }
  %g = stream.operator "P" kind "spl.utility::Pair" (%in#0, %in#0) [1, 1] : (!s, !s) -> !s {
    stream.param "bufferSize" {
      %0 = spl.const 3 : ui32
      stream.yield %0 : ui32
    }
    // CHECK: stream.on_tuple 0
    // CHECK-NEXT: ^bb0(%[[T:.*]]: !spl.tuple
    // CHECK: stream.submit 0, %[[T]]
    // CHECK: stream.submit 0, %[[OTHER:.*]] :
    // CHECK: stream.submit_punct 0
    // CHECK: stream.hold 0
    // CHECK-NEXT: spl.state
    // CHECK: stream.hold 1
    // CHECK: stream.on_tuple 1
    // CHECK-NEXT: ^bb0(%[[T:.*]]: !spl.tuple
    // CHECK: stream.submit 0
    // CHECK: stream.submit 0, %[[T]]
    // CHECK: stream.submit_punct 0
  }
}
