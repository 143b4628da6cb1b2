// RUN: sluice-opt %s --stream-expand-operators | FileCheck %s

!t = !spl.tuple<"a": si32>
!u = !spl.tuple<"b": i1>
!s = !stream.stream<!t>
!c = !stream.stream<!u>

// CHECK-LABEL: stream.graph @Barrier
stream.graph @Barrier submissions = [] {
  %in:2 = stream.operator "In" kind "spl.utility::Custom" () [] : () -> (!s, !c) {
  }
  %g = stream.operator "B" kind "spl.utility::Barrier" (%in#0, %in#1) [1, 1] : (!s, !c) -> !c {
    stream.param "partitionBy0" {
    ^bb0(%t: !t, %c: !u):
      %0 = spl.field %t[0] : !t -> si32
      stream.yield %0 : si32
    }
    stream.param "partitionBy1" {
    ^bb0(%t: !t, %c: !u):
      %0 = spl.const 1 : si32
      stream.yield %0 : si32
    }
    stream.output 0 {
    ^bb0(%t: !t, %c: !u):
      %0 = spl.field %c[0] : !u -> i1
      stream.yield %0 : i1
    }
    // CHECK: stream.state "$queues" : !spl.map<si32,
    // CHECK: stream.on_tuple 0
    // CHECK-NEXT: ^bb0(%[[T:.*]]: !spl.tuple
    // CHECK: %[[KEY:.*]] = spl.field %[[T]][0]
    // CHECK: spl.map_slot %{{.*}}[%[[KEY]]]
    // CHECK: stream.submit 0
    // CHECK: spl.map_erase
    // CHECK-NOT: stream.submit_punct
    // CHECK-NOT: stream.hold
  }
}
