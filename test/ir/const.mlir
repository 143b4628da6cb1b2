// RUN: sluice-opt %s | sluice-opt | FileCheck %s
// Literals survive being printed and read.

func.func private @use(si64, f64, f64, !spl.rstring, !spl.list<si32>)

// CHECK-LABEL: @literals
func.func @literals() {
  // CHECK: spl.const -9223372036854775808 : si64
  %0 = spl.const -9223372036854775808 : si64
  // CHECK: spl.const -5.000000e+00 : f64
  %1 = spl.const -5.0 : f64
  // CHECK: spl.const 2.500000e-01 : f64
  %2 = spl.const 0.25 : f64
  // CHECK: spl.const "a\22b" : !spl.rstring
  %3 = spl.const "a\"b" : !spl.rstring
  // CHECK: spl.const : !spl.list<si32>
  %4 = spl.const : !spl.list<si32>
  func.call @use(%0, %1, %2, %3, %4) : (si64, f64, f64, !spl.rstring, !spl.list<si32>) -> ()
  func.return
}
