// RUN: sluice-opt --convert-spl-to-llvm %s | FileCheck %s
// Variables, state, references, raw memory.

!t = !spl.tuple<"a": si32, "s": !spl.rstring>
!list = !spl.list<si64>
!map = !spl.map<!spl.rstring, si32>

// CHECK-LABEL: @state
// CHECK-SAME: %[[CTX:[a-z0-9]+]]: !llvm.ptr
func.func private @state(%ctx: !llvm.ptr) attributes {spl.state_offsets = array<i64: 0, 24>} {
  // CHECK: %[[FIELD:.*]] = llvm.getelementptr inbounds %[[CTX]][56]
  // CHECK: %[[BASE:.*]] = llvm.load %[[FIELD]] invariant : !llvm.ptr -> !llvm.ptr
  // CHECK: %[[COUNT:.*]] = llvm.getelementptr inbounds %[[BASE]][24]
  %0 = spl.state "count"[1] : !spl.ref<si64>
  // CHECK: llvm.load %[[COUNT]] {{.*}}: !llvm.ptr -> i64
  %1 = spl.load %0 : !spl.ref<si64> -> si64
  // CHECK: llvm.store %{{.*}}, %[[COUNT]] {{.*}}: i64
  spl.store %1, %0 : si64, !spl.ref<si64>
  func.return
}

// A variable in a loop keeps its slot, and so does what others put there.
// CHECK-LABEL: @slots
func.func private @slots(%ctx: !llvm.ptr, %b: i1) {
  // CHECK-COUNT-2: llvm.alloca
  // CHECK: llvm.br
  // CHECK-NOT: llvm.alloca
  cf.br ^loop
^loop:
  %one = arith.constant 1 : i32
  %slot = llvm.alloca %one x i64 : (i32) -> !llvm.ptr
  %v = spl.var "v" : !spl.ref<si64>
  %0 = spl.get %slot : !llvm.ptr -> si64
  spl.store %0, %v : si64, !spl.ref<si64>
  cf.cond_br %b, ^loop, ^end
^end:
  func.return
}

// CHECK-LABEL: @parts
func.func private @parts(%ctx: !llvm.ptr, %t: !spl.ref<!t>, %l: !spl.ref<!list>, %m: !spl.ref<!map>, %i: si32, %s: !spl.rstring, %n: si64) -> i32 {
  // CHECK: %[[S:.*]] = llvm.getelementptr inbounds %{{.*}}[8]
  %0 = spl.field_ref %t[1] : !spl.ref<!t> -> !spl.ref<!spl.rstring>
  // CHECK: llvm.call @sl_str_append(%{{.*}}, %[[S]], %{{.*}})
  spl.append %s, %0 : !spl.rstring, !spl.ref<!spl.rstring>
  // CHECK: llvm.icmp "uge"
  // CHECK: llvm.call @sl_list_at
  // CHECK: %[[E:.*]] = llvm.getelementptr inbounds %{{.*}}[%{{.*}}] : {{.*}}, !llvm.array<8 x i8>
  %1 = spl.index_ref %l[%i] : !spl.ref<!list>, si32 -> !spl.ref<si64>
  // CHECK: llvm.store %{{.*}}, %[[E]] {{.*}}: i64
  spl.store %n, %1 : si64, !spl.ref<si64>
  // CHECK: llvm.call @sl_map_at
  %2 = spl.index_ref %m[%s] : !spl.ref<!map>, !spl.rstring -> !spl.ref<si32>
  // CHECK: llvm.call @sl_map_slot
  %3 = spl.map_slot %m[%s] : !spl.ref<!map>, !spl.rstring -> !spl.ref<si32>
  spl.store %i, %3 : si32, !spl.ref<si32>
  // CHECK: llvm.call @sl_push
  spl.push %n, %l : si64, !spl.ref<!list>
  // Without a test of the position.
  // CHECK-NEXT: llvm.mlir.constant(3
  // CHECK-NEXT: llvm.getelementptr
  // CHECK-NEXT: %[[D:.*]] = llvm.load
  // CHECK-NEXT: llvm.getelementptr inbounds %[[D]][%{{.*}}] : {{.*}}, !llvm.array<8 x i8>
  %at = spl.const 3 : ui64
  %4 = spl.nth_ref %l[%at] : !spl.ref<!list> -> !spl.ref<si64>
  spl.store %n, %4 : si64, !spl.ref<si64>
  // CHECK: llvm.call @sl_map_find
  %5 = spl.map_find %m[%s] : !spl.ref<!map>, !spl.rstring
  %6 = spl.nth_ref %l[%5] : !spl.ref<!list> -> !spl.ref<si64>
  spl.store %n, %6 : si64, !spl.ref<si64>
  // CHECK: llvm.call @sl_map_erase
  spl.map_erase %m[%s] : !spl.ref<!map>, !spl.rstring
  // CHECK: llvm.call @sl_map_fetch_nth
  spl.map_fetch_nth %m[%5] : !spl.ref<!map>
  // CHECK: llvm.call @sl_map_erase_nth
  spl.map_erase_nth %m[%5] : !spl.ref<!map>
  %ok = arith.constant 0 : i32
  func.return %ok : i32
}

