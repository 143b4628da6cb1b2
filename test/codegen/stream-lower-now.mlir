// The clock is a call of the runtime.
// RUN: sluice-opt %s --flat-to-placed --placed-to-lowered | FileCheck %s

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  %b = stream.operator "B" kind "spl.utility::Custom" () [] : () -> !s {
    stream.on_process {
      %0 = spl.const : !t
      stream.submit 0, %0 : !t
      stream.end
    }
  }
  stream.operator "C" kind "spl.utility::Custom" (%b) [1] : (!s) -> () {
    stream.state "last" : si64 {
    }
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      // CHECK: %[[NOW:.*]] = llvm.call @sl_clock(%{{.*}})
      // CHECK: llvm.store %[[NOW]]
      %0 = stream.now : si64
      %1 = spl.state "last"[0] : !spl.ref<si64>
      spl.store %0, %1 : si64, !spl.ref<si64>
      stream.end
    }
  }
}
