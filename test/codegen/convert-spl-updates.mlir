// RUN: sluice-opt --convert-spl-to-llvm %s --mlir-print-local-scope | FileCheck %s
// Small functions that change a variable of their caller are inlined; what lies in state, and what
// collections in state have on the heap, have tags of their own.

!slot = !spl.tuple<"v": si64>
!ring = !spl.list<!slot>
!window = !spl.tuple<"slots": !ring, "sum": si64>
!windows = !spl.map<si32, !window>

spl.func @most(%most: !spl.ref<si64>, %v: si64) -> i1 {
  %old = spl.load %most : !spl.ref<si64> -> si64
  %more = spl.compare gt %v, %old : si64
  cf.cond_br %more, ^new, ^end
^new:
  spl.store %v, %most : si64, !spl.ref<si64>
  cf.br ^end
^end:
  spl.return %more : i1
}

// Both ends are returns.
spl.func @count(%n: !spl.ref<si64>, %up: i1) {
  %old = spl.load %n : !spl.ref<si64> -> si64
  cf.cond_br %up, ^up, ^stay
^up:
  %one = spl.const 1 : si64
  %new = spl.binary add %old, %one : si64, si64
  spl.store %new, %n : si64, !spl.ref<si64>
  spl.return
^stay:
  spl.return
}

// It calls a function that only computes.
spl.func @larger(%a: si64, %b: si64) -> i1 {
  %larger = spl.compare gt %a, %b : si64
  spl.return %larger : i1
}
spl.func @merge(%most: !spl.ref<si64>, %v: si64) {
  %old = spl.load %most : !spl.ref<si64> -> si64
  %more = spl.call @larger(%v, %old) : (si64, si64) -> i1
  cf.cond_br %more, ^new, ^end
^new:
  spl.store %v, %most : si64, !spl.ref<si64>
  cf.br ^end
^end:
  spl.return
}

// It may fail.
spl.func @divide(%n: !spl.ref<si64>, %by: si64) {
  %old = spl.load %n : !spl.ref<si64> -> si64
  %new = spl.div %old, %by : si64
  spl.store %new, %n : si64, !spl.ref<si64>
  spl.return
}

// CHECK-LABEL: llvm.func internal @update(
func.func private @update(%ctx: !llvm.ptr, %v: si64, %at: ui64) -> i32 attributes {spl.state_offsets = array<i64: 0, 32>} {
  %window = spl.state "window"[0] : !spl.ref<!window>
  %windows = spl.state "windows"[1] : !spl.ref<!windows>
  %slots = spl.field_ref %window[0] : !spl.ref<!window> -> !spl.ref<!ring>
  %sum = spl.field_ref %window[1] : !spl.ref<!window> -> !spl.ref<si64>
  // CHECK-NOT: llvm.call @most
  // CHECK: llvm.load {{.*}}base_type = <id = "state"
  // CHECK: llvm.store {{.*}}base_type = <id = "state"
  %more = spl.call @most(%sum, %v) : (!spl.ref<si64>, si64) -> i1
  // CHECK-NOT: llvm.call @count
  // CHECK: llvm.load {{.*}}base_type = <id = "state"
  // CHECK: llvm.store {{.*}}base_type = <id = "state"
  spl.call @count(%sum, %more) : (!spl.ref<si64>, i1) -> ()
  // CHECK-NOT: llvm.call @merge
  // CHECK: llvm.load {{.*}}base_type = <id = "state"
  // CHECK: llvm.store {{.*}}base_type = <id = "state"
  spl.call @merge(%sum, %v) : (!spl.ref<si64>, si64) -> ()
  // CHECK: llvm.call @divide
  spl.call @divide(%sum, %v) : (!spl.ref<si64>, si64) -> ()
  %slot = spl.nth_ref %slots[%at] : !spl.ref<!ring> -> !spl.ref<!slot>
  %value = spl.field_ref %slot[0] : !spl.ref<!slot> -> !spl.ref<si64>
  // CHECK: llvm.store {{.*}}base_type = <id = "elements of !spl.list<
  spl.store %v, %value : si64, !spl.ref<si64>
  // The sum of a window in a map lies in the map.
  %one = spl.nth_ref %windows[%at] : !spl.ref<!windows> -> !spl.ref<!window>
  %itsSum = spl.field_ref %one[1] : !spl.ref<!window> -> !spl.ref<si64>
  // CHECK: llvm.store {{.*}}base_type = <id = "elements of !spl.map<
  spl.store %v, %itsSum : si64, !spl.ref<si64>
  %ok = arith.constant 0 : i32
  func.return %ok : i32
}

// A variable of a function has memory that something else had before: no tag.
// CHECK-LABEL: llvm.func internal @variable(
// CHECK-NOT: tbaa
func.func private @variable(%ctx: !llvm.ptr, %v: si64, %at: ui64) -> i32 {
  %slots = spl.var "slots" : !spl.ref<!ring>
  %slot = spl.nth_ref %slots[%at] : !spl.ref<!ring> -> !spl.ref<!slot>
  %value = spl.field_ref %slot[0] : !spl.ref<!slot> -> !spl.ref<si64>
  spl.store %v, %value : si64, !spl.ref<si64>
  %ok = arith.constant 0 : i32
  func.return %ok : i32
}
