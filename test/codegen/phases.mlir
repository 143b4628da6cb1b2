// RUN: sluice-opt %s --graph-to-flat --flat-to-placed | FileCheck %s
// RUN: not sluice-opt %s --graph-to-flat --flat-to-placed=boundaries=some 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: sluice-opt %s --graph-to-flat --flat-to-placed=merge-order=any | FileCheck %s --check-prefix=ANY
// RUN: sluice-opt %s --graph-to-flat --flat-to-placed --placed-to-lowered | FileCheck %s --check-prefix=LOWERED
// RUN: sluice-opt %s --graph-to-flat --flat-to-placed --placed-to-lowered --lowered-to-llvm | FileCheck %s --check-prefix=LLVM

// From the source's graph to phase placed, lowered and llvm, as the driver goes.
// LOWERED-NOT: stream.graph
// LOWERED: func.func private @op0.process0(
// LLVM-NOT: func.func
// LLVM: llvm.func internal @op0.process0(

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// SOME: for the --boundaries option: Cannot find option named 'some'!
// CHECK-LABEL: stream.graph @Main
stream.graph @Main submissions = [] {
  // CHECK: "Src" kind "spl.utility::Custom"{{.*}}orders = #stream.orders<none>{{.*}}source_segment = 0
  // ANY: "Src" kind "spl.utility::Custom"{{.*}}orders = #stream.orders<none>
  %src = stream.operator "Src" kind "spl.utility::Beacon" () [] : () -> !s {
    stream.param "iterations" {
      %0 = spl.const 3 : ui64
      stream.yield %0 : ui64
    }
  }
  // The branches meet again at Out, so all are calls; in any order Out gets batches.
  // CHECK: "C.Pass" kind "spl.utility::Custom"{{.*}}edges = #stream.edges<call>{{.*}}segment = array<i32: 0>
  // ANY: "C.Pass" kind "spl.utility::Custom"{{.*}}edges = #stream.edges<call>{{.*}}segment = array<i32: 0>
  %c = stream.composite "C" of "C" (%src) : (!s) -> !s {
  ^bb0(%in: !s):
    %p = stream.operator "C.Pass" kind "spl.relational::Filter" (%in) [1] {facts = #stream.operator_facts<traits = forwards>} : (!s) -> !s {
    }
    stream.export %p : !s
  }
  %m = stream.merge %c, %src : !s
  // ANY: "Out" kind "spl.adapter::FileSink"({{.*}}) [2]{{.*}}edges = #stream.edges<batch, batch>{{.*}}native
  // CHECK: "Out" kind "spl.adapter::FileSink"({{.*}}) [2]{{.*}}edges = #stream.edges<call, call>{{.*}}native
  stream.operator "Out" kind "spl.adapter::FileSink" (%m) [1] {facts = #stream.operator_facts<traits = native>} : (!s) -> () {
    stream.param "file" {
      %0 = spl.const "out.csv" : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
}
