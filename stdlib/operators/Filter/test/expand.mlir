// RUN: sluice-opt %s --stream-expand-operators | FileCheck %s

// A condition with branches of its own, as `a > 0 && b > 0` has.

!t = !spl.tuple<"a": si32, "b": si32>

// CHECK-LABEL: stream.graph @Filter
stream.graph @Filter submissions = [] {
  %in = stream.operator "In" kind "spl.utility::Custom" () [] : () -> !stream.stream<!t> {
  }
  %f:2 = stream.operator "F" kind "spl.relational::Filter" (%in) [1] {facts = #stream.operator_facts<traits = forwards>} : (!stream.stream<!t>) -> (!stream.stream<!t>, !stream.stream<!t>) {
    stream.param "filter" {
    ^bb0(%t: !t):
      %v = spl.var "v" : !spl.ref<si32>
      %a = spl.field %t[0] : !t -> si32
      %0 = spl.const 0 : si32
      %c = spl.compare gt %a, %0 : si32
      cf.cond_br %c, ^more, ^done(%c : i1)
    ^more:
      %b = spl.field %t[1] : !t -> si32
      %d = spl.compare gt %b, %0 : si32
      cf.br ^done(%d : i1)
    ^done(%r: i1):
      stream.yield %r : i1
    }
    // CHECK: stream.on_tuple 0
    // CHECK-NEXT: ^bb0(%[[T:.*]]: !spl.tuple
    // CHECK-NEXT: spl.var "v"
    // CHECK: ^[[DONE:bb.*]](%[[R:.*]]: i1):
    // CHECK: cf.br ^[[BEHIND:bb[0-9]+]](%[[R]] : i1)
    // CHECK: ^[[BEHIND]](%[[ACCEPT:.*]]: i1):
    // CHECK: cf.cond_br %[[ACCEPT]]
    // CHECK: stream.submit 0, %[[T]]
    // CHECK: stream.submit 1, %[[T]]
  }
}
