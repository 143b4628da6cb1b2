// RUN: sluice-opt %s --stream-expand-operators | FileCheck %s

!t = !spl.tuple<"k": !spl.rstring, "x": si32>

// CHECK-LABEL: stream.graph @DeDuplicate
stream.graph @DeDuplicate submissions = [] {
  %in = stream.operator "In" kind "spl.utility::Custom" () [] : () -> !stream.stream<!t> {
  }
  %a:2 = stream.operator "A" kind "spl.utility::DeDuplicate" (%in) [1] {facts = #stream.operator_facts<traits = forwards>} : (!stream.stream<!t>) -> (!stream.stream<!t>, !stream.stream<!t>) {
    stream.param "key" {
    ^bb0(%t: !t):
      %k = spl.field %t[0] : !t -> !spl.rstring
      stream.yield %k : !spl.rstring
    }
    stream.param "count" {
      %c = spl.const 5 : ui64
      stream.yield %c : ui64
    }
    stream.param "resetOnDuplicate" {
      %c = spl.const 0 : i1
      stream.yield %c : i1
    }
    // CHECK: stream.state "$position" : ui64
    // CHECK: stream.state "$seen" : !spl.map<!spl.rstring, ui64>
    // CHECK: stream.state "$hand" : ui32
    // CHECK: stream.on_tuple 0
    // CHECK: %[[K:.*]] = spl.field
    // CHECK: spl.map_slot %{{.*}}[%[[K]]]
    // CHECK: spl.store
    // CHECK: spl.map_value
    // CHECK: spl.map_erase
    // CHECK: spl.store
    // A duplicate renews nothing.
    // CHECK-NOT: spl.store
    // CHECK: stream.submit 1
    // CHECK: stream.submit 0
  }
  // All attributes are the key; the default time.
  // CHECK: stream.operator "B"
  %b = stream.operator "B" kind "spl.utility::DeDuplicate" (%in) [1] {facts = #stream.operator_facts<traits = forwards>} : (!stream.stream<!t>) -> !stream.stream<!t> {
    stream.param "flushOnPunctuation" {
      %c = spl.const 1 : i1
      stream.yield %c : i1
    }
    // CHECK: stream.state "$seen" : !spl.map<!spl.tuple<"k": !spl.rstring, "x": si32>, si64>
    // CHECK: stream.now
    // CHECK: spl.const 6.{{0*}}e+02
    // CHECK: stream.on_punct 0
    // CHECK: spl.store
    // CHECK: stream.submit_punct 0
  }
  // A distance that is not a constant is computed once.
  // CHECK: stream.operator "C"
  %c = stream.operator "C" kind "spl.utility::DeDuplicate" (%in) [1] {facts = #stream.operator_facts<traits = forwards>} : (!stream.stream<!t>) -> !stream.stream<!t> {
    stream.param "deltaAttribute" {
      %c = spl.const "x" : !spl.rstring
      stream.yield %c : !spl.rstring
    }
    stream.param "delta" {
      %c = spl.const 5 : si32
      %d = spl.binary add %c, %c : si32, si32
      stream.yield %d : si32
    }
    // CHECK: stream.state "$delta" : si32
    // CHECK: spl.binary add
    // CHECK: stream.state "$seen" : !spl.map<!spl.tuple<"k": !spl.rstring, "x": si32>, si32>
    // CHECK: stream.on_tuple 0
    // CHECK: spl.state "$delta"[0]
  }
}
