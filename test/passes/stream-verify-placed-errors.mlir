// RUN: sluice-opt %s --stream-verify-placed --verify-diagnostics --split-input-file

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @Missing submissions = [] {
  // expected-error @+1 {{lacks boundaries, orders, edges or segment}}
  %a = stream.operator "A" kind "spl.utility::Custom" () [] : () -> !s {
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @Source submissions = [] {
  // expected-error @+1 {{a source without a segment}}
  %a = stream.operator "A" kind "spl.utility::Custom" () [] {boundaries = #stream.boundaries<>, edges = #stream.edges<>, orders = #stream.orders<none>, segment = array<i32>} : () -> !s {
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @Apart submissions = [] {
  %a = stream.operator "A" kind "spl.utility::Custom" () [] {boundaries = #stream.boundaries<>, edges = #stream.edges<>, orders = #stream.orders<none>, segment = array<i32>, source_segment = 0 : i32} : () -> !s {
  }
  // expected-error @+1 {{is called, but is not in its producer's segment}}
  stream.operator "B" kind "spl.utility::Custom" (%a) [1] {boundaries = #stream.boundaries<direct>, edges = #stream.edges<call>, orders = #stream.orders<>, segment = array<i32: 1>} : (!s) -> () {
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @Mixed submissions = [] {
  // expected-error @+1 {{output port 0 calls behind a consumer that takes batches}}
  %a = stream.operator "A" kind "spl.utility::Custom" () [] {boundaries = #stream.boundaries<>, edges = #stream.edges<>, orders = #stream.orders<none>, segment = array<i32>, source_segment = 0 : i32} : () -> !s {
  }
  stream.operator "B" kind "spl.utility::Custom" (%a) [1] {boundaries = #stream.boundaries<direct>, edges = #stream.edges<batch>, orders = #stream.orders<>, segment = array<i32: 1>} : (!s) -> () {
  }
  stream.operator "C" kind "spl.utility::Custom" (%a) [1] {boundaries = #stream.boundaries<direct>, edges = #stream.edges<call>, orders = #stream.orders<>, segment = array<i32: 0>} : (!s) -> () {
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>

// expected-error @+1 {{segment 0 has no head}}
stream.graph @Gap submissions = [] {
  %a = stream.operator "A" kind "spl.utility::Custom" () [] {boundaries = #stream.boundaries<>, edges = #stream.edges<>, orders = #stream.orders<none>, segment = array<i32>, source_segment = 1 : i32} : () -> !s {
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @Heads submissions = [] {
  %a = stream.operator "A" kind "spl.utility::Custom" () [] {boundaries = #stream.boundaries<>, edges = #stream.edges<>, orders = #stream.orders<none>, segment = array<i32>, source_segment = 0 : i32} : () -> !s {
  }
  // expected-error @+1 {{segment 0 has two heads}}
  stream.operator "B" kind "spl.utility::Custom" (%a) [1] {boundaries = #stream.boundaries<direct>, edges = #stream.edges<batch>, orders = #stream.orders<>, segment = array<i32: 0>} : (!s) -> () {
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @NoPe submissions = [] attributes {pes = [#stream.pe<>, #stream.pe<>]} {
  // expected-error @+1 {{is in no PE of the graph}}
  %a = stream.operator "A" kind "spl.utility::Custom" () [] {boundaries = #stream.boundaries<>, edges = #stream.edges<>, orders = #stream.orders<none>, segment = array<i32>, source_segment = 0 : i32} : () -> !s {
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @OneEnd submissions = [] attributes {pes = [#stream.pe<>, #stream.pe<>]} {
  // expected-error @+1 {{the only end of link 3}}
  %a = stream.operator "A" kind "sluice.pe::Receive" () [] {pe = 0 : i32, link = 3 : i32, native, boundaries = #stream.boundaries<>, edges = #stream.edges<>, orders = #stream.orders<none>, segment = array<i32>, source_segment = 0 : i32} : () -> !s {
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @SamePe submissions = [] attributes {pes = [#stream.pe<>, #stream.pe<>]} {
  %a = stream.operator "A" kind "spl.utility::Custom" () [] {pe = 1 : i32, boundaries = #stream.boundaries<>, edges = #stream.edges<>, orders = #stream.orders<none>, segment = array<i32>, source_segment = 0 : i32} : () -> !s {
  }
  stream.operator "A" kind "sluice.pe::Send" (%a) [1] {pe = 1 : i32, link = 0 : i32, native, boundaries = #stream.boundaries<direct>, edges = #stream.edges<batch>, orders = #stream.orders<>, segment = array<i32: 1>} : (!s) -> () {
  }
  // expected-error @+1 {{link 0 leads to its own PE}}
  %b = stream.operator "A" kind "sluice.pe::Receive" () [] {pe = 1 : i32, link = 0 : i32, native, boundaries = #stream.boundaries<>, edges = #stream.edges<>, orders = #stream.orders<none>, segment = array<i32>, source_segment = 2 : i32} : () -> !s {
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @TwoReceivers submissions = [] attributes {pes = [#stream.pe<>, #stream.pe<>]} {
  %a = stream.operator "A" kind "sluice.pe::Receive" () [] {pe = 0 : i32, link = 0 : i32, native, boundaries = #stream.boundaries<>, edges = #stream.edges<>, orders = #stream.orders<none>, segment = array<i32>, source_segment = 0 : i32} : () -> !s {
  }
  // expected-error @+1 {{the second such end of link 0}}
  %b = stream.operator "B" kind "sluice.pe::Receive" () [] {pe = 1 : i32, link = 0 : i32, native, boundaries = #stream.boundaries<>, edges = #stream.edges<>, orders = #stream.orders<none>, segment = array<i32>, source_segment = 1 : i32} : () -> !s {
  }
}
