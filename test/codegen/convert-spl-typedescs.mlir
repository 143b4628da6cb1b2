// RUN: sluice-opt --convert-spl-to-llvm %s | mlir-translate --mlir-to-llvmir | FileCheck %s
// TypeDescs as LLVM sees them:
// kind, size, align, plain, elem, value, stride, valueOffset, count, bound, fields, names.

// CHECK-DAG: @sl.type.rstring = internal unnamed_addr constant {{.*}} { i32 {{[0-9]+}}, i32 16, i32 8, i32 0, ptr null, ptr null, i32 0, i32 0, i32 0, i32 0, ptr null, ptr null }
// CHECK-DAG: @sl.type.ui16 = internal unnamed_addr constant {{.*}} { i32 {{[0-9]+}}, i32 2, i32 2, i32 1,
// CHECK-DAG: @"sl.type.map<ui16, rstring>" = {{.*}} { i32 {{[0-9]+}}, i32 16, i32 8, i32 0, ptr @sl.type.ui16, ptr @sl.type.rstring, i32 24, i32 8,
// CHECK-DAG: @"sl.type.enum<a, b>" = {{.*}} { i32 {{[0-9]+}}, i32 4, i32 4, i32 1, ptr null, ptr null, i32 0, i32 0, i32 2, i32 0, ptr null, ptr @"sl.type.enum<a, b>.names" }
// CHECK-DAG: @"sl.type.enum<a, b>.names" = internal unnamed_addr constant [2 x ptr]
// CHECK-DAG: @"sl.type.tuple<e: enum<a, b>, m: map<ui16, rstring>>.fields" = {{.*}} [{ ptr, ptr, i32, i32 } { ptr @sl.str.[[#%x,]], ptr @"sl.type.enum<a, b>", i32 0, i32 0 }, { ptr, ptr, i32, i32 } { ptr @sl.str.[[#%x,]], ptr @"sl.type.map<ui16, rstring>", i32 8, i32 0 }]

!t = !spl.tuple<"e": !spl.enum<"a", "b">, "m": !spl.map<ui16, !spl.rstring>>

func.func @descriptor(%ctx: !llvm.ptr) -> !llvm.ptr {
  %0 = spl.type_desc !t : !llvm.ptr
  func.return %0 : !llvm.ptr
}
