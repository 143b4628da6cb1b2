// RUN: sluice-opt %s --stream-find-loops --stream-analyze-order --stream-form-segments --stream-print-graph -o %t | FileCheck %s --check-prefix=DOT
// RUN: sluice-opt %s --stream-find-loops --stream-analyze-order --stream-form-segments --stream-print-graph=format=json -o %t | FileCheck %s --check-prefix=JSON

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// DOT: digraph "Main"
// DOT: n0 [label="Src\nspl.utility::Custom\nsegment 0"]
// DOT: n1 [label="Sink\nspl.utility::Custom\nsegment 0"]
// DOT: n0 -> n1
// JSON: "graph": "Main"
// JSON: "name": "Src"
// JSON: "kind": "spl.utility::Custom"
// JSON: "streams"
// JSON: "from": 0
// JSON: "to": 1
stream.graph @Main submissions = [] {
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  stream.operator "Sink" kind "spl.utility::Custom" (%src) [1] : (!s) -> () {
  }
}
