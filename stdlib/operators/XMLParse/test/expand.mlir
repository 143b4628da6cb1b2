// RUN: sluice-opt %s --stream-expand-operators | FileCheck %s

// The rules are a parameter; attributes of the input are copied, and what is computed stands in a
// Custom behind the port.

!in = !spl.tuple<"doc": !spl.rstring, "n": si32>
!list = !spl.list<!spl.tuple<"k": si32>>
!out = !spl.tuple<"n": si32, "twice": si32, "es": !list, "_text": !spl.rstring>

// CHECK-LABEL: stream.graph @Native
stream.graph @Native submissions = [] {
  %in = stream.operator "In" kind "spl.utility::Custom" () [] : () -> !stream.stream<!in> {
  }
  // CHECK: %[[RAW:.*]]:2 = stream.operator "Out" kind "spl.XML::XMLParse"
  // CHECK-SAME: !stream.stream<<"n": si32, "es": {{.*}}, "_text": !spl.rstring, "$in.n": si32>>
  // CHECK-SAME: !stream.stream<<>>
  // CHECK-NOT: stream.output
  // CHECK: stream.param "$rules"
  // CHECK: spl.const "item" : !spl.rstring
  // CHECK: spl.const "k" : !spl.rstring
  %out:2 = stream.operator "Out" kind "spl.XML::XMLParse" (%in) [1] {facts = #stream.operator_facts<traits = native>} : (!stream.stream<!in>) -> (!stream.stream<!out>, !stream.stream<!spl.tuple<"c": si32>>) {
    stream.param "trigger" {
      %0 = spl.const "/shop" : !spl.rstring
      stream.yield %0, %0 : !spl.rstring, !spl.rstring
    }
    stream.output 0 {
    ^bb0(%t: !in):
      %n = spl.field %t[1] : !in -> si32
      %m = spl.field %t[1] : !in -> si32
      %twice = spl.binary add %m, %m : si32, si32
      %k = spl.const "@k" : !spl.rstring
      %item = spl.const "item" : !spl.rstring
      %v = spl.output_fn "XPath"(%k) : (!spl.rstring) -> !spl.rstring
      %i = spl.cast %v : !spl.rstring to si32
      %e = spl.make_tuple %i : !spl.tuple<"k": si32>
      %es = spl.output_fn "XPathList"(%item, %e) : (!spl.rstring, !spl.tuple<"k": si32>) -> !list
      %s = spl.supplied : !spl.rstring
      stream.yield %n, %twice, %es, %s : si32, si32, !list, !spl.rstring
    }
    stream.output 1 {
    ^bb0(%t: !in):
      %c = spl.const 7 : si32
      stream.yield %c : si32
    }
  }
  // CHECK: stream.operator "Out" kind "spl.utility::Custom"(%[[RAW]]#1)
  // CHECK: spl.const 7 : si32
  // CHECK: stream.operator "Out" kind "spl.utility::Custom"(%[[RAW]]#0)
  // CHECK-NOT: spl.cast
  // CHECK-NOT: spl.output_fn
  // CHECK: %[[N:.*]] = spl.field %{{.*}}[3]
  // CHECK: %[[IN:.*]] = spl.make_tuple %{{.*}}, %[[N]]
  // CHECK: %[[SAME:.*]] = spl.field %[[IN]][1]
  // CHECK: spl.binary add %[[SAME]], %[[SAME]]
}
