// RUN: sluice-opt %s --stream-find-loops --stream-analyze-order --stream-place-boundaries=boundaries=none --stream-form-segments --stream-lower-segments | FileCheck %s

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// A handler is a function; what it submits calls the consumer's; the graph itself
// is gone, its tables are an attribute.
// CHECK: module attributes {stream.table = #stream.table<main = "Main"
// CHECK-NOT: stream.{{graph|operator}}
// A port with one consumer that is called needs no functions of its own in between.
// CHECK-NOT: @op0.strip0
// CHECK-NOT: @op0.outpunct0
// CHECK: func.func private @op0.out0(%{{.*}}: !llvm.ptr, %{{.*}}: !spl.tuple<"a": si32>) -> i32
// CHECK: call @op1.tuple0
// CHECK: func.func private @op0.process0(%{{.*}}: !llvm.ptr) -> i32
// CHECK: call @sl_out_close
// CHECK: call @op1.arrive0
// CHECK: func.func private @op1.tuple0.body
// CHECK: func.func private @op1.arrive0
stream.graph @Main submissions = [] {
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
    stream.on_process {
      %0 = spl.const 7 : si32
      %1 = spl.make_tuple %0 : !t
      stream.submit 0, %1 : !t
      stream.end
    }
  }
  stream.operator "Sink" kind "spl.utility::Custom" (%src) [1] : (!s) -> () {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %a = spl.field %t[0] : !t -> si32
      spl.native "sl_println_i"(%a) [] generic = [] {source = "println(a)"} : (si32) -> ()
      stream.end
    }
  }
}
