// RUN: sluice-opt %s --stream-print-graph=format=dot -o /dev/null | FileCheck %s --check-prefix=DOT
// RUN: sluice-opt %s --graph-to-flat --flat-to-placed --stream-print-graph=format=json -o /dev/null | FileCheck %s --check-prefix=JSON
// RUN: sluice-opt %s --graph-to-flat --flat-to-placed --stream-print-graph -o /dev/null | FileCheck %s --check-prefix=PLACED
// RUN: not sluice-opt %s --stream-print-graph=format=png 2>&1 | FileCheck %s --check-prefix=ERROR

// DOT: digraph "Main" {
// DOT: n0 [label="In\nspl.adapter::FileSource"];
// DOT: n1 [label="F\nspl.relational::Functor"];
// DOT: n3 [label="Out\nspl.adapter::FileSink\npart ticker"];
// DOT: n0 -> n1 [label="Rows\nint32 a", edgetooltip="stream<int32 a> Rows"];
// DOT: legend [

// PLACED: n0 [label="In\nspl.adapter::FileSource\nsegment 0"];
// PLACED: n1 [label="F\nspl.relational::Functor\nsegment 1"];
// PLACED: n0 -> n1 [label="Rows\nint32 a\nbatch", edgetooltip="stream<int32 a> Rows"];
// PLACED: n1 -> n2 [label="F\nint32 a\ncall"

// The kinds are those of the source, whatever became of them.
// JSON: "name": "In",
// JSON-NEXT: "kind": "spl.adapter::FileSource",
// JSON-NEXT: "native": true,
// JSON-NEXT: "segments": [
// JSON-NEXT: 0
// JSON: "name": "F",
// JSON-NEXT: "kind": "spl.relational::Functor",
// JSON-NEXT: "native": false,
// JSON: "name": "Rows",
// JSON-NEXT: "type": "tuple<int32 a>",
// JSON-NEXT: "from": 0,
// JSON-NEXT: "output": 0,
// JSON-NEXT: "to": 1,
// JSON-NEXT: "input": 0,
// JSON-NEXT: "edge": "batch",
// JSON-NEXT: "ordered": false

// ERROR: for the --format option: Cannot find option named 'png'!

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  %in = stream.operator "In" kind "spl.adapter::FileSource" () [] {facts = #stream.operator_facts<traits = native, reads = "file">, streams = ["Rows"]} : () -> !s {
    stream.param "file" {
      %0 = spl.const "in.csv" : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
  %f = stream.operator "F" kind "spl.relational::Functor" (%in) [1] {facts = #stream.operator_facts<traits = forwards>} : (!s) -> !s {
  }
  stream.operator "Out" kind "spl.adapter::FileSink" (%f) [1] {facts = #stream.operator_facts<traits = native>} : (!s) -> () {
    stream.param "file" {
      %0 = spl.const "out.csv" : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
  %tick = stream.operator "Out" kind "sluice.lang::Ticker" () [] {native, original = "spl.adapter::FileSink", part = "ticker", facts = #stream.operator_facts<traits = "native|daemon">} : () -> !s {
  }
}
