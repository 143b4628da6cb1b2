// RUN: sluice-opt --convert-spl-to-llvm %s | FileCheck %s
// Literals, operators, comparisons.

!enum = !spl.enum<"red", "green">

// CHECK-LABEL: @literals
func.func private @literals(%ctx: !llvm.ptr, %p: !llvm.ptr) {
  // CHECK: llvm.mlir.constant(-1 : i8) : i8
  %a = spl.const 255 : ui8
  spl.put %a, %p : ui8, !llvm.ptr
  // CHECK: llvm.mlir.constant(1.500000e+00 : f32) : f32
  %f = spl.const 1.5 : f32
  spl.put %f, %p : f32, !llvm.ptr
  // CHECK: llvm.mlir.constant(1 : i32) : i32
  %e = spl.const 1 : !enum
  spl.put %e, %p : !enum, !llvm.ptr
  // A boolean is a byte in memory.
  // CHECK: %[[TRUE:.*]] = llvm.mlir.constant(true) : i1
  // CHECK: %[[BYTE:.*]] = llvm.zext %[[TRUE]] : i1 to i8
  // CHECK: llvm.store %[[BYTE]], %{{.*}} {{.*}}: i8
  %b = spl.const 1 : i1
  spl.put %b, %p : i1, !llvm.ptr
  // Short strings are two numbers: the length and "abcd", then "ef".
  // CHECK-DAG: llvm.mlir.constant(7233733595238498310 : i64) : i64
  // CHECK-DAG: llvm.mlir.constant(26213 : i64) : i64
  %s = spl.const "abcdef" : !spl.rstring
  spl.put %s, %p : !spl.rstring, !llvm.ptr
  // Long ones point at a constant.
  // CHECK: %[[TEXT:.*]] = llvm.mlir.addressof @sl.str.{{[0-9a-f]+}}
  // CHECK: llvm.ptrtoint %[[TEXT]]
  %l = spl.const "a text of more than twelve bytes" : !spl.rstring
  spl.put %l, %p : !spl.rstring, !llvm.ptr
  // A decimal is the bits of its coefficient and exponent, a complex number its two parts.
  // CHECK: llvm.mlir.constant(3566850904877432982 : i64) : i64
  %d = spl.const "1.50" : !spl.decimal<64>
  spl.put %d, %p : !spl.decimal<64>, !llvm.ptr
  // CHECK: llvm.mlir.constant(2.500000e+00 : f64) : f64
  %c = spl.const 2.5 : complex<f64>
  spl.put %c, %p : complex<f64>, !llvm.ptr
  // CHECK: llvm.mlir.zero : !llvm.struct<(i32, i32, ptr)>
  %z = spl.const : !spl.list<si32>
  spl.put %z, %p : !spl.list<si32>, !llvm.ptr
  func.return
}

// CHECK-LABEL: @arithmetic
// CHECK-SAME: %[[X:[a-z0-9]+]]: i16, %[[Y:[a-z0-9]+]]: i16, %[[F:[a-z0-9]+]]: f64, %[[B:[a-z0-9]+]]: i1
func.func private @arithmetic(%ctx: !llvm.ptr, %x: si16, %y: si16, %f: f64, %b: i1, %p: !llvm.ptr) {
  // CHECK: llvm.sub %{{.*}}, %[[X]] : i16
  %0 = spl.unary neg %x : si16
  // CHECK: llvm.fneg %[[F]]
  %1 = spl.unary neg %f : f64
  // CHECK: llvm.xor %[[B]], %{{.*}} : i1
  %2 = spl.unary not %b : i1
  // CHECK: llvm.xor %{{.*}}, %{{.*}} : i16
  %3 = spl.unary bitnot %0 : si16
  // CHECK: llvm.mul %{{.*}}, %[[Y]] : i16
  %4 = spl.binary mul %3, %y : si16, si16
  // CHECK: llvm.fsub %{{.*}}, %[[F]]
  %5 = spl.binary sub %1, %f : f64, f64
  // CHECK: llvm.and %{{.*}}, %[[B]] : i1
  %6 = spl.binary bit_and %2, %b : i1, i1
  spl.put %4, %p : si16, !llvm.ptr
  spl.put %5, %p : f64, !llvm.ptr
  spl.put %6, %p : i1, !llvm.ptr
  func.return
}

