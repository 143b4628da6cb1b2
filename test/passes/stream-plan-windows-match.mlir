// Equalities between two windows that are matched become parameters.
// RUN: sluice-opt %s --allow-unregistered-dialect --stream-plan-windows | FileCheck %s

!t = !spl.tuple<"a": si32, "b": si64>
!s = !stream.stream<!t>

stream.graph @G submissions = [] {
  %in:2 = "test.value"() : () -> (!s, !s)
  // Those behind a condition that cannot fail, too; what can fail stays for each pair.
  // CHECK: stream.operator "A"
  // CHECK: plan <index, "equality of an expression and b, a and a">
  // CHECK: plan <nothing, "its size is 0">
  // CHECK: stream.param "equalityLHS"
  // CHECK: ^bb0(%[[L:[a-z0-9]+]]: [[T:[^,]*,[^,]*]], %{{.*}}: [[T]]):
  // CHECK-DAG: %[[LA:.*]] = spl.field %[[L]][0]
  // CHECK-DAG: %[[WIDE:.*]] = spl.cast %[[LA]]
  // CHECK: stream.yield %[[WIDE]], %{{.*}} : si64, si32
  // CHECK: stream.param "equalityRHS"
  // CHECK: ^bb0(%{{.*}}: [[T]], %[[R:[a-z0-9]+]]: [[T]]):
  // CHECK: stream.yield %{{.*}}, %{{.*}} : si64, si32
  // CHECK: stream.param "match"
  // CHECK: spl.compare gt
  // CHECK-NOT: spl.compare eq
  // CHECK: spl.div
  // CHECK: spl.compare eq
  %a = stream.operator "A" kind "K" (%in#0, %in#1) [1, 1] {facts = #stream.operator_facts<traits = matches>} : (!s, !s) -> !s {
    stream.window 0 <kind = sliding, evict = <count>, trigger = <count>> {
      %0 = spl.const 3 : si64
      stream.yield %0, %0 : si64, si64
    }
    stream.window 1 <kind = sliding, evict = <count>, trigger = <count>> {
      %0 = spl.const 0 : si64
      stream.yield %0, %0 : si64, si64
    }
    stream.param "match" {
    ^bb0(%l: !t, %r: !t):
      %0 = spl.field %l[1] : !t -> si64
      %1 = spl.field %r[1] : !t -> si64
      %2 = spl.compare gt %0, %1 : si64
      cf.cond_br %2, ^bb1, ^bb2(%2 : i1)
    ^bb1:
      %3 = spl.field %l[0] : !t -> si32
      %4 = spl.cast %3 : si32 to si64
      %5 = spl.compare eq %1, %4 : si64
      cf.br ^bb2(%5 : i1)
    ^bb2(%6: i1):
      cf.cond_br %6, ^bb3, ^bb4(%6 : i1)
    ^bb3:
      %15 = spl.field %l[0] : !t -> si32
      %7 = spl.field %r[0] : !t -> si32
      %8 = spl.compare eq %15, %7 : si32
      cf.br ^bb4(%8 : i1)
    ^bb4(%9: i1):
      cf.cond_br %9, ^bb5, ^bb6(%9 : i1)
    ^bb5:
      %10 = spl.div %0, %1 : si64
      %11 = spl.compare eq %10, %1 : si64
      cf.br ^bb6(%11 : i1)
    ^bb6(%12: i1):
      cf.cond_br %12, ^bb7, ^bb8(%12 : i1)
    ^bb7:
      %13 = spl.compare eq %0, %1 : si64
      cf.br ^bb8(%13 : i1)
    ^bb8(%14: i1):
      stream.yield %14 : i1
    }
  }
  // A condition on one side, and one that may hold without the equality.
  // CHECK: stream.operator "B"
  // CHECK: plan <scan, "there is no equality between both sides">
  // CHECK-NOT: stream.param "equality
  %b = stream.operator "B" kind "K" (%in#0, %in#1) [1, 1] {facts = #stream.operator_facts<traits = matches>} : (!s, !s) -> !s {
    stream.window 0 <kind = sliding, evict = <count>, trigger = <count>> {
      %0 = spl.const 3 : si64
      stream.yield %0, %0 : si64, si64
    }
    stream.window 1 <kind = sliding, evict = <time>, trigger = <count>> {
      %0 = spl.const 0.0 : f64
      %1 = spl.const 1 : si64
      stream.yield %0, %1 : f64, si64
    }
    stream.param "match" {
    ^bb0(%l: !t, %r: !t):
      %0 = spl.field %l[1] : !t -> si64
      %1 = spl.const 5 : si64
      %2 = spl.compare eq %0, %1 : si64
      cf.cond_br %2, ^bb2(%2 : i1), ^bb1
    ^bb1:
      %3 = spl.field %r[1] : !t -> si64
      %4 = spl.compare eq %0, %3 : si64
      cf.br ^bb2(%4 : i1)
    ^bb2(%5: i1):
      stream.yield %5 : i1
    }
  }
  // An equality alone leaves nothing to match.
  // CHECK: stream.operator "C"
  // CHECK-COUNT-2: plan <index, "equality of b and b">
  // CHECK-NOT: stream.param "match"
  // CHECK: }
  %c = stream.operator "C" kind "K" (%in#0, %in#1) [1, 1] {facts = #stream.operator_facts<traits = matches>} : (!s, !s) -> !s {
    stream.window 0 <kind = sliding, evict = <count>, trigger = <count>> {
      %0 = spl.const 3 : si64
      stream.yield %0, %0 : si64, si64
    }
    stream.window 1 <kind = sliding, evict = <count>, trigger = <count>> {
      %0 = spl.const 3 : si64
      stream.yield %0, %0 : si64, si64
    }
    stream.param "match" {
    ^bb0(%l: !t, %r: !t):
      %0 = spl.field %l[1] : !t -> si64
      %1 = spl.field %r[1] : !t -> si64
      %2 = spl.compare eq %0, %1 : si64
      stream.yield %2 : i1
    }
  }
}
