// RUN: sluice-opt %s --split-input-file --stream-route-watermarks | FileCheck %s

!t = !spl.tuple<"a": si64>
!s = !stream.stream<!t>

// An operator between the two forwards watermarks, on the port that leads to the window only. What
// is before the maker, or leads elsewhere, stays as it is.
// CHECK-LABEL: @Path
stream.graph @Path submissions = [] {
  // CHECK: "Source"
  // CHECK-NOT: on_watermark
  // CHECK: "Make"
  %source = stream.operator "Source" kind "spl.utility::Custom" () [] : () -> !s {
  }
  %make = stream.operator "Make" kind "spl.utility::Custom" (%source) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %a = spl.field %t[0] : !t -> si64
      stream.submit_punct 0, watermark %a
      stream.end
    }
  }
  // CHECK: "Split"
  // CHECK: stream.on_watermark 0
  // CHECK-NEXT: ^bb0([[W:%.*]]: si64)
  // CHECK-NEXT: stream.submit_punct 1, watermark [[W]]
  // CHECK-NEXT: stream.end
  %split:2 = stream.operator "Split" kind "spl.utility::Custom" (%make) [1]
      {watermark_ports = [array<i32: 0>, array<i32: 0>]} : (!s) -> (!s, !s) {
  }
  // CHECK: "Elsewhere"
  // CHECK-NOT: on_watermark
  // CHECK: "Window"
  %else = stream.operator "Elsewhere" kind "spl.utility::Custom" (%split#0) [1]
      {watermark_ports = [array<i32: 0>]} : (!s) -> !s {
  }
  stream.operator "Window" kind "spl.utility::Custom" (%split#1) [1] : (!s) -> () {
    stream.on_watermark 0 {
    ^bb0(%w: si64):
      stream.end
    }
  }
}

// -----

!t = !spl.tuple<"a": si64>
!s = !stream.stream<!t>

// Streams with watermarks meet at a port: they come through an operator, which keeps the time of
// each and forwards the least. Its handlers of Final let a stream that has ended not count.
// CHECK-LABEL: @Meet
stream.graph @Meet submissions = [] {
  %left = stream.operator "Left" kind "spl.utility::Custom" () [] : () -> !s {
    stream.on_process {
      %a = spl.const 1 : si64
      stream.submit_punct 0, watermark %a
      stream.end
    }
  }
  %right = stream.operator "Right" kind "spl.utility::Custom" () [] : () -> !s {
    stream.on_process {
      %a = spl.const 2 : si64
      stream.submit_punct 0, watermark %a
      stream.end
    }
  }
  // CHECK: [[M:%.*]] = stream.operator "Window" kind "spl.utility::Custom"
  // CHECK-SAME: [1, 1]
  // CHECK-SAME: part = "watermarks of input 0"
  // CHECK: stream.state "$lastWatermark" : si64
  // CHECK: stream.state "$watermark0" : si64
  // CHECK: stream.state "$watermark1" : si64
  // CHECK: stream.on_watermark 0
  // CHECK: [[SLOT:%.*]] = spl.state "$watermark0"
  // CHECK-NEXT: spl.store {{%.*}}, [[SLOT]]
  // CHECK: stream.submit_punct 0, watermark
  // CHECK: stream.on_punct 0
  // CHECK: spl.const 9223372036854775807
  // CHECK: stream.on_watermark 1
  // CHECK: "Window" kind "spl.utility::Custom"([[M]]) [1]
  stream.operator "Window" kind "spl.utility::Custom" (%left, %right) [2] : (!s, !s) -> () {
    stream.on_watermark 0 {
    ^bb0(%w: si64):
      stream.end
    }
  }
}

// -----

!t = !spl.tuple<"a": si64>
!s = !stream.stream<!t>

// What comes back through a loop does not count: it is as far as what has gone in.
// CHECK-LABEL: @Loop
stream.graph @Loop submissions = [] {
  %in = stream.operator "In" kind "spl.utility::Custom" () [] : () -> !s {
    stream.on_process {
      %a = spl.const 1 : si64
      stream.submit_punct 0, watermark %a
      stream.end
    }
  }
  // CHECK: "Head"
  // CHECK-NOT: stream.state
  // CHECK: stream.on_watermark 0
  // CHECK-NOT: stream.on_watermark 1
  // CHECK: "Window"
  %head = stream.operator "Head" kind "spl.utility::Custom" (%in, %head) [1, 1]
      {watermark_ports = [array<i32: 0, 1>]} : (!s, !s) -> !s {
  }
  stream.operator "Window" kind "spl.utility::Custom" (%head) [1] : (!s) -> () {
    stream.on_watermark 0 {
    ^bb0(%w: si64):
      stream.end
    }
  }
}

// -----

!t = !spl.tuple<"a": si64>
!s = !stream.stream<!t>

// Watermarks go from a port where `watermark_ports` says so. The two outputs get those of different
// ports: one of a single port, one the least of both.
// CHECK-LABEL: @Ports
stream.graph @Ports submissions = [] {
  %in:2 = stream.operator "In" kind "spl.utility::Custom" () [] : () -> (!s, !s) {
    stream.on_process {
      %a = spl.const 1 : si64
      stream.submit_punct 0, watermark %a
      stream.submit_punct 1, watermark %a
      stream.end
    }
  }
  // CHECK: "Both"
  // CHECK: stream.state "$lastWatermark"
  // CHECK: stream.on_watermark 0
  // CHECK-NEXT: ^bb0([[W:%.*]]: si64)
  // CHECK-NOT: spl.store
  // CHECK: stream.submit_punct 0, watermark [[W]]
  // CHECK: stream.submit_punct 1, watermark
  // CHECK: stream.on_watermark 1
  // CHECK-NOT: stream.submit_punct 0, watermark
  // CHECK: stream.submit_punct 1, watermark
  // CHECK: "Window"
  %both:3 = stream.operator "Both" kind "spl.utility::Custom" (%in#0, %in#1) [1, 1]
      {watermark_ports = [array<i32: 0>, array<i32: 0, 1>, array<i32>]} : (!s, !s) -> (!s, !s, !s) {
  }
  stream.operator "Window" kind "spl.utility::Custom" (%both#0, %both#1, %both#2) [1, 1, 1] : (!s, !s, !s) -> () {
    stream.on_watermark 0 {
    ^bb0(%w: si64):
      stream.end
    }
    stream.on_watermark 1 {
    ^bb0(%w: si64):
      stream.end
    }
    stream.on_watermark 2 {
    ^bb0(%w: si64):
      stream.end
    }
  }
}
