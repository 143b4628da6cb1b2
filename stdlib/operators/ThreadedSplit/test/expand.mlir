// RUN: sluice-opt %s --stream-expand-operators | FileCheck %s

// The C++ class chooses an output. Behind each is a Custom with a queue.

!t = !spl.tuple<"n": si32>

// CHECK-LABEL: stream.graph @Split
stream.graph @Split submissions = [] {
  %in = stream.operator "In" kind "spl.utility::Custom" () [] : () -> !stream.stream<!t> {
  }
  // CHECK: %[[S:.*]]:2 = stream.operator "A" kind "spl.utility::ThreadedSplit"
  // CHECK-SAME: native
  // CHECK: stream.operator "A" kind "spl.utility::Custom"(%[[S]]#{{[01]}}) [1] {{.*}}part = "output {{[01]}}"{{.*}}threaded_ports = [#stream.threaded_port<port = 0, congestion = wait, size = 7>]
  // CHECK: stream.on_tuple 0
  // CHECK: stream.submit
  // CHECK: stream.on_punct 0
  // CHECK: stream.operator "A" kind "spl.utility::Custom"(%[[S]]#{{[01]}})
  // CHECK-SAME: size = 7
  %a:2 = stream.operator "A" kind "spl.utility::ThreadedSplit" (%in) [1] {facts = #stream.operator_facts<traits = "native|forwards">} : (!stream.stream<!t>) -> (!stream.stream<!t>, !stream.stream<!t>) {
    stream.param "bufferSize" {
      %0 = spl.const 7 : ui32
      stream.yield %0 : ui32
    }
  }
}