// CHECK-LABEL: @scratch
func.func private @scratch(%ctx: !llvm.ptr) {
  // CHECK: %[[MARK:.*]] = llvm.alloca %{{.*}} x !llvm.array<16 x i8>
  // CHECK: llvm.call @sl_arena_checkpoint(%{{.*}}, %[[MARK]])
  %0 = spl.arena_checkpoint
  // CHECK: llvm.call @sl_arena_release(%{{.*}}, %[[MARK]])
  spl.release %0
  func.return
}

// The size of a window: NaN is not one.
// CHECK-LABEL: @size
func.func private @size(%ctx: !llvm.ptr, %n: si64, %x: f64) -> i32 {
  // CHECK: %[[BELOW:.*]] = llvm.icmp "slt"
  // CHECK: llvm.cond_br %[[BELOW]]
  spl.check_size "count" %n : si64
  // CHECK: %[[BAD:.*]] = llvm.fcmp "ult"
  // CHECK: llvm.cond_br %[[BAD]]
  spl.check_size "time" %x : f64
  %ok = arith.constant 0 : i32
  func.return %ok : i32
  // CHECK: llvm.call @sl_bad_size
}

// A ring that is full grows, or fails.
// CHECK-LABEL: @ring
func.func private @ring(%ctx: !llvm.ptr, %l: !spl.ref<!list>, %h: !spl.ref<ui64>,
                        %n: !spl.ref<ui64>) -> i32 {
  // CHECK: %[[R:.*]] = llvm.call @sl_grow_ring
  // CHECK: llvm.icmp "ne" %[[R]]
  spl.grow_ring %l, %h, %n : !spl.ref<!list>, !spl.ref<ui64>, !spl.ref<ui64>
  %ok = arith.constant 0 : i32
  func.return %ok : i32
}

!rows = !spl.list<!spl.tuple<"a": si32, "b": !spl.rstring>>
!heap = !spl.list<!spl.tuple<"word": ui64, "row": ui64>>

// The directions of the keys are constant bytes.
// CHECK-LABEL: @sort
// CHECK-SAME: %[[CTX:[a-z0-9]+]]: !llvm.ptr {{{.*}}}, %[[ROWS:[a-z0-9]+]]: !llvm.ptr, %[[HEAP:[a-z0-9]+]]: !llvm.ptr, %[[N:[a-z0-9]+]]: i64
func.func private @sort(%ctx: !llvm.ptr, %rows: !spl.ref<!rows>, %heap: !spl.ref<!heap>, %n: ui64, %out: !spl.ref<!spl.list<ui32>>) {
  // CHECK: llvm.call @sl_rows_in_order(%[[CTX]], %{{.*}}, %{{.*}}, %[[ROWS]], %[[N]], %{{.*}}, %{{.*}})
  %0 = spl.sort_rows %rows[%n] by [false, true] : !spl.ref<!rows> -> !spl.list<ui32>
  spl.store %0, %out : !spl.list<ui32>, !spl.ref<!spl.list<ui32>>
  // CHECK: llvm.call @sl_heap_push(%{{.*}}, %[[ROWS]], %{{.*}}, %{{.*}}, %[[HEAP]], %[[N]])
  spl.heap_push %heap[%n], %rows by [false, true] : !spl.ref<!heap>, !spl.ref<!rows>
  // CHECK: llvm.call @sl_heap_pop(%{{.*}}, %[[ROWS]], %{{.*}}, %{{.*}}, %[[HEAP]], %[[N]])
  spl.heap_pop %heap[%n], %rows by [false, true] : !spl.ref<!heap>, !spl.ref<!rows>
  func.return
}
