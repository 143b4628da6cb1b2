// RUN: sluice-opt %s --stream-find-loops --stream-analyze-order --stream-place-boundaries=boundaries=none --stream-form-segments --stream-lower-segments | FileCheck %s

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>
!m = !spl.enum<"WindowMarker", "FinalMarker">

// A port that a handler may close by hand asks whether it is open before every
// tuple and every mark.
// CHECK-LABEL: func.func private @op0.strip0(
// CHECK: call @sl_out_open
// CHECK-LABEL: func.func private @op0.run0(
// CHECK: call @sl_out_close
// CHECK: call @sl_out_open
// CHECK: call @op1.arrive0
// CHECK: call @sl_out_open
// CHECK: call @op1.arrive0
stream.graph @Main submissions = [] {
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
    stream.on_process {
      %final = spl.const 1 : !m
      stream.submit_punct 0, %final : !m
      %window = spl.const 0 : !m
      stream.submit_punct 0, %window : !m
      stream.end
    }
  }
  stream.operator "Sink" kind "spl.utility::Custom" (%src) [1] : (!s) -> () {
  }
}

// Only a Final closes a port; a kind that there is not is an internal error.
// CHECK-LABEL: func.func private @op1.arrive0(
// CHECK-SAME: , %[[KIND:[a-z0-9]+]]: i32, %{{[a-z0-9]+}}: i64)
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: %[[FINAL:.*]] = arith.cmpi eq, %[[KIND]], %[[ONE]]
// CHECK: call @sl_unknown_punct(%[[KIND]])
// CHECK: cf.cond_br %[[FINAL]]
// CHECK: call @sl_port_final
