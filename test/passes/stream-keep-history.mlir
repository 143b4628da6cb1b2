// RUN: sluice-opt %s --stream-keep-history | FileCheck %s

!t = !spl.tuple<"a": si32, "s": !spl.rstring, "b": si32>
!s = !stream.stream<!t>

// CHECK-LABEL: @Main
stream.graph @Main submissions = [] {
  %in:2 = stream.operator "In" kind "spl.utility::Custom" () [] : () -> (!s, !s) {
  }
  // Two attributes are read, and the third tuple before the current one: four slots. The tuple
  // enters before anything is done with it.
  // CHECK: "Parts"
  %0 = stream.operator "Parts" kind "spl.utility::Custom" (%in#0) [1] : (!s) -> !s {
    stream.state "mine" : si32 {}
    // CHECK: ^bb0([[T:%.*]]: !spl.tuple
    // CHECK-NEXT: [[C:%.*]] = spl.state "$arrivals0"[2]
    // CHECK-NEXT: [[OLD:%.*]] = spl.load [[C]]
    // CHECK-NEXT: [[ONE:%.*]] = spl.const 1
    // CHECK-NEXT: [[N:%.*]] = spl.binary add [[OLD]], [[ONE]]
    // CHECK-NEXT: spl.store [[N]], [[C]]
    // CHECK-NEXT: [[MASK:%.*]] = spl.const 3
    // CHECK-NEXT: [[RING:%.*]] = spl.state "$history0"[1]
    // CHECK-NEXT: [[AT:%.*]] = spl.binary bit_and [[N]], [[MASK]]
    // CHECK-NEXT: [[SLOT:%.*]] = spl.nth_ref [[RING]]{{\[}}[[AT]]]
    // CHECK-NEXT: [[A:%.*]] = spl.field [[T]][0]
    // CHECK-NEXT: [[TO:%.*]] = spl.field_ref [[SLOT]][0]
    // CHECK-NEXT: spl.store [[A]], [[TO]]
    // CHECK-NEXT: spl.field [[T]][2]
    // CHECK: cf.cond_br
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %a = spl.field %t[0] : !t -> si32
      %zero = spl.const 0 : si32
      %c = spl.compare eq %a, %zero : si32
      cf.cond_br %c, ^yes, ^no
    ^yes:
      // CHECK: [[BACK:%.*]] = spl.const 3
      // CHECK-NEXT: [[THAT:%.*]] = spl.binary sub [[N]], [[BACK]]
      // CHECK: spl.binary bit_and [[THAT]]
      // CHECK-NEXT: [[BEFORE:%.*]] = spl.nth_ref
      // CHECK-NEXT: [[FROM:%.*]] = spl.field_ref [[BEFORE]][1]
      // CHECK-NEXT: [[B:%.*]] = spl.load [[FROM]]
      // CHECK: spl.store [[B]]
      %h3 = stream.history 0[3] : !t
      %b = spl.field %h3[2] : !t -> si32
      %mine = spl.state "mine"[0] : !spl.ref<si32>
      spl.store %b, %mine : si32, !spl.ref<si32>
      stream.end
    ^no:
      // CHECK-NOT: stream.history
      %h1 = stream.history 0[1] : !t
      %x = spl.field %h1[0] : !t -> si32
      %place = spl.state "mine"[0] : !spl.ref<si32>
      spl.store %x, %place : si32, !spl.ref<si32>
      stream.end
    }
    // CHECK: stream.state "$history0" : !spl.list<!spl.tuple<"a0": si32, "b1": si32>>
    // CHECK-NEXT: spl.default_list 4
    // CHECK: stream.state "$arrivals0" : ui64
  }
  // As a whole, on the second of two ports: the first keeps nothing.
  // CHECK: "Whole"
  %1 = stream.operator "Whole" kind "spl.utility::Custom" (%in#0, %in#1) [1, 1] : (!s, !s) -> !s {
    // CHECK-NOT: "$history0"
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      stream.end
    }
    stream.on_tuple 1 {
    ^bb0(%t: !t):
      // CHECK: spl.make_tuple
      // CHECK-NEXT: stream.submit 0
      %h = stream.history 1[1] : !t
      stream.submit 0, %h : !t
      stream.end
    }
    // CHECK: stream.state "$history1" : !spl.list<!spl.tuple<"a0": si32, "s1": !spl.rstring, "b2": si32>>
    // CHECK-NEXT: spl.default_list 2
  }
}
