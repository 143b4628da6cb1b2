// RUN: sluice-opt %s --stream-expand-operators --split-input-file | FileCheck %s

// What a Functor does: logic, filter, then each output port in turn. Window
// marks are passed on, Final is the runtime's.

!t = !spl.tuple<"a": si32, "b": si32>
!o = !spl.tuple<"b": si32>
!m = !spl.enum<"WindowMarker", "FinalMarker">

// CHECK-LABEL: stream.graph @Functor
stream.graph @Functor submissions = [] {
  %in = stream.operator "In" kind "spl.utility::Custom" () [] : () -> !stream.stream<!t> {
  }
  // CHECK: stream.operator "F" kind "spl.utility::Custom"{{.*}} {original = "spl.relational::Functor"
  %f:2 = stream.operator "F" kind "spl.relational::Functor" (%in) [1] : (!stream.stream<!t>) -> (!stream.stream<!o>, !stream.stream<!t>) {
    // CHECK: stream.state "n" : si32
    stream.state "n" : si32 {
    }
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %n = spl.state "n"[0] : !spl.ref<si32>
      %a = spl.field %t[0] : !t -> si32
      spl.store %a, %n : si32, !spl.ref<si32>
      stream.end
    }
    stream.param "filter" {
    ^bb0(%t: !t):
      %a = spl.field %t[0] : !t -> si32
      %b = spl.field %t[1] : !t -> si32
      %c = spl.compare lt %a, %b : si32
      stream.yield %c : i1
    }
    stream.output 0 {
    ^bb0(%t: !t):
      %b = spl.field %t[1] : !t -> si32
      stream.yield %b : si32
    }
    stream.output 1 {
    ^bb0(%t: !t):
      %a = spl.field %t[0] : !t -> si32
      %b = spl.field %t[1] : !t -> si32
      stream.yield %a, %b : si32, si32
    }
    // CHECK-NOT: stream.param
    // CHECK: stream.on_tuple 0
    // CHECK-NEXT: ^bb0(%[[T:.*]]: !spl.tuple<"a": si32, "b": si32>):
    // CHECK: spl.store
    // CHECK: %[[C:.*]] = spl.compare lt
    // CHECK: cf.cond_br %[[C]], ^[[YES:bb.*]], ^[[NO:bb[0-9]+]]
    // CHECK: ^[[YES]]:
    // CHECK: %[[NEW:.*]] = spl.make_tuple
    // CHECK: stream.submit 0, %[[NEW]]
    // The second output is the input as it is.
    // CHECK: stream.submit 1, %[[T]]
    // CHECK: stream.end
    // CHECK: ^[[NO]]:
    // CHECK-NEXT: stream.end
    // CHECK: stream.on_punct 0
    // CHECK-NEXT: ^bb0(%[[M:.*]]: !spl.enum
    // What is submitted is the constant: it says that this is no Final.
    // CHECK: %[[W:.*]] = spl.const 0 : !spl.enum
    // CHECK: spl.compare eq %[[M]], %[[W]]
    // CHECK: stream.submit_punct 0, %[[W]]
    // CHECK-NEXT: stream.submit_punct 1, %[[W]]
  }
}

// -----

// A condition with branches of its own, as `a > 0 && b > 0` has.

!t = !spl.tuple<"a": si32, "b": si32>

// CHECK-LABEL: stream.graph @Filter
stream.graph @Filter submissions = [] {
  %in = stream.operator "In" kind "spl.utility::Custom" () [] : () -> !stream.stream<!t> {
  }
  %f:2 = stream.operator "F" kind "spl.relational::Filter" (%in) [1] : (!stream.stream<!t>) -> (!stream.stream<!t>, !stream.stream<!t>) {
    stream.param "filter" {
    ^bb0(%t: !t):
      %v = spl.var "v" : !spl.ref<si32>
      %a = spl.field %t[0] : !t -> si32
      %0 = spl.const 0 : si32
      %c = spl.compare gt %a, %0 : si32
      cf.cond_br %c, ^more, ^done(%c : i1)
    ^more:
      %b = spl.field %t[1] : !t -> si32
      %d = spl.compare gt %b, %0 : si32
      cf.br ^done(%d : i1)
    ^done(%r: i1):
      stream.yield %r : i1
    }
    // CHECK: stream.on_tuple 0
    // CHECK-NEXT: ^bb0(%[[T:.*]]: !spl.tuple
    // CHECK-NEXT: spl.var "v"
    // CHECK: ^[[DONE:bb.*]](%[[R:.*]]: i1):
    // CHECK: cf.br ^[[BEHIND:bb[0-9]+]](%[[R]] : i1)
    // CHECK: ^[[BEHIND]](%[[ACCEPT:.*]]: i1):
    // CHECK: cf.cond_br %[[ACCEPT]]
    // CHECK: stream.submit 0, %[[T]]
    // CHECK: stream.submit 1, %[[T]]
  }
}

