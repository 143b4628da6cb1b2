// RUN: sluice-opt %s --stream-analyze-order --split-input-file | FileCheck %s
// RUN: sluice-opt %s --stream-analyze-order=merge-order=any --split-input-file | FileCheck %s --check-prefix=ANY

!t = !spl.tuple<"a": !spl.rstring>
!s = !stream.stream<!t>

// (a) Producer and a later consumer both print.
// CHECK-LABEL: @Shared
// ANY-LABEL: @Shared
stream.graph @Shared submissions = [] {
  // CHECK: "Src"{{.*}}orders = #stream.orders<none>
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // CHECK: "First"{{.*}}orders = #stream.orders<all>
  // ANY: "First"{{.*}}orders = #stream.orders<all>
  %first = stream.operator "First" kind "spl.utility::Custom" (%src) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      spl.call @say() : () -> ()
      stream.submit 0, %t : !t
      stream.end
    }
  }
  // What carries it on is ordered, too.
  // CHECK: "Between"{{.*}}orders = #stream.orders<all>
  %between = stream.operator "Between" kind "spl.utility::Custom" (%first) [1] : (!s) -> !s {
  }
  stream.operator "Last" kind "spl.utility::Custom" (%between) [1] : (!s) -> () {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %a = spl.field %t[0] : !t -> !spl.rstring
      spl.native "sl_printStringLn_r"(%a) [] generic = [] facts = <effects = console> : (!spl.rstring) -> ()
      stream.end
    }
  }
}

spl.func @say() {
  %a = spl.const "x" : !spl.rstring
  spl.native "sl_printStringLn_r"(%a) [] generic = [] facts = <effects = console> : (!spl.rstring) -> ()
  spl.return
}

// -----

!t = !spl.tuple<"a": !spl.rstring>
!s = !stream.stream<!t>