// Counts are taken modulo the width; the sign decides what comes in.
// CHECK-LABEL: @shifts
// CHECK-SAME: %[[X:[a-z0-9]+]]: i8, %[[U:[a-z0-9]+]]: i64, %[[N:[a-z0-9]+]]: i32
func.func private @shifts(%ctx: !llvm.ptr, %x: si8, %u: ui64, %n: si32, %p: !llvm.ptr) {
  // CHECK: %[[NARROW:.*]] = llvm.trunc %[[N]] : i32 to i8
  // CHECK: %[[SEVEN:.*]] = llvm.mlir.constant(7 : i8)
  // CHECK: %[[COUNT:.*]] = llvm.and %[[NARROW]], %[[SEVEN]]
  // CHECK: llvm.ashr %[[X]], %[[COUNT]]
  %0 = spl.binary shr %x, %n : si8, si32
  // CHECK: llvm.zext %[[N]] : i32 to i64
  // CHECK: llvm.lshr %[[U]]
  %1 = spl.binary shr %u, %n : ui64, si32
  spl.put %0, %p : si8, !llvm.ptr
  spl.put %1, %p : ui64, !llvm.ptr
  func.return
}

// CHECK-LABEL: @division
// CHECK-SAME: %[[X:[a-z0-9]+]]: i32, %[[U:[a-z0-9]+]]: i32, %[[F:[a-z0-9]+]]: f64
func.func private @division(%ctx: !llvm.ptr, %x: si32, %u: ui32, %f: f64) -> i32 {
  // Neither floats nor a harmless constant can fail.
  // CHECK-NOT: cond_br
  // CHECK: llvm.fdiv %[[F]], %[[F]]
  %0 = spl.div %f, %f : f64
  %seven = spl.const 7 : si32
  // CHECK: llvm.sdiv %[[X]]
  %1 = spl.div %x, %seven : si32
  // Unsigned: only zero is checked.
  // CHECK: %[[ZERO:.*]] = llvm.icmp "eq" %[[U]], %{{.*}} : i32
  // CHECK-NEXT: llvm.cond_br %[[ZERO]]
  // CHECK: llvm.urem %[[U]], %[[U]]
  %2 = spl.rem %u, %u : ui32
  // CHECK: llvm.mlir.constant(-2147483648 : i32)
  // CHECK: llvm.cond_br
  // CHECK: llvm.srem
  %3 = spl.rem %x, %1 : si32
  %ok = arith.constant 0 : i32
  func.return %ok : i32
}

// CHECK-LABEL: @comparison
func.func private @comparison(%ctx: !llvm.ptr, %x: si32, %u: ui32, %f: f64, %e: !enum, %s: !spl.rstring, %p: !llvm.ptr) {
  // CHECK: llvm.icmp "slt"
  %0 = spl.compare lt %x, %x : si32
  // CHECK: llvm.icmp "uge"
  %1 = spl.compare ge %u, %u : ui32
  // CHECK: llvm.icmp "ugt"
  %2 = spl.compare gt %e, %e : !enum
  // CHECK: llvm.fcmp "oeq"
  %3 = spl.compare eq %f, %f : f64
  // CHECK: llvm.fcmp "une"
  %4 = spl.compare ne %f, %f : f64
  // CHECK: %[[EQUAL:.*]] = llvm.call @sl_equal({{.*}}) {no_unwind} : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i8
  // CHECK: %[[SAME:.*]] = llvm.icmp "ne" %[[EQUAL]]
  // CHECK: llvm.xor %[[SAME]]
  %5 = spl.compare ne %s, %s : !spl.rstring
  // CHECK: %[[ORDER:.*]] = llvm.call @sl_compare
  // CHECK: llvm.icmp "sle" %[[ORDER]]
  %6 = spl.compare le %s, %s : !spl.rstring
  func.return
}

