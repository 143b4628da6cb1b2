// RUN: sluice-opt %s --stream-expand-operators | FileCheck %s

!t = !spl.tuple<"a": si32, "s": !spl.rstring>
!o = !spl.tuple<"d": !spl.blob, "n": si32>

// The blob is a function of the tuple without what is suppressed. Punctuation that is written is
// another tuple, in which what is no blob has its default value.
// CHECK-LABEL: stream.graph @Rows
stream.graph @Rows submissions = [] {
  %in = stream.operator "In" kind "spl.utility::Custom" () [] : () -> !stream.stream<!t> {
  }
  // CHECK: stream.operator "Out" kind "spl.utility::Custom"
  // CHECK: stream.on_tuple 0
  // CHECK: %[[A:.*]] = spl.field %[[T:.*]][0]
  // CHECK: %[[ROW:.*]] = spl.make_tuple %[[A]] : !spl.tuple<"a": si32>
  // CHECK: %[[BLOB:.*]] = spl.native "sl_formatRow_grrbbbrrl"(%[[ROW]]
  // CHECK-NOT: spl.output_fn
  // CHECK: %[[OUT:.*]] = spl.make_tuple %[[BLOB]]
  // CHECK: stream.submit 0, %[[OUT]]
  // CHECK: stream.on_punct 0
  // CHECK: spl.native "sl_formatMark_rbrl"
  // CHECK: stream.submit 0
  // CHECK: spl.native "sl_formatMark_rbrl"
  // CHECK: stream.submit 0
  // CHECK-NOT: stream.submit_punct
  // CHECK: stream.end
  %out = stream.operator "Out" kind "spl.utility::Format" (%in) [1] {facts = #stream.operator_facts<traits = forwards>} : (!stream.stream<!t>) -> !stream.stream<!o> {
    stream.param "suppress" {
      %0 = spl.const "s" : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
    stream.param "writePunctuations" {
      %0 = spl.const 1 : i1
      stream.yield %0 : i1
    }
    stream.output 0 {
    ^bb0(%t: !t):
      %d = spl.output_fn "Output"() : () -> !spl.blob
      %n = spl.field %t[0] : !t -> si32
      stream.yield %d, %n : !spl.blob, si32
    }
  }
}
