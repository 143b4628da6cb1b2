// What an operator leaves out is counted by a call of the runtime. What state holds at the end is
// counted by a function of the program table; state by key stays that.
// RUN: sluice-opt %s --flat-to-placed | FileCheck %s --check-prefix=PLACED
// RUN: sluice-opt %s --flat-to-placed --placed-to-lowered | FileCheck %s

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>
!map = !spl.map<si32, ui64>

// CHECK: stream.table{{.*}}name = "C"{{.*}}end = @op1.end0
// PLACED: "C"{{.*}}sharing = #stream.sharing<by_key
stream.graph @Main submissions = [] {
  %b = stream.operator "B" kind "spl.utility::Custom" () [] : () -> !s {
    stream.on_process {
      %0 = spl.const : !t
      stream.submit 0, %0 : !t
      stream.end
    }
  }
  stream.operator "C" kind "spl.utility::Custom" (%b) [1] : (!s) -> () {
    stream.state "m" : !map {
    }
    // CHECK-LABEL: func.func private @op1.tuple0
    // CHECK: llvm.call @sl_left_out(%{{.*}}, %{{.*}}, %c2_i32, %{{.*}})
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %a = spl.field %t[0] : !t -> si32
      %m = spl.state "m"[0] : !spl.ref<!map>
      %slot = spl.map_slot %m[%a] : !spl.ref<!map>, si32 -> !spl.ref<ui64>
      %one = spl.const 1 : ui64
      spl.store %one, %slot : ui64, !spl.ref<ui64>
      stream.left_out late, %one : ui64
      stream.end
    }
    // CHECK-LABEL: func.func private @op1.end0
    // CHECK: llvm.call @sl_left_out(%{{.*}}, %{{.*}}, %c0_i32, %{{.*}})
    stream.on_end {
      %m = spl.state "m"[0] : !spl.ref<!map>
      %map = spl.load %m : !spl.ref<!map> -> !map
      %size = spl.size %map : !map
      %count = spl.cast %size : ui32 to ui64
      stream.left_out in_windows, %count : ui64
      stream.end
    }
  }
}
