// RUN: sluice-opt %s --stream-find-loops --stream-analyze-order --stream-place-boundaries=boundaries=none --stream-form-segments --stream-verify-placed --split-input-file | FileCheck %s

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// A chain is one segment with its source. Edge kinds: 0 call, 1 batch, 2 back.
// CHECK-LABEL: @Chain
stream.graph @Chain submissions = [] {
  // CHECK: "Src"{{.*}}source_segment = 0
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // CHECK: "F"{{.*}}boundaries = #stream.boundaries<direct>, edges = #stream.edges<call>{{.*}}segment = array<i32: 0>
  %f = stream.operator "F" kind "spl.utility::Custom" (%src) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %a = spl.field %t[0] : !t -> si32
      %0 = spl.const 0 : si32
      %c = spl.compare lt %a, %0 : si32
      cf.cond_br %c, ^low, ^high
    // One of two submits runs, never both.
    ^low:
      stream.submit 0, %t : !t
      stream.end
    ^high:
      stream.submit 0, %t : !t
      stream.end
    }
  }
  // CHECK: "Sink"{{.*}}edges = #stream.edges<call>{{.*}}segment = array<i32: 0>
  stream.operator "Sink" kind "spl.utility::Custom" (%f) [1] : (!s) -> () {
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// After an operator that may make several tuples of one, a segment ends: here two
// submits on one path, then a loop around one.
// CHECK-LABEL: @Several
stream.graph @Several submissions = [] {
  // CHECK: "Src"{{.*}}source_segment = 0
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // CHECK: "Twice"{{.*}}edges = #stream.edges<call>{{.*}}segment = array<i32: 0>
  %twice = stream.operator "Twice" kind "spl.utility::Custom" (%src) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      stream.submit 0, %t : !t
      stream.submit 0, %t : !t
      stream.end
    }
  }
  // CHECK: "Loop"{{.*}}edges = #stream.edges<batch>{{.*}}segment = array<i32: 1>
  %loop = stream.operator "Loop" kind "spl.utility::Custom" (%twice) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      cf.br ^head
    ^head:
      stream.submit 0, %t : !t
      %c = spl.const 0 : i1
      cf.cond_br %c, ^head, ^done
    ^done:
      stream.end
    }
  }
  // CHECK: "Sink"{{.*}}edges = #stream.edges<batch>{{.*}}segment = array<i32: 2>
  stream.operator "Sink" kind "spl.utility::Custom" (%loop) [1] : (!s) -> () {
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// Operators that several streams reach head segments, one a port; who stands behind one
// that takes batches is not called. Native operators hand on batches.
// CHECK-LABEL: @Join
stream.graph @Join submissions = [] {
  // CHECK: "A"{{.*}}source_segment = 0
  %a = stream.operator "A" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // CHECK: "In"{{.*}}source_segment = 1
  %in = stream.operator "In" kind "spl.adapter::FileSource" () [] {native} : () -> !s {
  }
  // CHECK: "Both"{{.*}}edges = #stream.edges<batch, batch, batch>{{.*}}segment = array<i32: 2, 3>
  %both = stream.operator "Both" kind "spl.utility::Custom" (%a, %in, %in) [2, 1] : (!s, !s, !s) -> !s {
  }
  // CHECK: "Peer"{{.*}}edges = #stream.edges<batch>{{.*}}segment = array<i32: 4>
  %peer = stream.operator "Peer" kind "spl.utility::Custom" (%a) [1] : (!s) -> !s {
  }
  // CHECK: "Merge"{{.*}}edges = #stream.edges<batch, batch>{{.*}}segment = array<i32: 5>
  %merge = stream.operator "Merge" kind "spl.utility::Custom" (%both, %peer) [2] : (!s, !s) -> !s {
  }
  // One port with several streams is one segment, which goes on.
  // CHECK: "Tail"{{.*}}edges = #stream.edges<call>{{.*}}segment = array<i32: 5>
  stream.operator "Tail" kind "spl.utility::Custom" (%merge) [1] : (!s) -> () {
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// Of the consumers of one port some are called; others, behind them, take its batches.
// CHECK-LABEL: @Partly
stream.graph @Partly submissions = [] {
  // CHECK: "A"{{.*}}source_segment = 0
  %a = stream.operator "A" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // CHECK: "Called"{{.*}}edges = #stream.edges<call>{{.*}}segment = array<i32: 0>
  stream.operator "Called" kind "spl.utility::Custom" (%a) [1] : (!s) -> () {
  }
  // CHECK: "Behind"{{.*}}edges = #stream.edges<batch>{{.*}}segment = array<i32: 1>
  stream.operator "Behind" kind "spl.utility::Custom" (%a) [1] {threaded_ports = [#stream.threaded_port<port = 0, congestion = wait, size = 100>]} : (!s) -> () {
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// CHECK-LABEL: @Cycle
stream.graph @Cycle submissions = [] {
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // CHECK: "Gate"{{.*}}edges = #stream.edges<batch, back>{{.*}}segment = array<i32: 1, 2>
  %g = stream.operator "Gate" kind "spl.utility::Custom" (%src, %b) [1, 1] : (!s, !s) -> !s {
  }
  // CHECK: "Body"{{.*}}edges = #stream.edges<batch>{{.*}}segment = array<i32: 3>
  %b = stream.operator "Body" kind "spl.utility::Custom" (%g) [1] : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// An ordered stream is called whatever leaves its producer, as its batches would hold one tuple.
// CHECK-LABEL: @Ordered
stream.graph @Ordered submissions = [] {
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
    stream.on_process {
      %a = spl.const "x" : !spl.rstring
      spl.native "sl_printStringLn_r"(%a) [] generic = [] facts = <effects = console> : (!spl.rstring) -> ()
      stream.end
    }
  }
  // CHECK: "A"{{.*}}edges = #stream.edges<call>{{.*}}orders = #stream.orders<all>
  %a = stream.operator "A" kind "spl.utility::Custom" (%src) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      stream.submit 0, %t : !t
      stream.submit 0, %t : !t
      stream.end
    }
  }
  // CHECK: "Print"{{.*}}edges = #stream.edges<call>
  stream.operator "Print" kind "spl.utility::Custom" (%a) [1] : (!s) -> () {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      spl.native "sl_println_g"(%t) [!t] generic = [0] facts = <effects = console> : (!t) -> ()
      stream.end
    }
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// Ordered streams of one segment meet by calls, at one port or at several, and go on. Where one of
// them comes from another segment all are batches, and so are the other consumers of their ports.
// CHECK-LABEL: @Meet
stream.graph @Meet submissions = [] {
  // CHECK: "Src"{{.*}}source_segment = 0
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // CHECK: "L"{{.*}}edges = #stream.edges<call>{{.*}}segment = array<i32: 0>
  %l = stream.operator "L" kind "spl.utility::Custom" (%src) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      stream.submit 0, %t : !t
      stream.end
    }
  }
  // CHECK: "R"{{.*}}edges = #stream.edges<call>{{.*}}segment = array<i32: 0>
  %r = stream.operator "R" kind "spl.utility::Custom" (%src) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      stream.submit 0, %t : !t
      stream.end
    }
  }
  // CHECK: "Both"{{.*}}edges = #stream.edges<call, call, call>{{.*}}segment = array<i32: 0, 0>
  %both = stream.operator "Both" kind "spl.utility::Custom" (%l, %r, %r) [2, 1] : (!s, !s, !s) -> !s {
    stream.state "n" : si32 {
      %0 = spl.const 0 : si32
      stream.yield %0 : si32
    }
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %n = spl.state "n"[0] : <si32>
      %a = spl.field %t[0] : !t -> si32
      spl.store %a, %n : si32, <si32>
      stream.submit 0, %t : !t
      stream.end
    }
  }
  // CHECK: "Tail"{{.*}}edges = #stream.edges<call>{{.*}}segment = array<i32: 0>
  %tail = stream.operator "Tail" kind "spl.utility::Custom" (%both) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      stream.submit 0, %t : !t
      stream.end
    }
  }
  // CHECK: "Else"{{.*}}source_segment = 1
  %else = stream.operator "Else" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // CHECK: "Last"{{.*}}edges = #stream.edges<batch, batch>{{.*}}segment = array<i32: 2>
  stream.operator "Last" kind "spl.utility::Custom" (%tail, %else) [2] : (!s, !s) -> () {
  }
  // Behind an operator with two segments a new one begins, which goes on.
  // CHECK: "Two"{{.*}}edges = #stream.edges<batch, batch>{{.*}}segment = array<i32: 3, 4>
  %two = stream.operator "Two" kind "spl.utility::Custom" (%tail, %else) [1, 1] : (!s, !s) -> !s {
  }
  // CHECK: "Next"{{.*}}edges = #stream.edges<batch>{{.*}}segment = array<i32: 5>
  %next = stream.operator "Next" kind "spl.utility::Custom" (%two) [1] : (!s) -> !s {
  }
  // CHECK: "End"{{.*}}edges = #stream.edges<call>{{.*}}segment = array<i32: 5>
  stream.operator "End" kind "spl.utility::Custom" (%next) [1] : (!s) -> () {
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// The same with marks only: A prints when one comes, and so does Print behind it.
// CHECK-LABEL: @OrderedPuncts
stream.graph @OrderedPuncts submissions = [] {
  // CHECK: "Src"{{.*}}orders = #stream.orders<puncts>
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // CHECK: "A"{{.*}}orders = #stream.orders<puncts>
  %a = stream.operator "A" kind "spl.utility::Custom" (%src) [1] : (!s) -> !s {
  }
  stream.operator "B" kind "spl.utility::Custom" (%src) [1] : (!s) -> () {
    stream.on_punct 0 {
    ^bb0(%m: !spl.enum<"WindowMarker", "FinalMarker">):
      %x = spl.const "x" : !spl.rstring
      spl.native "sl_printStringLn_r"(%x) [] generic = [] facts = <effects = console> : (!spl.rstring) -> ()
      stream.end
    }
  }
  stream.operator "Print" kind "spl.utility::Custom" (%a) [1] : (!s) -> () {
    stream.on_punct 0 {
    ^bb0(%m: !spl.enum<"WindowMarker", "FinalMarker">):
      %x = spl.const "x" : !spl.rstring
      spl.native "sl_printStringLn_r"(%x) [] generic = [] facts = <effects = console> : (!spl.rstring) -> ()
      stream.end
    }
  }
}
