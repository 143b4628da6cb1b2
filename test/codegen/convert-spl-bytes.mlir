// RUN: sluice-opt %s --convert-spl-to-llvm | FileCheck %s
// Blobs, ustrings and bounds.

// CHECK-LABEL: llvm.func internal @blobs
func.func private @blobs(%ctx: !llvm.ptr, %b: !spl.blob, %i: si32, %v: ui8) -> i32 {
  // A byte is read and written at its address.
  // CHECK: llvm.call @sl_blob_at(
  %0 = spl.index %b[%i] : !spl.blob, si32 -> ui8
  // CHECK: llvm.call @sl_blob_slice(
  %1 = spl.slice %b from %i : si32 in !spl.blob
  %2 = spl.var "v" : !spl.ref<!spl.blob>
  spl.store %1, %2 : !spl.blob, !spl.ref<!spl.blob>
  // CHECK: llvm.call @sl_blob_at(
  // CHECK: llvm.store %{{.*}} : i8, !llvm.ptr
  %3 = spl.index_ref %2[%i] : !spl.ref<!spl.blob>, si32 -> !spl.ref<ui8>
  spl.store %v, %3 : ui8, !spl.ref<ui8>
  // CHECK: llvm.call @sl_destroy
  %ok = arith.constant 0 : i32
  return %ok : i32
}

// CHECK-LABEL: llvm.func internal @ustrings
func.func private @ustrings(%ctx: !llvm.ptr, %u: !spl.ustring, %i: si32, %p: !llvm.ptr) -> i32 {
  // CHECK: llvm.call @sl_ustr_at(
  %0 = spl.index %u[%i] : !spl.ustring, si32 -> !spl.ustring
  // CHECK: llvm.call @sl_ustr_slice(
  %1 = spl.slice %u from %i : si32 in !spl.ustring
  // A ustring is an rstring; the other way its bytes are looked at, which cannot fail.
  // CHECK-NOT: llvm.call @sl_to_string
  // CHECK: llvm.call @sl_cast(
  // CHECK-NOT: llvm.cond_br
  %2 = spl.cast %0 : !spl.ustring to !spl.rstring
  %3 = spl.cast %2 : !spl.rstring to !spl.ustring
  spl.put %3, %p : !spl.ustring, !llvm.ptr
  spl.put %1, %p : !spl.ustring, !llvm.ptr
  // CHECK: llvm.return
  %ok = arith.constant 0 : i32
  return %ok : i32
}

// CHECK-LABEL: llvm.func internal @bounds
func.func private @bounds(%ctx: !llvm.ptr, %s: !spl.rstring<3>, %l: !spl.list<si32, 2>, %p: !llvm.ptr) -> i32 {
  // A sum is cut. Without its bound a value is the same.
  // CHECK: llvm.call @sl_str_concat(
  // CHECK: llvm.call @sl_str_slice(
  // CHECK-NOT: llvm.call
  %0 = spl.binary add %s, %s : !spl.rstring<3>, !spl.rstring<3>
  %1 = spl.cast %0 : !spl.rstring<3> to !spl.rstring
  %2 = spl.cast %l : !spl.list<si32, 2> to !spl.list<si32>
  spl.put %1, %p : !spl.rstring, !llvm.ptr
  // CHECK: llvm.mlir.addressof @"sl.type.list<si32, 2>"
  // CHECK: llvm.call @sl_cast(
  %3 = spl.cast %2 : !spl.list<si32> to !spl.list<si32, 2>
  %4 = spl.var "v" : !spl.ref<!spl.list<si32, 2>>
  spl.store %3, %4 : !spl.list<si32, 2>, !spl.ref<!spl.list<si32, 2>>
  // CHECK: llvm.call @sl_cut(
  spl.cut %4 : !spl.ref<!spl.list<si32, 2>>
  %ok = arith.constant 0 : i32
  return %ok : i32
}