// A short literal is two words: 3 and "red"; 6 and "yell", "ow".
// CHECK-LABEL: @literal_equality
// CHECK-SAME: %[[S:[a-z0-9]+]]: !llvm.struct
func.func private @literal_equality(%ctx: !llvm.ptr, %s: !spl.rstring, %p: !llvm.ptr) {
  // CHECK-NOT: llvm.call
  // CHECK: %[[HEAD:.*]] = llvm.extractvalue %[[S]][0]
  // CHECK: %[[MASK:.*]] = llvm.mlir.constant(72057594037927935 : i64)
  // CHECK: %[[BYTES:.*]] = llvm.and %[[HEAD]], %[[MASK]]
  // CHECK: %[[RED:.*]] = llvm.mlir.constant(28259037971742723 : i64)
  // CHECK: llvm.icmp "eq" %[[BYTES]], %[[RED]]
  %red = spl.const "red" : !spl.rstring
  %0 = spl.compare eq %s, %red : !spl.rstring
  // CHECK: %[[TAIL:.*]] = llvm.extractvalue %[[S]][1]
  // CHECK: llvm.mlir.constant(65535 : i64)
  // CHECK: %[[BOTH:.*]] = llvm.and %{{.*}}, %{{.*}} : i1
  // CHECK: llvm.xor %[[BOTH]]
  %yellow = spl.const "yellow" : !spl.rstring
  %1 = spl.compare ne %yellow, %s : !spl.rstring
  spl.put %0, %p : i1, !llvm.ptr
  spl.put %1, %p : i1, !llvm.ptr
  func.return
}

// The machine id does not count, and is the left one's in a sum.
// CHECK-LABEL: @timestamps
func.func private @timestamps(%ctx: !llvm.ptr, %a: !spl.timestamp, %b: !spl.timestamp, %p: !llvm.ptr) {
  // CHECK: llvm.mlir.constant(1000000000 : i64)
  // CHECK: llvm.icmp "sge"
  %0 = spl.binary add %a, %b : !spl.timestamp, !spl.timestamp
  // CHECK: llvm.icmp "slt"
  %1 = spl.binary sub %0, %b : !spl.timestamp, !spl.timestamp
  // CHECK: llvm.icmp "eq" %{{.*}} : i64
  // CHECK: llvm.icmp "ult" %{{.*}} : i32
  // CHECK: llvm.icmp "slt" %{{.*}} : i64
  // CHECK: llvm.select
  %2 = spl.compare lt %0, %1 : !spl.timestamp
  spl.put %2, %p : i1, !llvm.ptr
  func.return
}

// The runtime computes with decimals and complex numbers.
// CHECK-LABEL: @numbers
func.func private @numbers(%ctx: !llvm.ptr, %a: !spl.decimal<128>, %b: !spl.decimal<128>, %c: complex<f32>, %p: !llvm.ptr) {
  // CHECK: llvm.call @sl_arithmetic
  %sum = spl.binary add %a, %b : !spl.decimal<128>, !spl.decimal<128>
  // CHECK: llvm.call @sl_arithmetic
  %q = spl.div %sum, %b : !spl.decimal<128>
  spl.put %q, %p : !spl.decimal<128>, !llvm.ptr
  // CHECK: llvm.call @sl_decimal_less
  %less = spl.compare ge %a, %b : !spl.decimal<128>
  spl.put %less, %p : i1, !llvm.ptr
  // CHECK: llvm.call @sl_arithmetic
  %n = spl.unary neg %c : complex<f32>
  // CHECK: llvm.call @sl_cast
  %w = spl.cast %n : complex<f32> to complex<f64>
  spl.put %w, %p : complex<f64>, !llvm.ptr
  func.return
}
