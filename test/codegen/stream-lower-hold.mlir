// A held port is a call of the runtime, and the program table knows which ports may be held.
// RUN: sluice-opt %s --flat-to-placed --placed-to-lowered | FileCheck %s

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// CHECK: stream.table{{.*}}name = "C"{{.*}}boundary = direct, holds = true, why = "{{[^"]*}}">, <{{.*}}boundary = direct, why = "{{[^"]*}}">]
stream.graph @Main submissions = [] {
  %b:2 = stream.operator "B" kind "spl.utility::Custom" () [] : () -> (!s, !s) {
    stream.on_process {
      %0 = spl.const : !t
      stream.submit 0, %0 : !t
      stream.submit 1, %0 : !t
      stream.end
    }
  }
  stream.operator "C" kind "spl.utility::Custom" (%b#0, %b#1) [1, 1] : (!s, !s) -> () {
    stream.state "n" : si32 {
    }
    // CHECK-LABEL: func.func private @op1.tuple0
    // CHECK-NOT: sl_hold
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %a = spl.field %t[0] : !t -> si32
      %n = spl.state "n"[0] : !spl.ref<si32>
      spl.store %a, %n : si32, !spl.ref<si32>
      stream.end
    }
    // CHECK-LABEL: func.func private @op1.tuple1
    // CHECK: %[[HELD:.*]] = arith.extui %{{.*}} : i1 to i32
    // CHECK: llvm.call @sl_hold(%{{.*}}, %c0_i32, %[[HELD]])
    stream.on_tuple 1 {
    ^bb0(%t: !t):
      %n = spl.state "n"[0] : !spl.ref<si32>
      %1 = spl.load %n : !spl.ref<si32> -> si32
      %a = spl.field %t[0] : !t -> si32
      %held = spl.compare lt %1, %a : si32
      stream.hold 0, %held
      stream.end
    }
  }
}
