// RUN: sluice-opt %s --stream-expand-operators | FileCheck %s

!t = !spl.tuple<"a": si32>
!u = !spl.tuple<"b": i1>
!s = !stream.stream<!t>
!c = !stream.stream<!u>

// CHECK-LABEL: stream.graph @Gate
stream.graph @Gate submissions = [] {
  %in:2 = stream.operator "In" kind "spl.utility::Custom" () [] : () -> (!s, !c) {
  }
  %g = stream.operator "G" kind "spl.utility::Gate" (%in#0, %in#1) [1, 1] {facts = #stream.operator_facts<traits = forwards>} : (!s, !c) -> !s {
    stream.param "maxUnackedTupleCount" {
      %0 = spl.const 3 : ui32
      stream.yield %0 : ui32
    }
    // CHECK: stream.state "$unacked" : si64
    // CHECK: stream.state "$kept" : !spl.tuple<"slots0": !spl.list<!spl.tuple<"marker0": i1, "tuple1": !spl.tuple<"a": si32>>>
    // CHECK: stream.on_tuple 0
    // CHECK-NEXT: ^bb0(%[[T:.*]]: !spl.tuple
    // CHECK: %[[OPEN:.*]] = spl.compare lt
    // CHECK: cf.cond_br %[[OPEN]]
    // CHECK: stream.submit 0, %[[T]]
    // CHECK: stream.hold 0
    // CHECK: stream.on_punct 0
    // CHECK: stream.submit_punct 0
    // CHECK: stream.hold 0
    // CHECK: stream.submit_punct 0
    // CHECK: stream.on_tuple 1
    // CHECK: spl.release
    // CHECK: stream.hold 0
    // CHECK: stream.on_punct 1
    // CHECK: stream.hold 0
  }
}