// -----

!t = !spl.tuple<"a": si32>

// CHECK-LABEL: stream.graph @Split
stream.graph @Split submissions = [] {
  %in = stream.operator "In" kind "spl.utility::Custom" () [] : () -> !stream.stream<!t> {
  }
  // By a number: negative goes nowhere, the rest modulo the number of ports.
  %a:2 = stream.operator "A" kind "spl.utility::Split" (%in) [1] : (!stream.stream<!t>) -> (!stream.stream<!t>, !stream.stream<!t>) {
    stream.param "index" {
    ^bb0(%t: !t):
      %a = spl.field %t[0] : !t -> si32
      stream.yield %a : si32
    }
    // CHECK: stream.on_tuple 0
    // CHECK: %[[I:.*]] = spl.field
    // CHECK: spl.compare ge %[[I]]
    // CHECK: %[[P:.*]] = spl.rem %[[I]]
    // CHECK: spl.compare eq %[[P]]
    // CHECK: stream.submit 0
    // CHECK: stream.submit 1
  }
  // By a list: to each of the ports.
  %b:2 = stream.operator "B" kind "spl.utility::Split" (%in) [1] : (!stream.stream<!t>) -> (!stream.stream<!t>, !stream.stream<!t>) {
    stream.param "index" {
    ^bb0(%t: !t):
      %l = spl.const : !spl.list<ui32>
      stream.yield %l : !spl.list<ui32>
    }
    // CHECK: stream.on_tuple 0
    // CHECK: spl.size
    // CHECK: ^[[HEAD:bb.*]](%[[POS:.*]]: ui32):
    // CHECK: spl.nth %{{.*}}[%[[POS]]]
    // CHECK-NOT: spl.compare ge
    // CHECK: spl.rem
    // CHECK: cf.br ^[[HEAD]]
  }
  // Union picks attributes by name and lets no mark through.
  // CHECK: stream.operator "U" {{.*}} {original = "spl.utility::Union"
  %u = stream.operator "U" kind "spl.utility::Union" (%a#0, %a#1) [1, 1] : (!stream.stream<!t>, !stream.stream<!t>) -> !stream.stream<!t> {
    // CHECK: stream.on_tuple 0
    // CHECK: stream.submit 0
    // CHECK: stream.on_tuple 1
    // CHECK: stream.submit 0
    // CHECK-NOT: stream.on_punct
  }
}

// -----

!t = !spl.tuple<"n": ui64>

// CHECK-LABEL: stream.graph @Beacon
stream.graph @Beacon submissions = [] {
  %in = stream.operator "B" kind "spl.utility::Beacon" () [] : () -> !stream.stream<!t> {
    stream.param "iterations" {
      %0 = spl.const 10 : si32
      stream.yield %0 : si32
    }
    stream.param "period" {
      %0 = spl.const 0.5 : f64
      stream.yield %0 : f64
    }
    stream.output 0 {
      %n = spl.output_fn "IterationCount"() : () -> ui64
      stream.yield %n : ui64
    }
    // CHECK: stream.on_process
    // CHECK: %[[TEN:.*]] = spl.cast %{{.*}} : si32 to ui64
    // CHECK: cf.br ^[[HEAD:bb[0-9]+]]
    // CHECK: ^[[HEAD]](%[[N:.*]]: ui64):
    // A block of one tuple, because each waits for its period.
    // CHECK: %[[ONE:.*]] = spl.const 1 : ui64
    // CHECK: %[[ROOM:.*]] = stream.room %[[ONE]] : ui64
    // CHECK: %[[STOP:.*]] = stream.is_shutdown %[[N]] : ui64
    // CHECK: %[[MORE:.*]] = spl.compare lt %[[N]], %[[TEN]]
    // CHECK: cf.cond_br %[[MORE]], ^{{.*}}, ^[[DONE:bb[0-9]+]]
    // CHECK: cf.cond_br %[[STOP]], ^[[DONE]]
    // No pause before the first tuple.
    // CHECK: spl.compare eq %[[N]]
    // CHECK: stream.wait
    // CHECK: %[[LEFT:.*]] = spl.binary sub %[[TEN]], %[[N]]
    // CHECK: %[[STEP:.*]] = arith.select %{{.*}}, %[[LEFT]], %[[ROOM]] : ui64
    // CHECK: %[[END:.*]] = spl.binary add %[[N]], %[[STEP]]
    // CHECK: cf.br ^[[INNER:bb[0-9]+]](%[[N]]
    // CHECK: ^[[INNER]](%[[C:.*]]: ui64):
    // CHECK: spl.compare ne %[[C]], %[[END]]
    // CHECK: cf.br ^[[HEAD]](%[[C]]
    // CHECK: spl.arena_checkpoint
    // CHECK: %[[T:.*]] = spl.make_tuple %[[C]]
    // CHECK: stream.submit 0, %[[T]]
    // CHECK: spl.release
    // CHECK: cf.br ^[[INNER]]
    // CHECK: ^[[DONE]]:
    // CHECK: %[[M:.*]] = spl.const 0 : !spl.enum<"WindowMarker", "FinalMarker">
    // CHECK: stream.submit_punct 0, %[[M]]
  }
}

