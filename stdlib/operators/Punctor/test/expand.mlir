// RUN: sluice-opt %s --stream-expand-operators | FileCheck %s

!t = !spl.tuple<"a": i1>

// CHECK-LABEL: stream.graph @Punctor
stream.graph @Punctor submissions = [] {
  %in = stream.operator "In" kind "spl.utility::Custom" () [] : () -> !stream.stream<!t> {
  }
  %a = stream.operator "A" kind "spl.relational::Punctor" (%in) [1] : (!stream.stream<!t>) -> !stream.stream<!t> {
    stream.param "punctuate" {
    ^bb0(%t: !t):
      %c = spl.field %t[0] : !t -> i1
      stream.yield %c : i1
    }
    stream.param "position" {
      %p = spl.const "before" : !spl.rstring
      stream.yield %p : !spl.rstring
    }
    // CHECK: stream.on_tuple 0
    // CHECK: %[[C:.*]] = spl.field
    // CHECK: cf.cond_br %[[C]]
    // CHECK: stream.submit_punct 0
    // CHECK: stream.submit 0
    // CHECK: stream.end
    // Markers that arrive are not forwarded.
    // CHECK-NOT: stream.on_punct
  }
  // CHECK: stream.operator "B"
  %b = stream.operator "B" kind "spl.relational::Punctor" (%in) [1] : (!stream.stream<!t>) -> !stream.stream<!t> {
    stream.param "punctuate" {
    ^bb0(%t: !t):
      %c = spl.field %t[0] : !t -> i1
      stream.yield %c : i1
    }
    stream.param "position" {
      %p = spl.const "after" : !spl.rstring
      stream.yield %p : !spl.rstring
    }
    // CHECK: stream.submit 0
    // CHECK: cf.cond_br
    // CHECK: stream.submit_punct 0
  }
}
