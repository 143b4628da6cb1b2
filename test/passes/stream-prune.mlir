// RUN: sluice-opt %s --stream-prune | FileCheck %s

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// CHECK-LABEL: @Main
stream.graph @Main submissions = [] {
  // A source stays: how long it runs can be seen. Its submits to nobody go.
  // CHECK: "Src"
  // CHECK: stream.submit 0
  // CHECK-NOT: stream.submit 1
  // CHECK: stream.end
  %src:2 = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> (!s, !s) {
    stream.on_process {
      %t = spl.const : !t
      stream.submit 0, %t : !t
      stream.submit 1, %t : !t
      stream.end
    }
  }
  // CHECK-NOT: "Dead"
  %dead = stream.operator "Dead" kind "spl.utility::Custom" (%src#0) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      stream.submit 0, %t : !t
      stream.end
    }
  }
  // CHECK-NOT: "DeadBehind"
  stream.operator "DeadBehind" kind "spl.utility::Custom" (%dead) [1] : (!s) -> () {
  }
  // It may fail.
  // CHECK: "Divides"
  stream.operator "Divides" kind "spl.utility::Custom" (%src#0) [1] : (!s) -> () {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %a = spl.field %t[0] : !t -> si32
      %q = spl.div %a, %a : si32
      stream.end
    }
  }
  // It may never end.
  // CHECK: "Loops"
  stream.operator "Loops" kind "spl.utility::Custom" (%src#0) [1] : (!s) -> () {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      cf.br ^on
    ^on:
      cf.br ^on
    }
  }
  // It prints at the end.
  // CHECK: "Prints"
  stream.operator "Prints" kind "spl.utility::Custom" (%src#0) [1] : (!s) -> () {
    stream.on_punct 0 {
    ^bb0(%m: !spl.enum<"WindowMarker", "FinalMarker">):
      %a = spl.const "x" : !spl.rstring
      spl.native "sl_printStringLn_r"(%a) [] generic = [] facts = <effects = console> : (!spl.rstring) -> ()
      stream.end
    }
  }
}
