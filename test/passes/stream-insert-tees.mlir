// RUN: sluice-opt %s --stream-find-loops --stream-analyze-order --stream-insert-tees --split-input-file | FileCheck %s
// RUN: sluice-opt %s --stream-find-loops --stream-analyze-order=merge-order=any --stream-insert-tees=merge-order=any --split-input-file | FileCheck %s --check-prefix=ANY

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// A native source calls nobody: a tee does. The stream into it is of no order.
// ANY-LABEL: @Native
// ANY-NOT: part = "tee"
// CHECK-LABEL: @Native
stream.graph @Native submissions = [] {
  // CHECK: %[[IN:.*]] = stream.operator "In"{{.*}}orders = #stream.orders<none>
  // CHECK: %[[TEE:.*]] = stream.operator "In"{{.*}}(%[[IN]]) [1]{{.*}}edges = #stream.edges<call>, orders = #stream.orders<all>{{.*}}part = "tee"
  // CHECK: stream.on_tuple 0
  // CHECK: stream.submit 0
  // CHECK: stream.on_punct 0
  // CHECK: stream.submit_punct 0
  // CHECK: stream.on_watermark 0
  // CHECK: stream.submit_punct 0, watermark
  %in = stream.operator "In" kind "spl.adapter::FileSource" () [] {native} : () -> !s {
  }
  // CHECK: "L"{{.*}}(%[[TEE]])
  %l = stream.operator "L" kind "spl.utility::Custom" (%in) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      stream.submit 0, %t : !t
      stream.end
    }
  }
  // CHECK: "R"{{.*}}(%[[TEE]])
  %r = stream.operator "R" kind "spl.utility::Custom" (%in) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      stream.submit 0, %t : !t
      stream.end
    }
    stream.on_watermark 0 {
    ^bb0(%t: si64):
      stream.end
    }
  }
  %both = stream.operator "Both" kind "spl.utility::Custom" (%l, %r) [2] : (!s, !s) -> !s {
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
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// No tee: the source calls by itself; what leaves `In` does not meet again.
// CHECK-LABEL: @None
// CHECK-NOT: part = "tee"
stream.graph @None submissions = [] {
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  %l = stream.operator "L" kind "spl.utility::Custom" (%src) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      stream.submit 0, %t : !t
      stream.end
    }
  }
  %r = stream.operator "R" kind "spl.utility::Custom" (%src) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      stream.submit 0, %t : !t
      stream.end
    }
  }
  %both = stream.operator "Both" kind "spl.utility::Custom" (%l, %r) [2] : (!s, !s) -> !s {
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
  %in = stream.operator "In" kind "spl.adapter::FileSource" () [] {native} : () -> !s {
  }
  %first = stream.operator "A" kind "spl.utility::Custom" (%in) [1] : (!s) -> !s {
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
  %second = stream.operator "B" kind "spl.utility::Custom" (%in) [1] : (!s) -> !s {
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
}