// (b) Two ways that lead to the console. Merge order `any` lets them overtake.
// CHECK-LABEL: @Fork
// ANY-LABEL: @Fork
stream.graph @Fork submissions = [] {
  // CHECK: "Src"{{.*}}orders = #stream.orders<all, all, puncts>
  // ANY: "Src"{{.*}}orders = #stream.orders<none, none, none>
  %src:3 = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> (!s, !s, !s) {
  }
  stream.operator "A" kind "spl.utility::Custom" (%src#0) [1] : (!s) -> () {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %a = spl.field %t[0] : !t -> !spl.rstring
      spl.native "sl_printStringLn_r"(%a) [] generic = [] facts = <effects = console> : (!spl.rstring) -> ()
      stream.end
    }
  }
  stream.operator "B" kind "spl.utility::Custom" (%src#1) [1] : (!s) -> () {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      spl.native "sl_println_g"(%t) [!t] generic = [0] facts = <effects = console> : (!t) -> ()
      stream.end
    }
  }
  // A print at marks alone orders marks only.
  stream.operator "C" kind "spl.utility::Custom" (%src#2) [1] : (!s) -> () {
    stream.on_punct 0 {
    ^bb0(%m: !spl.enum<"WindowMarker", "FinalMarker">):
      %a = spl.const "x" : !spl.rstring
      spl.native "sl_printStringLn_r"(%a) [] generic = [] facts = <effects = console> : (!spl.rstring) -> ()
      stream.end
    }
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// (b) Two ways that meet at an operator with state; without it, nobody sees.
// CHECK-LABEL: @Meet
stream.graph @Meet submissions = [] {
  // CHECK: "Src"{{.*}}orders = #stream.orders<all>
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  %a = stream.operator "A" kind "spl.utility::Custom" (%src) [1] : (!s) -> !s {
  }
  stream.operator "Count" kind "spl.utility::Custom" (%src, %a) [2] : (!s, !s) -> () {
    stream.state "n" : si32 {
    }
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %v = spl.field %t[0] : !t -> si32
      %n = spl.state "n"[0] : !spl.ref<si32>
      spl.store %v, %n : si32, !spl.ref<si32>
      stream.end
    }
  }
  // CHECK: "Src2"{{.*}}orders = #stream.orders<none>
  %src2 = stream.operator "Src2" kind "spl.utility::Custom" () [] : () -> !s {
  }
  %b = stream.operator "B" kind "spl.utility::Custom" (%src2) [1] : (!s) -> !s {
  }
  %c = stream.operator "C" kind "spl.utility::Custom" (%src2, %b) [2] : (!s, !s) -> !s {
    stream.state "limit" : si32 {
    }
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %n = spl.state "limit"[0] : !spl.ref<si32>
      %v = spl.load %n : !spl.ref<si32> -> si32
      stream.end
    }
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// Files of different names are different things, and what is read is not what is written; two
// that are written are one if their names agree, or one is not known.
// CHECK-LABEL: @Files
stream.graph @Files submissions = [] {
  // CHECK: "Src"{{.*}}orders = #stream.orders<none>
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  stream.operator "A" kind "spl.adapter::FileSink" (%src) [1] {facts = #stream.operator_facts<traits = native, writes = "file">, native} : (!s) -> () {
    stream.param "file" {
      %0 = spl.const "a.csv" : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
  stream.operator "B" kind "spl.adapter::FileSink" (%src) [1] {facts = #stream.operator_facts<traits = native, writes = "file">, native} : (!s) -> () {
    stream.param "file" {
      %0 = spl.const "b.csv" : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
  // CHECK: "In"{{.*}}orders = #stream.orders<none>
  %in = stream.operator "In" kind "spl.adapter::FileSource" () [] {facts = #stream.operator_facts<traits = native, reads = "file">, native} : () -> !s {
    stream.param "file" {
      %0 = spl.const "data/a.csv" : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
  stream.operator "Unknown" kind "spl.adapter::FileSink" (%in) [1] {facts = #stream.operator_facts<traits = native, writes = "file">, native} : (!s) -> () {
    stream.param "file" {
      %0 = spl.submission 0 : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
  // CHECK: "FromUnknown"{{.*}}orders = #stream.orders<none>
  %from = stream.operator "FromUnknown" kind "spl.adapter::FileSource" () [] {facts = #stream.operator_facts<traits = native, reads = "file">, native} : () -> !s {
    stream.param "file" {
      %0 = spl.submission 1 : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
  stream.operator "ToUnknown" kind "spl.adapter::FileSink" (%from) [1] {facts = #stream.operator_facts<traits = native, writes = "file">, native} : (!s) -> () {
    stream.param "file" {
      %0 = spl.submission 0 : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
  // CHECK: "Twice"{{.*}}orders = #stream.orders<all>
  %twice = stream.operator "Twice" kind "spl.utility::Custom" () [] : () -> !s {
  }
  stream.operator "ToX" kind "spl.adapter::FileSink" (%twice) [1] {facts = #stream.operator_facts<traits = native, writes = "file">, native} : (!s) -> () {
    stream.param "file" {
      %0 = spl.const "x.csv" : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
  stream.operator "ToXAsWell" kind "spl.adapter::FileSink" (%twice) [1] {facts = #stream.operator_facts<traits = native, writes = "file">, native} : (!s) -> () {
    stream.param "file" {
      %0 = spl.const "data/x.csv" : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
  // CHECK: "Either"{{.*}}orders = #stream.orders<all>
  %either = stream.operator "Either" kind "spl.utility::Custom" () [] : () -> !s {
  }
  stream.operator "ToY" kind "spl.adapter::FileSink" (%either) [1] {facts = #stream.operator_facts<traits = native, writes = "file">, native} : (!s) -> () {
    stream.param "file" {
      %0 = spl.const "y.csv" : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
  stream.operator "ToAny" kind "spl.adapter::FileSink" (%either) [1] {facts = #stream.operator_facts<traits = native, writes = "file">, native} : (!s) -> () {
    stream.param "file" {
      %0 = spl.submission 0 : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
  // Who is told of a file by a sink reads it before the sink writes it again.
  %rows = stream.operator "Rows" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // CHECK: "Closing"{{.*}}orders = #stream.orders<all>
  %closed = stream.operator "Closing" kind "spl.adapter::FileSink" (%rows) [1] {facts = #stream.operator_facts<traits = native, writes = "file">, native} : (!s) -> !s {
    stream.param "file" {
      %0 = spl.const "c{id}.csv" : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
  stream.operator "Closed" kind "spl.adapter::FileSource" (%closed) [1] {facts = #stream.operator_facts<traits = native, reads = "file">, native} : (!s) -> !s {
  }
  // A function that touches files may write what is read.
  // CHECK: "Read"{{.*}}orders = #stream.orders<all>
  %read = stream.operator "Read" kind "spl.adapter::FileSource" () [] {facts = #stream.operator_facts<traits = native, reads = "file">, native} : () -> !s {
    stream.param "file" {
      %0 = spl.const "z.csv" : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
  stream.operator "Touch" kind "spl.utility::Custom" (%read) [1] : (!s) -> () {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      spl.native "touch"(%t) [!t] generic = [0] facts = <effects = files> : (!t) -> ()
      stream.end
    }
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// (c) What is on a cycle or enters one; what leaves it is not.
// CHECK-LABEL: @Cycle
stream.graph @Cycle submissions = [] {
  // CHECK: "Src"{{.*}}orders = #stream.orders<all>
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // CHECK: "Gate"{{.*}}orders = #stream.orders<all, none>
  %g:2 = stream.operator "Gate" kind "spl.utility::Custom" (%src, %b) [1, 1] : (!s, !s) -> (!s, !s) {
  }
  // CHECK: "Body"{{.*}}orders = #stream.orders<all>
  %b = stream.operator "Body" kind "spl.utility::Custom" (%g#0) [1] : (!s) -> !s {
  }
  stream.operator "Sink" kind "spl.utility::Custom" (%g#1) [1] : (!s) -> () {
  }
}
