// RUN: sluice-opt --convert-spl-to-llvm %s | FileCheck %s
// The types of all ports and of state variables have TypeDescs, even if no code uses them.

// CHECK-DAG: llvm.mlir.global internal unnamed_addr constant @"sl.type.tuple<a: list<ui16>>"()
// CHECK-DAG: llvm.mlir.global internal unnamed_addr constant @"sl.type.list<ui16>"()
// CHECK-DAG: llvm.mlir.global internal unnamed_addr constant @"sl.type.tuple<b: f32>"()
// CHECK-DAG: llvm.mlir.global internal unnamed_addr constant @"sl.type.map<si8, si64>"()
module attributes {stream.table = #stream.table<
  main = "Main", state_bytes = 16, init = @f, destroy = @f,
  operators = [
    <name = "A", kind = "spl.utility::Custom", cost = 1.0 : f64, first_state = 0,
     state_bytes = 16,
     inputs = [<type = <"a": !spl.list<ui16>>, producers = 1, boundary = queue>],
     outputs = [<type = <"b": f32>>], rows_out = [unknown],
     states = [<name = "m", offset = 0, type = !spl.map<si8, si64>>], keyed = <rows = @f, column = 0, variables = [<name = "m", offset = 0, type = !spl.map<si8, si64>>]>,
     loc = loc(unknown)>]>} {
  llvm.func @f(!llvm.ptr) -> i32
}
