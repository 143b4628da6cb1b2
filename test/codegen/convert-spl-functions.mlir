// RUN: sluice-opt --convert-spl-to-llvm %s | FileCheck %s
// Statuses, sites, variables, calls.

// The sites of what can fail, in order; a call has none.
// CHECK: spl.sites = [#spl.site<"{{.*}}convert-spl-functions.mlir", 13, 8, "x / y">, #spl.site<"{{.*}}", 17, 8, "(int64) e">]

// CHECK-LABEL: llvm.func internal @fails(
// CHECK-SAME: %[[CTX:.*]]: !llvm.ptr {llvm.dereferenceable = 120 : i64, llvm.nonnull, llvm.noundef}
// CHECK-SAME: -> i32 attributes {no_unwind
func.func private @fails(%ctx: !llvm.ptr, %x: si32, %y: si32, %s: !spl.rstring) -> i32 {
  // The variable is zero before anything can fail.
  %v = spl.var "v" : !spl.ref<!spl.rstring>
  %d = spl.div %x, %y {source = "x / y"} : si32
  // CHECK: llvm.cond_br %{{.*}} weights([1, 2000]), ^[[ZERO:bb[0-9]+]], ^[[DIVIDED:bb[0-9]+]]
  %c = spl.const "hello, long world" : !spl.rstring
  %e = spl.binary add %s, %c : !spl.rstring, !spl.rstring
  %i = spl.cast %e {source = "(int64) e"} : !spl.rstring to si64
  // CHECK: ^[[ZERO]]:
  // CHECK: llvm.call @sl_error(%[[CTX]], %{{.*}}) vararg
  // CHECK: %[[FIRST:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK: llvm.br ^[[EXIT:bb[0-9]+]](%[[FIRST]] : i32)
  // CHECK: ^[[DIVIDED]]:
  // CHECK: llvm.sdiv
  // CHECK: llvm.call @sl_parse
  // CHECK: %[[SECOND:.*]] = llvm.mlir.constant(2 : i32) : i32
  // CHECK: llvm.br ^[[EXIT]](%[[SECOND]] : i32)
  %k = spl.call @increment(%d) : (si32) -> si32
  // A callee's status passes on as it is.
  // CHECK: %[[STATUS:.*]] = llvm.call @increment(%[[CTX]], %{{.*}}, %{{.*}}) {no_unwind}
  // CHECK: llvm.br ^[[EXIT]](%[[STATUS]] : i32)
  spl.store %e, %v : !spl.rstring, !spl.ref<!spl.rstring>
  // CHECK: llvm.call @sl_assign(%[[CTX]],
  %ok = arith.constant 0 : i32
  func.return %ok : i32
  // Every way out destroys the variable.
  // CHECK: ^[[EXIT]](%[[RESULT:.*]]: i32):
  // CHECK: llvm.call @sl_destroy(%[[CTX]],
  // CHECK: llvm.return %[[RESULT]] : i32
}

// CHECK-LABEL: llvm.func internal @increment(
// CHECK-SAME: %[[CTX:.*]]: !llvm.ptr {{.*}}, %[[RESULT:.*]]: !llvm.ptr, %[[X:.*]]: i32) -> i32
spl.func @increment(%x: si32) -> si32 {
  %one = spl.const 1 : si32
  %r = spl.binary add %x, %one : si32, si32
  // CHECK: %[[SUM:.*]] = llvm.add %[[X]]
  // CHECK: llvm.store %[[SUM]], %[[RESULT]]
  // CHECK: %[[OK:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: llvm.return %[[OK]]
  spl.return %r : si32
}

// What lies in a variable is copied before the variable goes.
// CHECK-LABEL: llvm.func internal @outlives(
spl.func @outlives(%x: !spl.rstring) -> !spl.rstring {
  %v = spl.var "v" : !spl.ref<!spl.rstring>
  spl.store %x, %v : !spl.rstring, !spl.ref<!spl.rstring>
  %r = spl.load %v : !spl.ref<!spl.rstring> -> !spl.rstring
  // CHECK: llvm.call @sl_assign
  // CHECK: llvm.call @sl_copy
  // CHECK: llvm.call @sl_destroy
  spl.return %r : !spl.rstring
}

// An argument does not lie in a variable.
// CHECK-LABEL: llvm.func internal @passes_on(
// CHECK-NOT: sl_copy
// CHECK: llvm.return
spl.func @passes_on(%x: !spl.rstring) -> !spl.rstring {
  %v = spl.var "v" : !spl.ref<!spl.rstring>
  spl.store %x, %v : !spl.rstring, !spl.ref<!spl.rstring>
  spl.return %x : !spl.rstring
}

// CHECK-LABEL: llvm.func internal @nothing(
// CHECK-SAME: %{{[a-z0-9]*}}: !llvm.ptr {{{[^}]*}}}, %[[PLACE:.*]]: !llvm.ptr) -> i32
spl.func @nothing(%x: !spl.ref<si32>) {
  %two = spl.const 2 : si32
  // CHECK: llvm.store %{{.*}}, %[[PLACE]] {{.*}}: i32
  spl.store %two, %x : si32, !spl.ref<si32>
  spl.return
}
