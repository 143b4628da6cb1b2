// RUN: sluice-opt %s --stream-find-loops --stream-analyze-order --stream-place-boundaries=boundaries=none --split-input-file | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: sluice-opt %s --stream-find-loops --stream-analyze-order --stream-place-boundaries=boundaries=auto --split-input-file | FileCheck %s --check-prefixes=CHECK,AUTO
// RUN: sluice-opt %s --stream-find-loops --stream-analyze-order --stream-place-boundaries=boundaries=all --split-input-file | FileCheck %s --check-prefixes=CHECK,ALL

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// 0 direct, 1 switchable, 2 queue, 3 exclusive. What is heavy (a loop, native code) on both
// sides is worth a boundary; light operators are not.
// CHECK-LABEL: @Chain
stream.graph @Chain submissions = [] {
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // NONE: "Light"{{.*}}boundaries = #stream.boundaries<direct>
  // AUTO: "Light"{{.*}}boundaries = #stream.boundaries<direct>
  // ALL: "Light"{{.*}}boundaries = #stream.boundaries<switchable>
  %light = stream.operator "Light" kind "spl.utility::Custom" (%src) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      stream.submit 0, %t : !t
      stream.end
    }
  }
  // AUTO: "Heavy"{{.*}}boundaries = #stream.boundaries<direct>
  // ALL: "Heavy"{{.*}}boundaries = #stream.boundaries<switchable>
  %heavy = stream.operator "Heavy" kind "spl.utility::Custom" (%light) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %a = spl.field %t[0] : !t -> si32
      cf.br ^head
    ^head:
      %c = spl.compare lt %a, %a : si32
      cf.cond_br %c, ^head, ^done
    ^done:
      stream.submit 0, %t : !t
      stream.end
    }
  }
  // NONE: "Sink"{{.*}}boundaries = #stream.boundaries<direct>
  // AUTO: "Sink"{{.*}}boundaries = #stream.boundaries<switchable>
  // ALL: "Sink"{{.*}}boundaries = #stream.boundaries<switchable>
  stream.operator "Sink" kind "spl.adapter::FileSink" (%heavy) [1] {native} : (!s) -> () {
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// Where threads of two sources meet, and at all ports of such an operator, there is
// a way to keep one of them out, whatever was asked for.
// CHECK-LABEL: @Meet
stream.graph @Meet submissions = [] {
  %a = stream.operator "A" kind "spl.utility::Custom" () [] : () -> !s {
  }
  %b = stream.operator "B" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // NONE: "OnlyA"{{.*}}boundaries = #stream.boundaries<direct>
  %only = stream.operator "OnlyA" kind "spl.utility::Custom" (%a) [1] : (!s) -> !s {
  }
  // CHECK: "Both"{{.*}}boundaries = #stream.boundaries<switchable, switchable>
  %both = stream.operator "Both" kind "spl.utility::Custom" (%only, %b) [1, 1] : (!s, !s) -> !s {
  }
  // NONE: "Behind"{{.*}}boundaries = #stream.boundaries<direct>
  stream.operator "Behind" kind "spl.utility::Custom" (%both) [1] : (!s) -> () {
  }
}

// -----

!t = !spl.tuple<"a": !spl.rstring>
!s = !stream.stream<!t>

// A stream whose order can be seen is never queued, nor is what carries it on.
// CHECK-LABEL: @Ordered
stream.graph @Ordered submissions = [] {
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // ALL: "First"{{.*}}boundaries = #stream.boundaries<switchable>
  %first = stream.operator "First" kind "spl.utility::Custom" (%src) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %a = spl.field %t[0] : !t -> !spl.rstring
      spl.native "sl_printStringLn_r"(%a) [] generic = [] facts = <effects = console> : (!spl.rstring) -> ()
      stream.submit 0, %t : !t
      stream.end
    }
  }
  // ALL: "Between"{{.*}}boundaries = #stream.boundaries<direct>
  %between = stream.operator "Between" kind "spl.utility::Custom" (%first) [1] : (!s) -> !s {
  }
  // ALL: "Last"{{.*}}boundaries = #stream.boundaries<direct>
  stream.operator "Last" kind "spl.utility::Custom" (%between) [1] : (!s) -> () {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %a = spl.field %t[0] : !t -> !spl.rstring
      spl.native "sl_printStringLn_r"(%a) [] generic = [] facts = <effects = console> : (!spl.rstring) -> ()
      stream.end
    }
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// What closes a cycle is a queue; so its operator is entered by others as well.
// CHECK-LABEL: @Loop
stream.graph @Loop submissions = [] {
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // CHECK: "Again"{{.*}}boundaries = #stream.boundaries<switchable, queue>
  %again = stream.operator "Again" kind "spl.utility::Custom" (%src, %again) [1, 1] : (!s, !s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// Whatever was asked for: replicas run by themselves. Inside a region all is as usual.
// CHECK-LABEL: @Parallel
stream.graph @Parallel submissions = [] attributes {parallel_regions = [#stream.region<path = "P", width = 3, loc = loc(unknown)>]} {
  %a = stream.operator "A" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // CHECK: "P.In"{{.*}}boundaries = #stream.boundaries<switchable>
  %in = stream.operator "P.In" kind "spl.utility::Custom" (%a) [1] {parallel_region = 0 : i32, splits = [[#stream.split<region = 0, by = row>]]} : (!s) -> !s {
  }
  // NONE: "P.Out"{{.*}}boundaries = #stream.boundaries<direct>
  // AUTO: "P.Out"{{.*}}boundaries = #stream.boundaries<direct>
  // ALL: "P.Out"{{.*}}boundaries = #stream.boundaries<switchable>
  %out = stream.operator "P.Out" kind "spl.utility::Custom" (%in) [1] {parallel_region = 0 : i32} : (!s) -> !s {
  }
  // CHECK: "Sink"{{.*}}boundaries = #stream.boundaries<switchable>
  stream.operator "Sink" kind "spl.utility::Custom" (%out) [1] : (!s) -> () {
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// What the program says of a port comes first: 2 is always a queue, 3 never one that a
// policy makes.
// CHECK-LABEL: @Told
stream.graph @Told submissions = [] {
  %a = stream.operator "A" kind "spl.utility::Custom" () [] : () -> !s {
  }
  %b = stream.operator "B" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // CHECK: "Threaded"{{.*}}boundaries = #stream.boundaries<queue>{{.*}}reasons = ["config threadedPort"]
  %0 = stream.operator "Threaded" kind "spl.utility::Custom" (%a) [1] {threaded_ports = [#stream.threaded_port<port = 0, congestion = wait, size = 5>]} : (!s) -> !s {
  }
  // CHECK: "Dedicated"{{.*}}boundaries = #stream.boundaries<queue>{{.*}}reasons = ["@threading(model = dedicated)"]
  %1 = stream.operator "Dedicated" kind "spl.utility::Custom" (%0) [1] {threading = #stream.threading<model = dedicated>} : (!s) -> !s {
  }
  // CHECK: "Dynamic"{{.*}}boundaries = #stream.boundaries<switchable>
  %2 = stream.operator "Dynamic" kind "spl.utility::Custom" (%1) [1] {threading = #stream.threading<model = dynamic>} : (!s) -> !s {
  }
  // CHECK: "Fixed"{{.*}}boundaries = #stream.boundaries<queue>
  %3 = stream.operator "Fixed" kind "spl.utility::Custom" (%2) [1] {threading = #stream.threading<model = dynamic, elastic = false>} : (!s) -> !s {
  }
  // CHECK: "Delayed"{{.*}}boundaries = #stream.boundaries<queue>{{.*}}reasons = ["tuples wait here for their time"]
  %delayed = stream.operator "Delayed" kind "spl.utility::Delay" (%3) [1] {native, facts = #stream.operator_facts<traits = "native|delays">, threading = #stream.threading<model = manual>} : (!s) -> !s {
  }
  // CHECK: "Manual"{{.*}}boundaries = #stream.boundaries<direct>{{.*}}reasons = ["@threading(model = manual)"]
  %4 = stream.operator "Manual" kind "spl.utility::Custom" (%delayed) [1] {threading = #stream.threading<model = manual>} : (!s) -> !s {
  }
  // CHECK: "Meeting"{{.*}}boundaries = #stream.boundaries<exclusive>
  stream.operator "Meeting" kind "spl.utility::Custom" (%4, %b) [2] {threading = #stream.threading<model = manual>} : (!s, !s) -> () {
  }
}

// -----

!t = !spl.tuple<"a": !spl.rstring>
!s = !stream.stream<!t>

// Threads of two sources meet where an ordered stream leads: it is called, not queued.
// CHECK-LABEL: @OrderedMeets
stream.graph @OrderedMeets submissions = [] {
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  %other = stream.operator "Other" kind "spl.utility::Custom" () [] : () -> !s {
  }
  %first = stream.operator "First" kind "spl.utility::Custom" (%src) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %a = spl.field %t[0] : !t -> !spl.rstring
      spl.native "sl_printStringLn_r"(%a) [] generic = [] facts = <effects = console> : (!spl.rstring) -> ()
      stream.submit 0, %t : !t
      stream.end
    }
  }
  // CHECK: "Last"{{.*}}boundaries = #stream.boundaries<exclusive, switchable>{{.*}}its order could be seen
  stream.operator "Last" kind "spl.utility::Custom" (%first, %other) [1, 1] : (!s, !s) -> () {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %a = spl.field %t[0] : !t -> !spl.rstring
      spl.native "sl_printStringLn_r"(%a) [] generic = [] facts = <effects = console> : (!spl.rstring) -> ()
      stream.end
    }
  }
}
