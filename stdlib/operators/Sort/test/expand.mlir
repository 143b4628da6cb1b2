// RUN: sluice-opt %s --stream-plan-windows --stream-expand-operators | FileCheck %s

!t = !spl.tuple<"k": !spl.rstring, "n": si32, "x": f64>

stream.graph @Main submissions = [] {
  %in = stream.operator "In" kind "spl.utility::Custom" () [] : () -> !stream.stream<!t> {
  }
  // Keys come first. An attribute that is one is kept once, and counts once.
  // CHECK: stream.operator "A"
  // CHECK: stream.state "$window0" : !spl.tuple<"slots0": !spl.list<!spl.tuple<"key0": f64, "key1": si32, "kept2": !spl.rstring, "kept3": si32>>
  // CHECK: stream.on_tuple 0
  // CHECK: spl.compare ge
  // CHECK: %[[ORDER:.*]] = spl.sort_rows %{{.*}}[%{{.*}}] by [true, false]
  // CHECK: spl.nth %[[ORDER]]
  // CHECK: stream.submit 0
  // CHECK: stream.submit_punct 0
  // At the end it drops what it holds.
  // CHECK-NOT: stream.on_punct
  %a = stream.operator "A" kind "spl.relational::Sort" (%in) [1] {facts = #stream.operator_facts<traits = sorts>} : (!stream.stream<!t>) -> !stream.stream<!t> {
    stream.window 0 <kind = tumbling, evict = <count>> {
      %0 = spl.const 100 : si64
      stream.yield %0 : si64
    }
    stream.param "sortBy" {
    ^bb0(%t: !t):
      %x = spl.field %t[2] : !t -> f64
      %n = spl.field %t[1] : !t -> si32
      %twice = spl.binary add %n, %n : si32, si32
      %again = spl.field %t[2] : !t -> f64
      stream.yield %x, %twice, %again : f64, si32, f64
    }
    stream.param "order" {
      %d = spl.const "descending" : !spl.rstring
      %u = spl.const "ascending" : !spl.rstring
      stream.yield %d, %u, %u : !spl.rstring, !spl.rstring, !spl.rstring
    }
  }
  // The first in order leaves before the next enters. Of equal ones it is the oldest.
  // CHECK: stream.operator "B"
  // CHECK: stream.state "$window0" : !spl.tuple<"slots0": !spl.list<!spl.tuple<"key0": !spl.rstring, "arrival1": ui64,
  // CHECK: stream.on_tuple 0
  // CHECK: spl.compare ge
  // CHECK: stream.submit 0
  // CHECK: spl.heap_pop %{{.*}}[%{{.*}}], %{{.*}} by [false, false]
  // CHECK: spl.heap_push %{{.*}}[%{{.*}}], %{{.*}} by [false, false]
  // CHECK: stream.on_punct 0
  // CHECK: spl.const 1 : !spl.enum
  // CHECK: stream.submit 0
  // CHECK: spl.heap_pop
  // CHECK-NOT: stream.submit_punct
  %b = stream.operator "B" kind "spl.relational::Sort" (%in) [1] {facts = #stream.operator_facts<traits = sorts>} : (!stream.stream<!t>) -> !stream.stream<!t> {
    stream.window 0 <kind = sliding, evict = <count>, trigger = <count>> {
      %0 = spl.const 100 : si64
      %1 = spl.const 1 : si64
      stream.yield %0, %1 : si64, si64
    }
    stream.param "sortBy" {
    ^bb0(%t: !t):
      %k = spl.field %t[0] : !t -> !spl.rstring
      stream.yield %k : !spl.rstring
    }
  }
}
