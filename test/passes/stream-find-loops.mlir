// RUN: sluice-opt %s --stream-find-loops | FileCheck %s

// The walk starts at the source, so the stream that comes back is the one that
// closes the cycle (edge kind 2), wherever the operators stand in the text.

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // CHECK: "Body"{{.*}} {edges = #stream.edges<call>}
  %b = stream.operator "Body" kind "spl.utility::Custom" (%g) [1] : (!s) -> !s {
  }
  // CHECK: "Gate"{{.*}} {edges = #stream.edges<call, back>}
  %g = stream.operator "Gate" kind "spl.utility::Custom" (%src, %b) [1, 1] : (!s, !s) -> !s {
  }
  // CHECK: "Src"{{.*}} {edges = #stream.edges<>}
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // An operator that feeds itself; no source reaches it.
  // CHECK: "Self"{{.*}} {edges = #stream.edges<back>}
  %self = stream.operator "Self" kind "spl.utility::Custom" (%self) [1] : (!s) -> !s {
  }
}
