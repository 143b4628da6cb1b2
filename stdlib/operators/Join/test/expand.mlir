// RUN: sluice-opt %s --stream-plan-windows --stream-expand-operators | FileCheck %s

!l = !spl.tuple<"a": si32, "k": !spl.rstring>
!r = !spl.tuple<"b": si32, "k": !spl.rstring>
!o = !spl.tuple<"a": si32, "b": si32>

stream.graph @Main submissions = [] {
  %l = stream.operator "L" kind "spl.utility::Custom" () [] : () -> !stream.stream<!l> {
  }
  %r = stream.operator "R" kind "spl.utility::Custom" () [] : () -> !stream.stream<!r> {
  }
  // An index; the left side keeps whether rows matched, and submits those that did not.
  // CHECK: stream.operator "A"
  // CHECK-SAME: plan = <index, "equality of k and k">
  // CHECK: stream.state "$window0" : {{.*}}"heads{{.*}}"slots{{.*}}"matched{{.*}}"hash{{.*}}"next
  // CHECK: stream.state "$window1"
  // CHECK-NOT: "matched
  // A key is hashed once.
  // CHECK: stream.on_tuple 0
  // CHECK: sl_hashCode
  // CHECK-NOT: sl_hashCode
  // CHECK: stream.submit 0
  // CHECK-NOT: sl_hashCode
  // CHECK: spl.grow_ring
  // CHECK: stream.submit_punct 0
  // CHECK: stream.on_tuple 1
  // CHECK: sl_hashCode
  // CHECK-NOT: sl_hashCode
  // CHECK: stream.submit 0
  // CHECK: stream.submit_punct 0
  %a = stream.operator "A" kind "spl.relational::Join" (%l, %r) [1, 1] {facts = #stream.operator_facts<traits = matches>} : (!stream.stream<!l>, !stream.stream<!r>) -> !stream.stream<!o> {
    stream.window 0 <kind = sliding, evict = <count>, trigger = <count>> {
      %0 = spl.const 10 : si64
      %1 = spl.const 1 : si64
      stream.yield %0, %1 : si64, si64
    }
    stream.window 1 <kind = sliding, evict = <count>, trigger = <count>> {
      %0 = spl.const 10 : si64
      %1 = spl.const 1 : si64
      stream.yield %0, %1 : si64, si64
    }
    stream.param "algorithm" {
      %0 = spl.const "leftOuter" : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
    stream.param "match" {
    ^bb0(%x: !l, %y: !r):
      %0 = spl.field %y[1] : !r -> !spl.rstring
      %1 = spl.field %x[1] : !l -> !spl.rstring
      %2 = spl.compare eq %0, %1 : !spl.rstring
      stream.yield %2 : i1
    }
    stream.output 0 {
    ^bb0(%x: !l, %y: !r):
      %0 = spl.field %x[0] : !l -> si32
      %1 = spl.field %y[0] : !r -> si32
      stream.yield %0, %1 : si32, si32
    }
  }
  // A side of count(0) has no state. By time rows leave before each tuple; nobody waits for them.
  // CHECK: stream.operator "B"
  // CHECK-NOT: stream.state "$window0"
  // CHECK: stream.state "$window1"
  // CHECK: stream.on_tuple 0
  // CHECK: stream.now
  // CHECK: stream.submit 0
  // CHECK: stream.on_tuple 1
  // CHECK: stream.now
  // CHECK-NOT: stream.submit 0
  // CHECK-NOT: stream.on_tuple 2
  %b = stream.operator "B" kind "spl.relational::Join" (%l, %r) [1, 1] {facts = #stream.operator_facts<traits = matches>} : (!stream.stream<!l>, !stream.stream<!r>) -> !stream.stream<!o> {
    stream.window 0 <kind = sliding, evict = <count>, trigger = <count>> {
      %0 = spl.const 0 : si64
      %1 = spl.const 1 : si64
      stream.yield %0, %1 : si64, si64
    }
    stream.window 1 <kind = sliding, evict = <time>, trigger = <count>> {
      %0 = spl.const 2.0 : f64
      %1 = spl.const 1 : si64
      stream.yield %0, %1 : f64, si64
    }
    stream.output 0 {
    ^bb0(%x: !l, %y: !r):
      %0 = spl.field %x[0] : !l -> si32
      %1 = spl.field %y[0] : !r -> si32
      stream.yield %0, %1 : si32, si32
    }
  }
  // Rows that leave by time without a match do not wait for a tuple: a ticker, and Final.
  // CHECK: stream.operator "C" kind "sluice.lang::Ticker"
  // CHECK: stream.operator "C"
  // CHECK: stream.on_tuple 0
  // CHECK: stream.on_punct 0
  // CHECK: stream.submit 1
  // CHECK: stream.on_punct 1
  // CHECK: stream.on_tuple 2
  // CHECK: stream.now
  // CHECK: stream.submit 1
  %c:2 = stream.operator "C" kind "spl.relational::Join" (%l, %r) [1, 1] {facts = #stream.operator_facts<traits = matches>} : (!stream.stream<!l>, !stream.stream<!r>) -> (!stream.stream<!o>, !stream.stream<!r>) {
    stream.window 0 <kind = sliding, evict = <count>, trigger = <count>> {
      %0 = spl.const 5 : si64
      %1 = spl.const 1 : si64
      stream.yield %0, %1 : si64, si64
    }
    stream.window 1 <kind = sliding, evict = <time>, trigger = <count>> {
      %0 = spl.const 2.0 : f64
      %1 = spl.const 1 : si64
      stream.yield %0, %1 : f64, si64
    }
    stream.param "algorithm" {
      %0 = spl.const "rightOuter" : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
    stream.output 0 {
    ^bb0(%x: !l, %y: !r):
      %0 = spl.field %x[0] : !l -> si32
      %1 = spl.field %y[0] : !r -> si32
      stream.yield %0, %1 : si32, si32
    }
  }
  // Rows leave by partition on the left, and anywhere on the right once a tuple has gone back.
  // CHECK: stream.operator "D"
  // CHECK: stream.state "$rows0" : {{.*}}"previous
  // CHECK: stream.state "$index0" : !spl.map<si32, !spl.tuple<"first0": ui32, "last1": ui32>>
  // CHECK: stream.state "$window1" : {{.*}}"gone
  // CHECK: stream.on_tuple 0
  // CHECK: spl.map_erase
  // CHECK: spl.map_slot
  // CHECK: stream.on_tuple 1
  // CHECK: spl.map_find
  // CHECK-NOT: spl.map_erase
  %d = stream.operator "D" kind "spl.relational::Join" (%l, %r) [1, 1] {facts = #stream.operator_facts<traits = matches>} : (!stream.stream<!l>, !stream.stream<!r>) -> !stream.stream<!o> {
    stream.window 0 <kind = sliding, evict = <count>, trigger = <count>, partitioned = true> {
      %0 = spl.const 10 : si64
      %1 = spl.const 1 : si64
      stream.yield %0, %1 : si64, si64
    }
    stream.window 1 <kind = sliding, evict = <delta of 0>, trigger = <count>> {
      %0 = spl.const 10 : si32
      %1 = spl.const 1 : si64
      stream.yield %0, %1 : si32, si64
    }
    stream.param "partitionByLHS" {
    ^bb0(%x: !l, %y: !r):
      %0 = spl.field %x[1] : !l -> !spl.rstring
      stream.yield %0 : !spl.rstring
    }
    stream.param "equalityLHS" {
    ^bb0(%x: !l, %y: !r):
      %0 = spl.field %x[0] : !l -> si32
      stream.yield %0 : si32
    }
    stream.param "equalityRHS" {
    ^bb0(%x: !l, %y: !r):
      %0 = spl.field %y[0] : !r -> si32
      stream.yield %0 : si32
    }
    stream.output 0 {
    ^bb0(%x: !l, %y: !r):
      %0 = spl.field %x[0] : !l -> si32
      %1 = spl.field %y[0] : !r -> si32
      stream.yield %0, %1 : si32, si32
    }
  }
}
