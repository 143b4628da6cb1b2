// RUN: sluice-opt --convert-spl-to-llvm %s | FileCheck %s
// The types of all ports have TypeDescs, even if no code uses them.

// CHECK-DAG: llvm.mlir.global internal unnamed_addr constant @"sl.type.tuple<a: list<ui16>>"()
// CHECK-DAG: llvm.mlir.global internal unnamed_addr constant @"sl.type.list<ui16>"()
module attributes {sluice.table = {operators = [{inTypes = [!spl.tuple<"a": !spl.list<ui16>>]}]}} {}
