// RUN: sluice-opt %s --stream-expand-operators | FileCheck %s

!t = !spl.tuple<"a": si32>

// CHECK-LABEL: stream.graph @Union
stream.graph @Union submissions = [] {
  %a = stream.operator "A" kind "spl.utility::Custom" () [] : () -> !stream.stream<!t> {
  }
  // Union picks attributes by name and lets no mark through.
  // CHECK: stream.operator "U" {{.*}} {original = "spl.utility::Union"
  %u = stream.operator "U" kind "spl.utility::Union" (%a, %a) [1, 1] : (!stream.stream<!t>, !stream.stream<!t>) -> !stream.stream<!t> {
    // CHECK: stream.on_tuple 0
    // CHECK: stream.submit 0
    // CHECK: stream.on_tuple 1
    // CHECK: stream.submit 0
    // CHECK-NOT: stream.on_punct
  }
}
