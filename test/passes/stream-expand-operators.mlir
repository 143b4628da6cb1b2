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
