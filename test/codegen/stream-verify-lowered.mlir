// RUN: sluice-opt %s --stream-verify-lowered | FileCheck %s
// What phase lowered allows.

// CHECK: func.func private @op0.tuple0
func.func private @op0.tuple0(%ctx: !llvm.ptr, %t: !spl.tuple<"a": si32>) -> i32 attributes {spl.state_offsets = array<i64: 8>} {
  %n = spl.state "n"[0] : !spl.ref<si32>
  %a = spl.field %t[0] : !spl.tuple<"a": si32> -> si32
  spl.store %a, %n : si32, !spl.ref<si32>
  %ok = func.call @op0.out0(%ctx) : (!llvm.ptr) -> i32
  return %ok : i32
}
func.func private @op0.out0(%ctx: !llvm.ptr) -> i32 {
  %ok = llvm.call @sl_forward(%ctx) : (!llvm.ptr) -> i32
  %zero = arith.constant 0 : i32
  %is = arith.cmpi eq, %ok, %zero : i32
  cf.cond_br %is, ^end, ^end
^end:
  return %ok : i32
}
spl.func @same(%x: si32) -> si32 {
  spl.return %x : si32
}
llvm.func @sl_forward(!llvm.ptr) -> i32
