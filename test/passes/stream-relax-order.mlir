// RUN: sluice-opt %s --stream-find-loops --stream-analyze-order --stream-place-boundaries=boundaries=none --stream-form-segments --stream-relax-order --split-input-file | FileCheck %s

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// The fork and what meets behind it are calls of one segment, so the batches that leave it may fill.
// CHECK-LABEL: @Inside
stream.graph @Inside submissions = [] {
  // CHECK: "Src"{{.*}}orders = #stream.orders<none>
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // CHECK: "L"{{.*}}orders = #stream.orders<none>
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
  // CHECK: "Both"{{.*}}orders = #stream.orders<none>
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
  // Cut here by its second stream.
  %else = stream.operator "Else" kind "spl.utility::Custom" () [] : () -> !s {
  }
  %last = stream.operator "Last" kind "spl.utility::Custom" (%both, %else) [2] : (!s, !s) -> !s {
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

// Two streams that leave one segment and meet behind it are a fork of the segment.
// CHECK-LABEL: @Outside
stream.graph @Outside submissions = [] {
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // CHECK: "L"{{.*}}orders = #stream.orders<all>
  %l = stream.operator "L" kind "spl.utility::Custom" (%src) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      stream.submit 0, %t : !t
      stream.end
    }
  }
  // CHECK: "R"{{.*}}orders = #stream.orders<all>
  %r = stream.operator "R" kind "spl.utility::Custom" (%src) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      stream.submit 0, %t : !t
      stream.end
    }
  }
  %else = stream.operator "Else" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // CHECK: "Last"{{.*}}edges = #stream.edges<batch, batch, batch>
  %last = stream.operator "Last" kind "spl.utility::Custom" (%l, %r, %else) [3] : (!s, !s, !s) -> !s {
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
