// RUN: sluice-opt --convert-spl-to-llvm %s | FileCheck %s
// A call that may come back checks the stack, at its own site, and stays a call. Others do not.

// CHECK: spl.sites = [#spl.site<{{.*}}, "even(n)">, #spl.site<{{.*}}, "odd(n)">]

// CHECK-LABEL: llvm.func internal @odd(
// CHECK-SAME: passthrough = {{\[\[}}"disable-tail-calls", "true"]]
// CHECK: %[[FULL:.*]] = llvm.call @sl_check_stack(%{{.*}})
// CHECK: llvm.icmp "ne" %[[FULL]]
// CHECK: llvm.call @even
spl.func @odd(%n: si64) -> i1 {
  %0 = spl.call @even(%n) {source = "even(n)"} : (si64) -> i1
  spl.return %0 : i1
}

// CHECK-LABEL: llvm.func internal @even(
// CHECK: llvm.call @sl_check_stack
// CHECK: llvm.call @odd
spl.func @even(%n: si64) -> i1 {
  %0 = spl.call @odd(%n) {source = "odd(n)"} : (si64) -> i1
  spl.return %0 : i1
}

// CHECK-LABEL: llvm.func internal @asks(
// CHECK-NOT: passthrough
// CHECK-NOT: sl_check_stack
// CHECK: llvm.call @even
spl.func @asks(%n: si64) -> i1 {
  %0 = spl.call @even(%n) {source = "even(n)"} : (si64) -> i1
  spl.return %0 : i1
}
