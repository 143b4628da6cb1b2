// RUN: sluice-opt %s --canonicalize | FileCheck %s

// Integers wrap; shift counts are taken modulo the width.
// CHECK-LABEL: spl.func @wraps
spl.func @wraps() -> !spl.tuple<"a": si8, "b": ui8, "c": si32, "d": ui16, "e": si8> {
  %127 = spl.const 127 : si8
  %1 = spl.const 1 : si8
  %a = spl.binary add %127, %1 : si8, si8
  %255 = spl.const 255 : ui8
  %2 = spl.const 2 : ui8
  %b = spl.binary mul %255, %2 : ui8, ui8
  %33 = spl.const 33 : ui32
  %3 = spl.const 3 : si32
  %c = spl.binary shl %3, %33 : si32, ui32
  %u = spl.const 1 : ui16
  %d = spl.unary neg %u : ui16
  %m = spl.const -8 : si8
  %e = spl.binary shr %m, %1 : si8, si8
  // CHECK-DAG: %[[A:.*]] = spl.const -128 : si8
  // CHECK-DAG: %[[B:.*]] = spl.const 254 : ui8
  // CHECK-DAG: %[[C:.*]] = spl.const 6 : si32
  // CHECK-DAG: %[[D:.*]] = spl.const 65535 : ui16
  // CHECK-DAG: %[[E:.*]] = spl.const -4 : si8
  // CHECK: spl.make_tuple %[[A]], %[[B]], %[[C]], %[[D]], %[[E]]
  %t = spl.make_tuple %a, %b, %c, %d, %e : !spl.tuple<"a": si8, "b": ui8, "c": si32, "d": ui16, "e": si8>
  spl.return %t : !spl.tuple<"a": si8, "b": ui8, "c": si32, "d": ui16, "e": si8>
}

// Order is that of the type; a default value is zero.
// CHECK-LABEL: spl.func @compares
spl.func @compares() -> !spl.tuple<"a": i1, "b": i1, "c": i1> {
  %s = spl.const -1 : si32
  %z = spl.const : si32
  %a = spl.compare lt %s, %z : si32
  %max = spl.const -1 : ui64
  %one = spl.const 1 : ui64
  %b = spl.compare lt %max, %one : ui64
  %c = spl.unary not %b : i1
  // CHECK-DAG: %[[YES:.*]] = spl.const 1 : i1
  // CHECK-DAG: %[[NO:.*]] = spl.const 0 : i1
  // CHECK: spl.make_tuple %[[YES]], %[[NO]], %[[YES]]
  %t = spl.make_tuple %a, %b, %c : !spl.tuple<"a": i1, "b": i1, "c": i1>
  spl.return %t : !spl.tuple<"a": i1, "b": i1, "c": i1>
}

// A tuple put together from itself is itself; floats and strings stay.
// CHECK-LABEL: spl.func @tuples
// CHECK-SAME: %[[T:.*]]: !spl.tuple
spl.func @tuples(%t: !spl.tuple<"a": si32, "b": f64>) -> !spl.tuple<"a": si32, "b": f64> {
  %a = spl.field %t[0] : !spl.tuple<"a": si32, "b": f64> -> si32
  %b = spl.field %t[1] : !spl.tuple<"a": si32, "b": f64> -> f64
  %r = spl.make_tuple %a, %b : !spl.tuple<"a": si32, "b": f64>
  // CHECK-NEXT: spl.return %[[T]]
  spl.return %r : !spl.tuple<"a": si32, "b": f64>
}

// What equals itself does so; not a float, which may be a NaN.
// CHECK-LABEL: spl.func @itself
// CHECK-SAME: %[[S:.*]]: !spl.rstring, %[[L:.*]]: !spl.list<f64>
spl.func @itself(%s: !spl.rstring, %l: !spl.list<f64>) -> !spl.tuple<"a": i1, "b": i1, "c": i1> {
  // CHECK-DAG: %[[YES:.*]] = spl.const 1 : i1
  // CHECK-DAG: %[[NO:.*]] = spl.const 0 : i1
  // CHECK-DAG: %[[OPEN:.*]] = spl.compare eq %[[L]], %[[L]]
  %a = spl.compare eq %s, %s : !spl.rstring
  %b = spl.compare ne %s, %s : !spl.rstring
  %c = spl.compare eq %l, %l : !spl.list<f64>
  // CHECK: spl.make_tuple %[[YES]], %[[NO]], %[[OPEN]]
  %t = spl.make_tuple %a, %b, %c : !spl.tuple<"a": i1, "b": i1, "c": i1>
  spl.return %t : !spl.tuple<"a": i1, "b": i1, "c": i1>
}

// What can fail is left alone.
// CHECK-LABEL: spl.func @fails
spl.func @fails() -> si32 {
  %1 = spl.const 1 : si32
  %0 = spl.const 0 : si32
  // CHECK: spl.div
  %q = spl.div %1, %0 : si32
  spl.return %1 : si32
}
