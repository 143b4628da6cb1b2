// RUN: sluice-opt --convert-spl-to-llvm %s | FileCheck %s

!enum = !spl.enum<"red", "green">
!wide = !spl.tuple<"a": si32, "b": !spl.rstring, "c": !spl.tuple<"x": si32, "y": si32>>
!narrow = !spl.tuple<"b": !spl.rstring, "a": si32>

// CHECK-LABEL: @numbers
// CHECK-SAME: %[[X:[a-z0-9]+]]: i8, %[[U:[a-z0-9]+]]: i8, %[[F:[a-z0-9]+]]: f64
func.func private @numbers(%ctx: !llvm.ptr, %x: si8, %u: ui8, %f: f64) {
  // CHECK: llvm.sext %[[X]] : i8 to i64
  %0 = spl.cast %x : si8 to ui64
  // CHECK: llvm.zext %[[U]] : i8 to i64
  %1 = spl.cast %u : ui8 to si64
  // CHECK: llvm.sitofp %[[X]] : i8 to f32
  %2 = spl.cast %x : si8 to f32
  // CHECK: llvm.uitofp %[[U]] : i8 to f64
  %3 = spl.cast %u : ui8 to f64
  // Out of range saturates, NaN gives 0.
  // CHECK: llvm.call_intrinsic "llvm.fptosi.sat.i32.f64"(%[[F]]) : (f64) -> i32
  %4 = spl.cast %f : f64 to si32
  // CHECK: llvm.call_intrinsic "llvm.fptoui.sat.i16.f64"(%[[F]]) : (f64) -> i16
  %5 = spl.cast %f : f64 to ui16
  // CHECK: llvm.fptrunc %[[F]] : f64 to f32
  %6 = spl.cast %f : f64 to f32
  func.return
}

// CHECK-LABEL: @enumerations
// CHECK-SAME: %[[X:[a-z0-9]+]]: i16, %[[E:[a-z0-9]+]]: i32
func.func private @enumerations(%ctx: !llvm.ptr, %x: si16, %e: !enum) -> i32 {
  // CHECK: %[[AT:.*]] = llvm.sext %[[X]] : i16 to i64
  // CHECK: %[[COUNT:.*]] = llvm.mlir.constant(2 : i64)
  // CHECK: llvm.icmp "uge" %[[AT]], %[[COUNT]]
  // CHECK: llvm.call @sl_error(%{{.*}}, %{{.*}}, %[[AT]]) vararg
  %0 = spl.cast %x {source = "(Colour) x"} : si16 to !enum
  // CHECK: llvm.zext %[[E]] : i32 to i64
  %1 = spl.cast %e : !enum to si64
  %ok = arith.constant 0 : i32
  func.return %ok : i32
}

// CHECK-LABEL: @strings
func.func private @strings(%ctx: !llvm.ptr, %s: !spl.rstring, %l: !spl.list<si32>) -> i32 {
  // CHECK: %[[LIST:.*]] = llvm.mlir.addressof @"sl.type.list<si32>"
  // CHECK: llvm.call @sl_to_string(%{{.*}}, %[[LIST]],
  %0 = spl.cast %l : !spl.list<si32> to !spl.rstring
  // CHECK: %[[MAP:.*]] = llvm.mlir.addressof @"sl.type.map<rstring, si32>"
  // CHECK: %[[STATUS:.*]] = llvm.call @sl_parse(%{{.*}}, %[[MAP]],
  // CHECK: llvm.icmp "ne" %[[STATUS]]
  %1 = spl.cast %s : !spl.rstring to !spl.map<!spl.rstring, si32>
  // CHECK: llvm.mlir.addressof @"sl.type.list<f64>"
  // CHECK: llvm.call @sl_cast
  %2 = spl.cast %l : !spl.list<si32> to !spl.list<f64>
  %ok = arith.constant 0 : i32
  func.return %ok : i32
}

// By name, inline.
// CHECK-LABEL: @tuples
// CHECK-SAME: %[[T:[a-z0-9]+]]: !llvm.struct
func.func private @tuples(%ctx: !llvm.ptr, %t: !wide, %p: !llvm.ptr) -> i32 {
  // CHECK-NOT: llvm.call
  // CHECK-DAG: %[[B:.*]] = llvm.extractvalue %[[T]][1, 0]
  // CHECK-DAG: llvm.store %[[B]], %{{.*}} {{.*}}: i64
  // CHECK-DAG: %[[A:.*]] = llvm.extractvalue %[[T]][0]
  // CHECK-DAG: llvm.store %[[A]], %{{.*}} {{.*}}: i32
  %0 = spl.cast %t : !wide to !narrow
  spl.put %0, %p : !narrow, !llvm.ptr
  %ok = arith.constant 0 : i32
  func.return %ok : i32
}
