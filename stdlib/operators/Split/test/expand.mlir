// RUN: sluice-opt %s --stream-expand-operators | FileCheck %s

!t = !spl.tuple<"a": si32>

// CHECK-LABEL: stream.graph @Split
stream.graph @Split submissions = [] {
  %in = stream.operator "In" kind "spl.utility::Custom" () [] : () -> !stream.stream<!t> {
  }
  // By a number: negative goes nowhere, the rest modulo the number of ports.
  %a:2 = stream.operator "A" kind "spl.utility::Split" (%in) [1] {facts = #stream.operator_facts<traits = forwards>} : (!stream.stream<!t>) -> (!stream.stream<!t>, !stream.stream<!t>) {
    stream.param "index" {
    ^bb0(%t: !t):
      %a = spl.field %t[0] : !t -> si32
      stream.yield %a : si32
    }
    // CHECK: stream.on_tuple 0
    // CHECK: %[[I:.*]] = spl.field
    // CHECK: spl.compare ge %[[I]]
    // CHECK: %[[P:.*]] = spl.rem %[[I]]
    // CHECK: spl.compare eq %[[P]]
    // CHECK: stream.submit 0
    // CHECK: stream.submit 1
  }
  // By a list: to each of the ports.
  %b:2 = stream.operator "B" kind "spl.utility::Split" (%in) [1] {facts = #stream.operator_facts<traits = forwards>} : (!stream.stream<!t>) -> (!stream.stream<!t>, !stream.stream<!t>) {
    stream.param "index" {
    ^bb0(%t: !t):
      %l = spl.const : !spl.list<ui32>
      stream.yield %l : !spl.list<ui32>
    }
    // CHECK: stream.on_tuple 0
    // CHECK: spl.size
    // CHECK: ^[[HEAD:bb.*]](%[[POS:.*]]: ui32):
    // CHECK: spl.nth %{{.*}}[%[[POS]]]
    // CHECK-NOT: spl.compare ge
    // CHECK: spl.rem
    // CHECK: cf.br ^[[HEAD]]
  }
}
