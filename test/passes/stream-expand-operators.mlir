// RUN: sluice-opt %s --stream-expand-operators | FileCheck %s

// Native operators keep their parameters; their logic stands in Customs of the same
// name before them.

!t = !spl.tuple<"a": si32, "line": si64, "file": !spl.rstring, "b": !spl.rstring>
!m = !spl.enum<"WindowMarker", "FinalMarker">

// CHECK-LABEL: stream.graph @Natives
stream.graph @Natives submissions = [] {
  // CHECK: %[[IN:.*]] = stream.operator "In"
  %in = stream.operator "In" kind "spl.utility::Custom" () [] : () -> !stream.stream<!t> {
  }
  // CHECK: %[[T:.*]] = stream.operator "Slow" kind "spl.utility::Throttle"(%[[IN]]) [1] {facts = {{.*}}, native}
  %slow = stream.operator "Slow" kind "spl.utility::Throttle" (%in) [1] {facts = #stream.operator_facts<traits = native>} : (!stream.stream<!t>) -> !stream.stream<!t> {
    stream.param "rate" {
      %0 = spl.const 10.0 : f64
      stream.yield %0 : f64
    }
  }
  // CHECK: %[[L:.*]] = stream.operator "Out" kind "spl.utility::Custom"(%[[T]], %[[IN]]) [2] {isCatch, original = "spl.adapter::FileSink", part = "logic", streams = ["Slow"]}
  // CHECK: stream.state "n"
  // CHECK: stream.on_tuple 0
  // CHECK: spl.store
  // CHECK: stream.submit 0
  // CHECK: stream.on_punct 0
  // CHECK: stream.submit_punct 0
  // CHECK: stream.operator "Out" kind "spl.adapter::FileSink"(%[[L]]) [1] {facts = #stream.operator_facts<traits = native, writes = "file">, isCatch, native}
  // CHECK-NOT: stream.state
  // CHECK: stream.param "file" {
  // CHECK-NEXT: spl.const "out.csv"
  stream.operator "Out" kind "spl.adapter::FileSink" (%slow, %in) [2] {facts = #stream.operator_facts<traits = native, writes = "file">, isCatch} : (!stream.stream<!t>, !stream.stream<!t>) -> () {
    stream.state "n" : si32 {
    }
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %n = spl.state "n"[0] : !spl.ref<si32>
      %a = spl.field %t[0] : !t -> si32
      spl.store %a, %n : si32, !spl.ref<si32>
      stream.end
    }
    stream.param "file" {
      %0 = spl.const "out.csv" : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
}

// Logic stands before the port that has it. A control port becomes an operator of its own, which
// takes with it what is said of its streams.

// CHECK-LABEL: stream.graph @Ports
stream.graph @Ports submissions = [] attributes {parallel_regions = [#stream.region<path = "R", width = 2, loc = loc(unknown)>]} {
  %a = stream.operator "A" kind "spl.utility::Custom" () [] : () -> !stream.stream<!t> {
  }
  // CHECK: %[[LOGIC:.*]] = stream.operator "Join" kind "spl.utility::Custom"(%{{.*}}) [2] {{.*}}part = "logic", {{.*}}threaded_ports = [#stream.threaded_port<port = 0,
  // CHECK: stream.on_tuple 0
  // CHECK: stream.operator "Join" kind "my::Join"(%{{[0-9a-z]+}}, %[[LOGIC]]) [1, 1]
  // CHECK-NOT: threaded_ports
  stream.operator "Join" kind "my::Join" (%a, %a, %a) [1, 2] {facts = #stream.operator_facts<traits = native>, threaded_ports = [#stream.threaded_port<port = 1, congestion = wait, size = 5>]} : (!stream.stream<!t>, !stream.stream<!t>, !stream.stream<!t>) -> () {
    stream.on_tuple 1 {
    ^bb0(%t: !t):
      stream.end
    }
  }
  // CHECK: stream.operator "Sink" kind "com.ibm.streamsx.mqtt::MQTTSink.control"(%{{[0-9a-z]+}}) [1]
  // CHECK-SAME: parallel_region = 0 : i32, part = "control", splits = {{\[\[}}#stream.split<region = 0, by = all>]]
  // CHECK: stream.operator "Sink" kind "com.ibm.streamsx.mqtt::MQTTSink"(%{{[0-9a-z]+}}) [1]
  // CHECK-SAME: splits = {{\[\[}}#stream.split<region = 0, by = row>]]
  // CHECK: stream.param "$control"
  stream.operator "Sink" kind "com.ibm.streamsx.mqtt::MQTTSink" (%a, %a) [1, 1] {facts = #stream.operator_facts<traits = native>, parallel_region = 0 : i32, splits = [[#stream.split<region = 0, by = row>], [#stream.split<region = 0, by = all>]]} : (!stream.stream<!t>, !stream.stream<!t>) -> () {
  }
}
