// RUN: sluice-opt --convert-spl-to-llvm %s | FileCheck %s
// Tuples, lists, sets, maps and their TypeDescs.

!t = !spl.tuple<"a": si8, "b": i1, "s": !spl.rstring>
!list = !spl.list<i1>
!map = !spl.map<si8, f64>

// kind, size, align, plain, elem, value, stride, valueOffset, count, pad, fields, names
// CHECK-DAG: @"sl.type.map<si8, f64>"
// CHECK-DAG: @"sl.type.tuple<a: si8, b: i1, s: rstring>.fields"() {{.*}}!llvm.array<3 x struct<(ptr, ptr, i32, i32)>>

// A list of literals is constant data.
// CHECK-DAG: llvm.mlir.global internal unnamed_addr constant @sl.list() {{.*}}!llvm.array<2 x struct<(i64, i64)>>

// CHECK-LABEL: @tuples
// CHECK-SAME: %[[T:[a-z0-9]+]]: !llvm.struct<(i8, i8, struct<(i64, i64)>)>
func.func private @tuples(%ctx: !llvm.ptr, %t: !t, %a: si8, %b: i1, %s: !spl.rstring, %p: !llvm.ptr) {
  // CHECK: %[[BYTE:.*]] = llvm.extractvalue %[[T]][1]
  // CHECK: llvm.trunc %[[BYTE]] : i8 to i1
  %0 = spl.field %t[1] : !t -> i1
  // CHECK: llvm.zext %{{.*}} : i1 to i8
  %1 = spl.make_tuple %a, %0, %s : !t
  // Stored field by field, at the offsets of the C struct.
  // CHECK: llvm.store %{{.*}}, %[[P:[a-z0-9]+]] {{.*}}: i8
  // CHECK: llvm.getelementptr inbounds %[[P]][1]
  // CHECK: llvm.getelementptr inbounds %[[P]][8]
  spl.put %1, %p : !t, !llvm.ptr
  func.return
}

// CHECK-LABEL: @make
func.func private @make(%ctx: !llvm.ptr, %k: si8, %v: f64, %b: i1, %p: !llvm.ptr) {
  // CHECK-DAG: llvm.alloca %{{.*}} x !llvm.array<2 x i8> {alignment = 1
  // CHECK-DAG: llvm.alloca %{{.*}} x !llvm.array<32 x i8> {alignment = 8
  // CHECK: llvm.call @sl_make_list(
  %0 = spl.make_list %b, %b : !list
  spl.put %0, %p : !list, !llvm.ptr
  // CHECK: %[[COUNT:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK: llvm.call @sl_make_map(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[COUNT]])
  %1 = spl.make_map %k, %v, %k, %v : !map
  spl.put %1, %p : !map, !llvm.ptr
  // CHECK: llvm.call @sl_make_set
  %2 = spl.make_set %k : !spl.set<si8>
  spl.put %2, %p : !spl.set<si8>, !llvm.ptr
  // CHECK: %[[SLOTS:.*]] = llvm.mlir.constant(8 : i32)
  // CHECK: llvm.call @sl_default_list(%{{.*}}, %{{.*}}, %{{.*}}, %[[SLOTS]])
  %4 = spl.default_list 8 : !list
  spl.put %4, %p : !list, !llvm.ptr
  // An empty one needs no call.
  // CHECK: llvm.mlir.zero : !llvm.struct<(i32, i32, ptr)>
  // CHECK-NOT: llvm.call
  %3 = spl.make_set : !spl.set<si8>
  spl.put %3, %p : !spl.set<si8>, !llvm.ptr
  func.return
}

// CHECK-LABEL: @literals
func.func private @literals(%ctx: !llvm.ptr, %p: !llvm.ptr) {
  // CHECK: %[[LEN:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK: %[[DATA:.*]] = llvm.mlir.addressof @sl.list
  // CHECK-NOT: llvm.call
  %short = spl.const "ab" : !spl.rstring
  %long = spl.const "more than twelve bytes" : !spl.rstring
  %0 = spl.make_list %short, %long : !spl.list<!spl.rstring>
  spl.put %0, %p : !spl.list<!spl.rstring>, !llvm.ptr
  func.return
}

// Literals within tuples, and the entries of a map, are constant data, too.
// CHECK-LABEL: @nested
func.func private @nested(%ctx: !llvm.ptr, %p: !llvm.ptr) {
  %n = spl.const 7 : si8
  %b = spl.const 1 : i1
  %s = spl.const "ab" : !spl.rstring
  %x = spl.const 1.5 : f64
  %t = spl.make_tuple %n, %b, %s : !t
  // CHECK: llvm.mlir.addressof @sl.list.0
  // CHECK-NOT: llvm.call
  %0 = spl.make_list %t, %t : !spl.list<!t>
  spl.put %0, %p : !spl.list<!t>, !llvm.ptr
  // CHECK: %[[ENTRIES:.*]] = llvm.mlir.addressof @sl.entries
  // CHECK: llvm.call @sl_make_map(%{{.*}}, %{{.*}}, %{{.*}}, %[[ENTRIES]],
  %1 = spl.make_map %n, %x : !map
  spl.put %1, %p : !map, !llvm.ptr
  func.return
}

