// RUN: sluice-opt %s --stream-expand-operators | FileCheck %s

// What the C++ class cannot do stands in a Custom of the same name behind it.

!t = !spl.tuple<"a": si32, "line": si64, "file": !spl.rstring, "b": !spl.rstring>
!m = !spl.enum<"WindowMarker", "FinalMarker">

// CHECK-LABEL: stream.graph @Natives
stream.graph @Natives submissions = [] {
  // `a` is read, `line` is an output function's value, the others are computed
  // from `$FileName`, which the program does not see.
  // CHECK: %[[RAW:.*]] = stream.operator "In" kind "spl.adapter::FileSource"() [] {facts = #stream.operator_facts<traits = native, reads = "file">, native}
  // CHECK-SAME: !stream.stream<<"a": si32, "line": si64, "$FileName": !spl.rstring>>
  // CHECK: stream.param "file"
  // CHECK: stream.param "$out.line"
  // CHECK-NEXT: spl.const "TupleNumber"
  // CHECK: stream.param "$out.$FileName"
  // CHECK-NEXT: spl.const "FileName"
  // CHECK-NOT: stream.output
  %in = stream.operator "In" kind "spl.adapter::FileSource" () [] {facts = #stream.operator_facts<traits = native, reads = "file">} : () -> !stream.stream<!t> {
    stream.param "file" {
      %0 = spl.const "in.csv" : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
    stream.output 0 {
      %a = spl.supplied : si32
      %n = spl.output_fn "TupleNumber"() : () -> si64
      %f = spl.output_fn "FileName"() : () -> !spl.rstring
      %x = spl.const "x" : !spl.rstring
      %g = spl.binary add %f, %x : !spl.rstring, !spl.rstring
      %y = spl.const "y" : !spl.rstring
      stream.yield %a, %n, %g, %y : si32, si64, !spl.rstring, !spl.rstring
    }
  }
  // CHECK: %[[IN:.*]] = stream.operator "In" kind "spl.utility::Custom"(%[[RAW]]) [1] {original = "spl.adapter::FileSource", part = "output"}
  // CHECK: stream.on_tuple 0
  // CHECK: %[[F:.*]] = spl.field %[[R:.*]][2]
  // CHECK: %[[G:.*]] = spl.binary add %[[F]]
  // CHECK: %[[Y:.*]] = spl.const "y"
  // CHECK: %[[A:.*]] = spl.field %[[R]][0]
  // CHECK: %[[N:.*]] = spl.field %[[R]][1]
  // CHECK: spl.make_tuple %[[A]], %[[N]], %[[G]], %[[Y]]
  // CHECK: stream.on_punct 0
}
