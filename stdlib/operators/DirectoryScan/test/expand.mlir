// RUN: sluice-opt %s --stream-expand-operators | FileCheck %s

// What the C++ class cannot do stands in a Custom behind it.

!t = !spl.tuple<"path": !spl.rstring, "bytes": ui64, "kib": ui64>

// CHECK-LABEL: stream.graph @Native
stream.graph @Native submissions = [] {
  // CHECK: %[[RAW:.*]] = stream.operator "In" kind "spl.adapter::DirectoryScan"() []
  // CHECK-SAME: !stream.stream<<"path": !spl.rstring, "bytes": ui64, "$Size": ui64>>
  // CHECK: stream.param "$out.bytes"
  // CHECK-NEXT: spl.const "Size"
  // CHECK: stream.param "$out.$Size"
  // CHECK-NEXT: spl.const "Size"
  // CHECK-NOT: stream.output
  %in = stream.operator "In" kind "spl.adapter::DirectoryScan" () [] {facts = #stream.operator_facts<traits = native>} : () -> !stream.stream<!t> {
    stream.param "directory" {
      %0 = spl.const "in" : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
    stream.output 0 {
      %p = spl.supplied : !spl.rstring
      %b = spl.output_fn "Size"() : () -> ui64
      %s = spl.output_fn "Size"() : () -> ui64
      %k = spl.const 1024 : ui64
      %d = spl.binary mul %s, %k : ui64, ui64
      stream.yield %p, %b, %d : !spl.rstring, ui64, ui64
    }
  }
  // CHECK: stream.operator "In" kind "spl.utility::Custom"(%[[RAW]])
  // CHECK: %[[S:.*]] = spl.field %[[R:.*]][2]
  // CHECK: %[[D:.*]] = spl.binary mul %[[S]]
  // CHECK: spl.make_tuple %{{.*}}, %{{.*}}, %[[D]]
}
