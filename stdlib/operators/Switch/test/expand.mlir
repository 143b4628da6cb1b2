// RUN: sluice-opt %s --stream-expand-operators | FileCheck %s

!t = !spl.tuple<"a": si32>
!u = !spl.tuple<"b": i1>
!s = !stream.stream<!t>
!c = !stream.stream<!u>

// CHECK-LABEL: stream.graph @Switch
stream.graph @Switch submissions = [] {
  %in:2 = stream.operator "In" kind "spl.utility::Custom" () [] : () -> (!s, !c) {
  }
  %g = stream.operator "S" kind "spl.utility::Switch" (%in#0, %in#1) [1, 1] {facts = #stream.operator_facts<traits = forwards>} : (!s, !c) -> !s {
    stream.param "status" {
    ^bb0(%t: !t, %c: !u):
      %0 = spl.field %c[0] : !u -> i1
      stream.yield %0 : i1
    }
    stream.param "initialStatus" {
      %0 = spl.const 1 : i1
      stream.yield %0 : i1
    }
    // CHECK: stream.state "$on" : i1 attributes {what = "the position of the switch"} {
    // CHECK-NEXT: %[[TRUE:.*]] = spl.const 1 : i1
    // CHECK-NEXT: stream.yield %[[TRUE]]
    // CHECK: stream.on_tuple 0
    // CHECK-NEXT: ^bb0(%[[T:.*]]: !spl.tuple
    // CHECK: %[[ON:.*]] = spl.state "$on"
    // CHECK: %[[OPEN:.*]] = spl.load %[[ON]]
    // CHECK: cf.cond_br %[[OPEN]]
    // CHECK: stream.submit 0, %[[T]]
    // CHECK: stream.on_tuple 1
    // CHECK-NEXT: ^bb0(%[[C:.*]]: !spl.tuple
    // CHECK: spl.field %[[C]][0]
    // CHECK: spl.store
  }
}