// CHECK-LABEL: @index
// CHECK-SAME: %[[L:[a-z0-9]+]]: !llvm.struct<(i32, i32, ptr)>, %[[M:[a-z0-9]+]]: !llvm.struct<(i32, i32, ptr)>
func.func private @index(%ctx: !llvm.ptr, %l: !spl.list<si32>, %m: !map, %s: !spl.rstring, %i: ui8, %k: si8) -> i32 {
  // The runtime is called to fail only.
  // CHECK: %[[AT:.*]] = llvm.zext %{{.*}} : i8 to i64
  // CHECK: %[[LEN:.*]] = llvm.extractvalue %[[L]][0]
  // CHECK: %[[LEN64:.*]] = llvm.zext %[[LEN]]
  // CHECK: %[[OUT:.*]] = llvm.icmp "uge" %[[AT]], %[[LEN64]]
  // CHECK: llvm.cond_br %[[OUT]] weights([1, 2000]), ^[[COLD:bb[0-9]+]], ^[[IN:bb[0-9]+]]
  // CHECK: ^[[COLD]]:
  // CHECK: llvm.call @sl_list_at
  // CHECK: ^[[IN]]:
  // CHECK: %[[DATA:.*]] = llvm.extractvalue %[[L]][2]
  // CHECK: %[[PLACE:.*]] = llvm.getelementptr inbounds %[[DATA]][%[[AT]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
  // CHECK: llvm.load %[[PLACE]] {{.*}}: !llvm.ptr -> i32
  %0 = spl.index %l[%i] : !spl.list<si32>, ui8 -> si32
  // CHECK: llvm.call @sl_map_at
  %1 = spl.index %m[%k] : !map, si8 -> f64
  // CHECK: llvm.call @sl_str_at
  %2 = spl.index %s[%i] : !spl.rstring, ui8 -> !spl.rstring
  // CHECK: %[[LO:.*]] = llvm.mlir.constant(1 : i8)
  // CHECK: %[[HI:.*]] = llvm.mlir.constant(0 : i8)
  // CHECK: llvm.call @sl_str_slice(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[LO]], %[[HI]])
  %3 = spl.slice %s from %0 : si32 in !spl.rstring
  // CHECK: llvm.call @sl_list_slice
  %4 = spl.slice %l from %0 : si32 to %0 : si32 in !spl.list<si32>
  %ok = arith.constant 0 : i32
  func.return %ok : i32
}

// CHECK-LABEL: @loop
// CHECK-SAME: %[[M:[a-z0-9]+]]: !llvm.struct<(i32, i32, ptr)>
func.func private @loop(%ctx: !llvm.ptr, %m: !map, %k: si8, %s: !spl.rstring, %p: !llvm.ptr) {
  // CHECK: llvm.extractvalue %[[M]][0]
  %0 = spl.size %m : !map
  // CHECK: %[[ENTRY:.*]] = llvm.getelementptr inbounds %{{.*}}[%{{.*}}] : {{.*}}, !llvm.array<16 x i8>
  // CHECK: llvm.load %[[ENTRY]] {{.*}}: !llvm.ptr -> i8
  %1 = spl.nth %m[%0] : !map -> si8
  // CHECK: llvm.getelementptr inbounds %{{.*}}[8]
  // CHECK: llvm.load %{{.*}} {{.*}}: !llvm.ptr -> f64
  %2 = spl.map_value %m[%0] : !map -> f64
  // CHECK: llvm.call @sl_contains
  %3 = spl.contains %k in %m : si8, !map
  // CHECK: llvm.call @sl_copy
  %4 = spl.copy %s : !spl.rstring
  // CHECK-NOT: llvm.call
  %5 = spl.copy %k : si8
  spl.put %1, %p : si8, !llvm.ptr
  spl.put %2, %p : f64, !llvm.ptr
  spl.put %4, %p : !spl.rstring, !llvm.ptr
  spl.put %5, %p : si8, !llvm.ptr
  func.return
}

// CHECK-LABEL: @described
func.func private @described(%ctx: !llvm.ptr) -> !llvm.ptr {
  // CHECK: llvm.mlir.addressof @"sl.type.tuple<a: si8, b: i1, s: rstring>"
  %0 = spl.type_desc !t : !llvm.ptr
  func.return %0 : !llvm.ptr
}
