// RUN: sluice-opt --convert-spl-to-llvm %s | FileCheck %s
// Functions of the toolkit and submission values, as abi.h has them.

// Declared once; small integers are extended.
// CHECK-DAG: llvm.func @sl_size_Lg(!llvm.ptr {llvm.noundef}, !llvm.ptr {llvm.noundef}, !llvm.ptr {llvm.noundef}, !llvm.ptr {llvm.noundef}) -> (i32 {llvm.noundef, llvm.signext}) attributes {no_unwind}
// CHECK-DAG: llvm.func @sl_both_ba(!llvm.ptr {llvm.noundef}, i8 {llvm.noundef, llvm.zeroext}, i8 {llvm.noundef, llvm.signext}) -> (i32

// CHECK-LABEL: @natives
func.func private @natives(%ctx: !llvm.ptr, %l: !spl.list<si32>, %b: i1, %x: si8, %r: !spl.ref<!spl.list<si32>>, %p: !llvm.ptr) -> i32 {
  // ctx, the type's descriptor, the result, the list.
  // CHECK: %[[DESC:.*]] = llvm.mlir.addressof @sl.type.si32
  // CHECK: %[[STATUS:.*]] = llvm.call @sl_size_Lg(%{{.*}}, %[[DESC]], %[[RESULT:.*]], %{{.*}}) {no_unwind}
  // CHECK: llvm.icmp "ne" %[[STATUS]]
  // CHECK: llvm.load %[[RESULT]] {{.*}}: !llvm.ptr -> i32
  %0 = spl.native "sl_size_Lg"(%l) [si32] generic = [] : (!spl.list<si32>) -> ui32
  // CHECK: %[[BYTE:.*]] = llvm.zext %{{.*}} : i1 to i8
  // CHECK: llvm.call @sl_both_ba(%{{.*}}, %[[BYTE]], %{{.*}})
  spl.native "sl_both_ba"(%b, %x) [] generic = [] : (i1, si8) -> ()
  // A scalar passes by pointer where the formal is a type variable; a place as it is.
  // CHECK: llvm.store %{{.*}}, %[[SLOT:[a-z0-9]+]] {{.*}}: i8
  // CHECK: llvm.call @sl_appendM_Lgg(%{{.*}}, %{{.*}}, %{{[a-z0-9]+}}, %[[SLOT]])
  spl.native "sl_appendM_Lgg"(%r, %x) [si8] generic = [1] : (!spl.ref<!spl.list<si32>>, si8) -> ()
  // CHECK: %[[INDEX:.*]] = llvm.mlir.constant(7 : i32)
  // CHECK: llvm.call @sl_submission(%{{.*}}, %[[INDEX]], %{{.*}})
  %1 = spl.submission 7 : !spl.rstring
  spl.put %1, %p : !spl.rstring, !llvm.ptr
  %2 = spl.native "sl_size_Lg"(%l) [si32] generic = [] : (!spl.list<si32>) -> ui32
  // A field of the context; no function is called.
  // CHECK-NOT: @sl_getChannel_
  // CHECK: llvm.load %{{.*}} invariant
  %3 = spl.native "sl_getChannel_"() [] generic = [] facts = <intrinsic = channel> : () -> si32
  spl.put %3, %p : si32, !llvm.ptr
  %ok = arith.constant 0 : i32
  func.return %ok : i32
}
// CHECK-NOT: llvm.func @sl_size_Lg
