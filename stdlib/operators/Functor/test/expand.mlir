// RUN: sluice-opt %s --stream-expand-operators | FileCheck %s

// What a Functor does: logic, filter, then each output port in turn. Window
// marks are passed on, Final is the runtime's.

!t = !spl.tuple<"a": si32, "b": si32>
!o = !spl.tuple<"b": si32>
!m = !spl.enum<"WindowMarker", "FinalMarker">

// CHECK-LABEL: stream.graph @Functor
stream.graph @Functor submissions = [] {
  %in = stream.operator "In" kind "spl.utility::Custom" () [] : () -> !stream.stream<!t> {
  }
  // CHECK: stream.operator "F" kind "spl.utility::Custom"{{.*}} {original = "spl.relational::Functor"
  %f:2 = stream.operator "F" kind "spl.relational::Functor" (%in) [1] {facts = #stream.operator_facts<traits = forwards>} : (!stream.stream<!t>) -> (!stream.stream<!o>, !stream.stream<!t>) {
    // CHECK: stream.state "n" : si32
    stream.state "n" : si32 {
    }
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %n = spl.state "n"[0] : !spl.ref<si32>
      %a = spl.field %t[0] : !t -> si32
      spl.store %a, %n : si32, !spl.ref<si32>
      stream.end
    }
    stream.param "filter" {
    ^bb0(%t: !t):
      %a = spl.field %t[0] : !t -> si32
      %b = spl.field %t[1] : !t -> si32
      %c = spl.compare lt %a, %b : si32
      stream.yield %c : i1
    }
    stream.output 0 {
    ^bb0(%t: !t):
      %b = spl.field %t[1] : !t -> si32
      stream.yield %b : si32
    }
    stream.output 1 {
    ^bb0(%t: !t):
      %a = spl.field %t[0] : !t -> si32
      %b = spl.field %t[1] : !t -> si32
      stream.yield %a, %b : si32, si32
    }
    // CHECK-NOT: stream.param
    // CHECK: stream.on_tuple 0
    // CHECK-NEXT: ^bb0(%[[T:.*]]: !spl.tuple<"a": si32, "b": si32>):
    // CHECK: spl.store
    // CHECK: %[[C:.*]] = spl.compare lt
    // CHECK: cf.cond_br %[[C]], ^[[YES:bb.*]], ^[[NO:bb[0-9]+]]
    // CHECK: ^[[YES]]:
    // CHECK: %[[NEW:.*]] = spl.make_tuple
    // CHECK: stream.submit 0, %[[NEW]]
    // The second output is the input as it is.
    // CHECK: stream.submit 1, %[[T]]
    // CHECK: stream.end
    // CHECK: ^[[NO]]:
    // CHECK-NEXT: stream.end
    // CHECK: stream.on_punct 0
    // CHECK-NEXT: ^bb0(%[[M:.*]]: !spl.enum
    // What is submitted is the constant: it says that this is no Final.
    // CHECK: %[[W:.*]] = spl.const 0 : !spl.enum
    // CHECK: spl.compare eq %[[M]], %[[W]]
    // CHECK: stream.submit_punct 0, %[[W]]
    // CHECK-NEXT: stream.submit_punct 1, %[[W]]
  }
}