// -----

// Native operators keep their parameters; what the runtime cannot do stands in
// Customs of the same name before and behind them.

!t = !spl.tuple<"a": si32, "line": si64, "file": !spl.rstring, "b": !spl.rstring>
!m = !spl.enum<"WindowMarker", "FinalMarker">

// CHECK-LABEL: stream.graph @Natives
stream.graph @Natives submissions = [] {
  // `a` is read, `line` is an output function's value, the others are computed
  // from `$FileName`, which the program does not see.
  // CHECK: %[[RAW:.*]] = stream.operator "In" kind "spl.adapter::FileSource"() [] {native}
  // CHECK-SAME: !stream.stream<<"a": si32, "line": si64, "$FileName": !spl.rstring>>
  // CHECK: stream.param "file"
  // CHECK: stream.param "$out.line"
  // CHECK-NEXT: spl.const "TupleNumber"
  // CHECK: stream.param "$out.$FileName"
  // CHECK-NEXT: spl.const "FileName"
  // CHECK-NOT: stream.output
  %in = stream.operator "In" kind "spl.adapter::FileSource" () [] : () -> !stream.stream<!t> {
    stream.param "file" {
      %0 = spl.const "in.csv" : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
    stream.output 0 {
      %a = spl.output_fn "AsIs"() : () -> si32
      %n = spl.output_fn "TupleNumber"() : () -> si64
      %f = spl.output_fn "FileName"() : () -> !spl.rstring
      %x = spl.const "x" : !spl.rstring
      %g = spl.binary add %f, %x : !spl.rstring, !spl.rstring
      %y = spl.const "y" : !spl.rstring
      stream.yield %a, %n, %g, %y : si32, si64, !spl.rstring, !spl.rstring
    }
  }
  // CHECK: %[[IN:.*]] = stream.operator "In" kind "spl.utility::Custom"(%[[RAW]]) [1] {original = "spl.adapter::FileSource", part = "output"}
  // CHECK: stream.on_tuple 0
  // CHECK: %[[F:.*]] = spl.field %[[R:.*]][2]
  // CHECK: %[[G:.*]] = spl.binary add %[[F]]
  // CHECK: %[[Y:.*]] = spl.const "y"
  // CHECK: %[[A:.*]] = spl.field %[[R]][0]
  // CHECK: %[[N:.*]] = spl.field %[[R]][1]
  // CHECK: spl.make_tuple %[[A]], %[[N]], %[[G]], %[[Y]]
  // CHECK: stream.on_punct 0

  // CHECK: %[[T:.*]] = stream.operator "Slow" kind "spl.utility::Throttle"(%[[IN]]) [1] {native}
  %slow = stream.operator "Slow" kind "spl.utility::Throttle" (%in) [1] : (!stream.stream<!t>) -> !stream.stream<!t> {
    stream.param "rate" {
      %0 = spl.const 10.0 : f64
      stream.yield %0 : f64
    }
  }
  // CHECK: %[[L:.*]] = stream.operator "Out" kind "spl.utility::Custom"(%[[T]], %[[IN]]) [2] {isCatch, original = "spl.adapter::FileSink", part = "logic"}
  // CHECK: stream.state "n"
  // CHECK: stream.on_tuple 0
  // CHECK: spl.store
  // CHECK: stream.submit 0
  // CHECK: stream.on_punct 0
  // CHECK: stream.submit_punct 0
  // CHECK: stream.operator "Out" kind "spl.adapter::FileSink"(%[[L]]) [1] {isCatch, native}
  // CHECK-NOT: stream.state
  // A parameter that could use the tuple but does not is evaluated at start.
  // CHECK: stream.param "file" {
  // CHECK-NEXT: spl.const "out.csv"
  stream.operator "Out" kind "spl.adapter::FileSink" (%slow, %in) [2] {isCatch} : (!stream.stream<!t>, !stream.stream<!t>) -> () {
    stream.state "n" : si32 {
    }
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %n = spl.state "n"[0] : !spl.ref<si32>
      %a = spl.field %t[0] : !t -> si32
      spl.store %a, %n : si32, !spl.ref<si32>
      stream.end
    }
    stream.param "file" {
    ^bb0(%t: !t):
      %0 = spl.const "out.csv" : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
    // Attributes are named.
    // CHECK: stream.param "suppress" {
    // CHECK-NEXT: %[[S:.*]] = spl.const "line" : !spl.rstring
    // CHECK-NEXT: stream.yield %[[S]] : !spl.rstring
    stream.param "suppress" {
    ^bb0(%t: !t):
      %0 = spl.field %t[1] : !t -> si64
      stream.yield %0 : si64
    }
  }
}
