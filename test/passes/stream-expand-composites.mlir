// RUN: sluice-opt %s --stream-expand-composites | FileCheck %s

// Instances vanish, their operators keep their paths and the order of the source.
// A merge becomes a port with several streams.

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// CHECK-LABEL: stream.graph @Main
stream.graph @Main submissions = [] {
  // CHECK: %[[A:.*]] = stream.operator "A" kind "spl.utility::Custom"()
  %a = stream.operator "A" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // CHECK: %[[B:.*]] = stream.operator "B" kind "spl.utility::Custom"()
  %b = stream.operator "B" kind "spl.utility::Custom" () [] : () -> !s {
  }
  %m = stream.merge %a, %b : !s
  // CHECK-NOT: stream.composite
  // CHECK: %[[F:.*]] = stream.operator "Outer.Inner.F" kind "spl.relational::Functor"(%[[A]], %[[B]]) [2]
  // CHECK-NOT: stream.export
  %o = stream.composite "Outer" of "ns::Outer" (%m) : (!s) -> !s {
  ^bb0(%in: !s):
    %i = stream.composite "Outer.Inner" of "ns::Inner" (%in) : (!s) -> !s {
    ^bb0(%inner: !s):
      %f = stream.operator "Outer.Inner.F" kind "spl.relational::Functor" (%inner) [1] : (!s) -> !s {
      }
      stream.export %f : !s
    }
    stream.export %i : !s
  }
  // CHECK: stream.operator "Sink" kind "spl.utility::Custom"(%[[F]], %[[A]], %[[B]], %[[A]]) [1, 3]
  %n = stream.merge %m, %a : !s
  stream.operator "Sink" kind "spl.utility::Custom" (%o, %n) [1, 1] : (!s, !s) -> () {
  }
}

// A composite whose output leads back into it.
// CHECK-LABEL: stream.graph @Loop
stream.graph @Loop submissions = [] {
  // CHECK: %[[C:.*]] = stream.operator "L.C" kind "spl.utility::Custom"(%[[C]]) [1]
  %l = stream.composite "L" of "Loop" (%l) : (!s) -> !s {
  ^bb0(%in: !s):
    %c = stream.operator "L.C" kind "spl.utility::Custom" (%in) [1] : (!s) -> !s {
    }
    stream.export %c : !s
  }
}
