// RUN: sluice-opt %s --stream-prune | FileCheck %s

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>
!m = !spl.enum<"WindowMarker", "FinalMarker">

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

// Window punctuation that no consumer hears goes, and so does a handler that only passes it on.
// CHECK-LABEL: @Unheard
stream.graph @Unheard submissions = [] {
  // CHECK: "Ticks"
  // CHECK: stream.submit 0
  // CHECK-NOT: stream.submit_punct
  // CHECK: stream.end
  %ticks = stream.operator "Ticks" kind "spl.utility::Custom" () [] : () -> !s {
    stream.on_process {
      %t = spl.const : !t
      stream.submit 0, %t : !t
      %w = spl.const 0 : !m
      stream.submit_punct 0, %w : !m
      %time = spl.const 7 : si64
      stream.submit_punct 0, watermark %time
      stream.end
    }
  }
  // CHECK: "Passes"
  // CHECK-NOT: stream.on_punct
  // CHECK: "Sink"
  %passed = stream.operator "Passes" kind "spl.utility::Custom" (%ticks) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      stream.submit 0, %t : !t
      stream.end
    }
    stream.on_punct 0 {
    ^bb0(%kind: !m):
      %w = spl.const 0 : !m
      %is = spl.compare eq %kind, %w : !m
      cf.cond_br %is, ^window, ^done
    ^window:
      stream.submit_punct 0, %w : !m
      cf.br ^done
    ^done:
      stream.end
    }
  }
  stream.operator "Sink" kind "spl.utility::Custom" (%passed) [1] : (!s) -> () {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %a = spl.const "x" : !spl.rstring
      spl.native "sl_printStringLn_r"(%a) [] generic = [] facts = <effects = console> : (!spl.rstring) -> ()
      stream.end
    }
  }
}

// A Final that a handler submits stays, and so does window punctuation for a native operator, and a
// watermark that a handler waits for.
// CHECK-LABEL: @Heard
stream.graph @Heard submissions = [] {
  // CHECK: "Ends"
  // CHECK: stream.submit_punct 0, %
  // CHECK: stream.submit_punct 1, %
  // CHECK-NOT: watermark
  // CHECK: stream.submit_punct 2, watermark
  // CHECK: "Listens"
  %ends:3 = stream.operator "Ends" kind "spl.utility::Custom" () [] : () -> (!s, !s, !s) {
    stream.on_process {
      %f = spl.const 1 : !m
      stream.submit_punct 0, %f : !m
      %w = spl.const 0 : !m
      stream.submit_punct 1, %w : !m
      %time = spl.const 7 : si64
      stream.submit_punct 1, watermark %time
      stream.submit_punct 2, watermark %time
      stream.end
    }
  }
  stream.operator "Listens" kind "spl.adapter::FileSink" (%ends#1) [1] {native} : (!s) -> () {
  }
  stream.operator "Waits" kind "spl.utility::Custom" (%ends#2) [1] : (!s) -> () {
    stream.on_watermark 0 {
    ^bb0(%time: si64):
      %l = spl.cast %time : si64 to !spl.rstring
      spl.native "sl_printStringLn_r"(%l) [] generic = [] facts = <effects = console> : (!spl.rstring) -> ()
      stream.end
    }
  }
}

// A handler that acts on final punctuation only does not hear window punctuation. One whose action
// depends on state hears it.
// CHECK-LABEL: @FinalOnly
stream.graph @FinalOnly submissions = [] {
  // CHECK: "Marks"
  // CHECK-NOT: stream.submit_punct 0
  // CHECK: stream.submit_punct 1
  // CHECK-NOT: stream.submit_punct
  // CHECK: "AtEnd"
  // CHECK: stream.on_punct
  %marks:2 = stream.operator "Marks" kind "spl.utility::Custom" () [] : () -> (!s, !s) {
    stream.on_process {
      %w = spl.const 0 : !m
      stream.submit_punct 0, %w : !m
      stream.submit_punct 1, %w : !m
      stream.end
    }
  }
  stream.operator "AtEnd" kind "spl.utility::Custom" (%marks#0) [1] : (!s) -> () {
    stream.on_punct 0 {
    ^bb0(%kind: !m):
      %f = spl.const 1 : !m
      %is = spl.compare eq %kind, %f : !m
      cf.cond_br %is, ^final, ^done
    ^final:
      %a = spl.const "x" : !spl.rstring
      spl.native "sl_printStringLn_r"(%a) [] generic = [] facts = <effects = console> : (!spl.rstring) -> ()
      cf.br ^done
    ^done:
      stream.end
    }
  }
  stream.operator "Sometimes" kind "spl.utility::Custom" (%marks#1) [1] : (!s) -> () {
    stream.state "on" : i1 {
    }
    stream.on_punct 0 {
    ^bb0(%kind: !m):
      %on = spl.state "on"[0] : !spl.ref<i1>
      %is = spl.load %on : !spl.ref<i1> -> i1
      cf.cond_br %is, ^say, ^done
    ^say:
      %a = spl.const "x" : !spl.rstring
      spl.native "sl_printStringLn_r"(%a) [] generic = [] facts = <effects = console> : (!spl.rstring) -> ()
      cf.br ^done
    ^done:
      stream.end
    }
  }
}
