// RUN: sluice-opt %s --stream-expand-operators | FileCheck %s

!t = !spl.tuple<"a": si32, "b": !spl.rstring>

// CHECK-LABEL: stream.graph @DynamicFilter
stream.graph @DynamicFilter submissions = [] {
  %in:3 = stream.operator "In" kind "spl.utility::Custom" () [] : () -> (!stream.stream<!t>, !stream.stream<!t>, !stream.stream<!t>) {
  }
  %f:2 = stream.operator "F" kind "spl.utility::DynamicFilter" (%in#0, %in#1, %in#2) [1, 1, 1] {facts = #stream.operator_facts<traits = forwards>} : (!stream.stream<!t>, !stream.stream<!t>, !stream.stream<!t>) -> (!stream.stream<!t>, !stream.stream<!t>) {
    stream.param "key" {
    ^bb0(%t: !t, %u: !t, %v: !t):
      %a = spl.field %t[0] : !t -> si32
      %b = spl.field %t[1] : !t -> !spl.rstring
      stream.yield %a, %b : si32, !spl.rstring
    }
    stream.param "addKey" {
    ^bb0(%t: !t, %u: !t, %v: !t):
      %a = spl.field %u[0] : !t -> si32
      %b = spl.field %u[1] : !t -> !spl.rstring
      stream.yield %a, %b : si32, !spl.rstring
    }
    stream.param "removeKey" {
    ^bb0(%t: !t, %u: !t, %v: !t):
      %a = spl.field %v[0] : !t -> si32
      %b = spl.field %v[1] : !t -> !spl.rstring
      stream.yield %a, %b : si32, !spl.rstring
    }
    // CHECK: stream.state "$keys" : !spl.set<!spl.tuple<"0": si32, "1": !spl.rstring>>
    // CHECK: stream.on_tuple 0
    // CHECK-NEXT: ^bb0(%[[T:.*]]: !spl.tuple
    // CHECK: spl.contains
    // CHECK: stream.submit 0, %[[T]]
    // CHECK: stream.submit 1, %[[T]]
    // CHECK: stream.on_punct 0
    // CHECK: stream.on_tuple 1
    // CHECK: spl.native "sl_insertM_Sgg"
    // CHECK: stream.on_tuple 2
    // CHECK: spl.native "sl_removeM_Sgg"
    // CHECK-NOT: stream.on_punct
  }
}
