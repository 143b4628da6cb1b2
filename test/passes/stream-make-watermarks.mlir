// RUN: sluice-opt %s --stream-make-watermarks | FileCheck %s

!t = !spl.tuple<"at": si64, "a": si32>
!s = !stream.stream<!t>

// CHECK-LABEL: @Main
stream.graph @Main submissions = [] {
  // The item is gone; an operator behind the port has it as its state and handler.
  // CHECK: [[IN:%.*]] = stream.operator "In" kind "test::Source"()
  // CHECK-NOT: stream.event_time
  // CHECK: [[MARKED:%.*]] = stream.operator "In" kind "spl.utility::Custom"([[IN]]) [1]
  // CHECK-SAME: part = "watermarks of output 0"
  // CHECK: stream.state "$nextWatermark" : si64
  // CHECK-NEXT: spl.const -4611686018427387904
  // The tuple goes first. Behind it goes a watermark, if it is far enough from the one before.
  // CHECK: stream.on_tuple 0
  // CHECK-NEXT: ^bb0([[T:%.*]]: !spl.tuple
  // CHECK-NEXT: stream.submit 0, [[T]]
  // CHECK-NEXT: [[AT:%.*]] = spl.field [[T]][0]
  // CHECK-NEXT: [[LAG:%.*]] = spl.const 7
  // CHECK-NEXT: [[W:%.*]] = spl.binary sub [[AT]], [[LAG]]
  // CHECK: [[DUE:%.*]] = spl.compare ge [[W]]
  // CHECK-NEXT: cf.cond_br [[DUE]]
  // CHECK: stream.submit_punct 0, watermark [[W]]
  // CHECK-NEXT: [[GAP:%.*]] = spl.const 50
  // CHECK-NEXT: spl.binary add [[W]], [[GAP]]
  // Window punctuation passes.
  // CHECK: stream.on_punct 0
  // CHECK: stream.submit_punct 0, {{%.*}} : !spl.enum
  %in = stream.operator "In" kind "test::Source" () [] : () -> !s {
    stream.event_time 0 gap = 50 lag = 7 {
    ^bb0(%t: !t):
      %at = spl.field %t[0] : !t -> si64
      stream.yield %at : si64
    }
  }
  // All consumers get the stream with watermarks.
  // CHECK: "Between" kind "test::Filter"([[MARKED]])
  %between = stream.operator "Between" kind "test::Filter" (%in) [1] {watermark_ports = [array<i32: 0>]} : (!s) -> !s {
  }
  // CHECK: "Window" kind "test::Window"
  stream.operator "Window" kind "test::Window" (%between) [1] : (!s) -> () {
    stream.window 0 <kind = interval> {
      %0 = spl.const 1.0 : f64
      stream.yield %0, %0, %0, %0 : f64, f64, f64, f64
    } time {
    ^bb0(%t: !t):
      %at = spl.field %t[0] : !t -> si64
      stream.yield %at : si64
    }
  }
  // No window of event time is behind this one, so it needs no watermarks.
  // CHECK: [[OTHER:%.*]] = stream.operator "Other"
  // CHECK-NOT: "Other"
  // CHECK: "Sink" kind "test::Sink"([[OTHER]])
  %other = stream.operator "Other" kind "test::Source" () [] : () -> !s {
    stream.event_time 0 gap = 50 lag = 0 {
    ^bb0(%t: !t):
      %at = spl.field %t[0] : !t -> si64
      stream.yield %at : si64
    }
  }
  stream.operator "Sink" kind "test::Sink" (%other) [1] : (!s) -> () {
  }
}
