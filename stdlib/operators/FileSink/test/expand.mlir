// RUN: sluice-opt %s --stream-expand-operators | FileCheck %s

!t = !spl.tuple<"a": si32, "s": !spl.rstring>
!s = !stream.stream<!t>

// CHECK-LABEL: stream.graph @Names
stream.graph @Names submissions = [] {
  %in = stream.operator "In" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // A name that depends on the tuple comes with it, from a Custom before the sink.
  // CHECK: %[[WITH:.*]] = stream.operator "Sink" kind "spl.utility::Custom"
  // CHECK-SAME: part = "logic"
  // CHECK-SAME: !stream.stream<<"a": si32, "s": !spl.rstring, "$file": !spl.rstring>>
  // CHECK: stream.on_tuple 0
  // CHECK: %[[NAME:.*]] = spl.binary add
  // CHECK: spl.make_tuple {{.*}}%[[NAME]] :
  // CHECK: stream.submit
  // CHECK: stream.on_punct 0
  // CHECK: stream.operator "Sink" kind "spl.adapter::FileSink"(%[[WITH]])
  // CHECK-NOT: stream.param "file"
  // CHECK: stream.param "format"
  stream.operator "Sink" kind "spl.adapter::FileSink" (%in) [1] {facts = #stream.operator_facts<traits = native, writes = "file">} : (!s) -> () {
    stream.param "file" {
    ^bb0(%t: !t):
      %s = spl.field %t[1] : !t -> !spl.rstring
      %x = spl.const ".txt" : !spl.rstring
      %n = spl.binary add %s, %x : !spl.rstring, !spl.rstring
      stream.yield %n : !spl.rstring
    }
    stream.param "format" {
      %0 = spl.const "csv" : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
  // A name that does not is evaluated at the start.
  // CHECK: stream.operator "Plain" kind "spl.adapter::FileSink"(%{{.*}}) [1]
  // CHECK: stream.param "file"
  stream.operator "Plain" kind "spl.adapter::FileSink" (%in) [1] {facts = #stream.operator_facts<traits = native, writes = "file">} : (!s) -> () {
    stream.param "file" {
    ^bb0(%t: !t):
      %0 = spl.const "x" : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
  // With closeMode time it is told that time goes on.
  // CHECK: %[[TICK:.*]] = stream.operator "Timed" kind "sluice.lang::Ticker"
  // CHECK-SAME: part = "ticker of files"
  // CHECK: stream.operator "Timed" kind "spl.adapter::FileSink"(%{{.*}}, %[[TICK]]) [1, 1]
  stream.operator "Timed" kind "spl.adapter::FileSink" (%in) [1] {facts = #stream.operator_facts<traits = native, writes = "file">} : (!s) -> () {
    stream.param "closeMode" {
      %0 = spl.const "time" : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
    stream.param "timePerFile" {
      %0 = spl.const 2.0 : f64
      stream.yield %0 : f64
    }
  }
}
