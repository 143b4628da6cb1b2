// RUN: sluice-opt %s --stream-insert-links --split-input-file | FileCheck %s

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// Consumers in one PE share a link, two PEs get two; who is in the producer's PE has none. The
// receiver forwards as the producer does.
// CHECK-LABEL: @Shared
// CHECK: %[[SRC:.*]] = stream.operator "Src"
// CHECK: "Src" kind "sluice.pe::Send"(%[[SRC]]) [1] {{.*}}link = 1 : i32
// CHECK: %[[TWO:.*]] = stream.operator "Src" kind "sluice.pe::Receive"() [] {{.*}}link = 1 : i32, native, orders = #stream.orders<all>, part = "receive", pe = 2
// CHECK: "Src" kind "sluice.pe::Send"(%[[SRC]]) [1] {{.*}}link = 0 : i32, native{{.*}}part = "send", pe = 0
// CHECK: %[[ONE:.*]] = stream.operator "Src" kind "sluice.pe::Receive"() [] {{.*}}link = 0 : i32, native, orders = #stream.orders<all>, part = "receive", pe = 1
// CHECK: "Near" kind "spl.utility::Custom"(%[[SRC]]) [1]
// CHECK: "A" kind "spl.utility::Custom"(%[[ONE]]) [1]
// CHECK: "B" kind "spl.utility::Custom"(%[[ONE]], %[[ONE]]) [1, 1]
// CHECK: "C" kind "spl.utility::Custom"(%[[TWO]]) [1]
stream.graph @Shared submissions = [] attributes {pes = [#stream.pe<>, #stream.pe<>, #stream.pe<>]} {
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] {pe = 0 : i32, edges = #stream.edges<>, orders = #stream.orders<all>} : () -> !s {
  }
  stream.operator "Near" kind "spl.utility::Custom" (%src) [1] {pe = 0 : i32, edges = #stream.edges<call>, orders = #stream.orders<>} : (!s) -> () {
  }
  stream.operator "A" kind "spl.utility::Custom" (%src) [1] {pe = 1 : i32, edges = #stream.edges<call>, orders = #stream.orders<>} : (!s) -> () {
  }
  stream.operator "B" kind "spl.utility::Custom" (%src, %src) [1, 1] {pe = 1 : i32, edges = #stream.edges<call, call>, orders = #stream.orders<>} : (!s, !s) -> () {
  }
  stream.operator "C" kind "spl.utility::Custom" (%src) [1] {pe = 2 : i32, edges = #stream.edges<call>, orders = #stream.orders<>} : (!s) -> () {
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// Each output port has links of its own, and punctuation alone may be ordered.
// CHECK-LABEL: @Ports
// CHECK: %[[F:.*]]:2 = stream.operator "F"
// CHECK: "Two" kind "sluice.pe::Send"(%[[F]]#1) {{.*}}link = 1
// CHECK: %[[TWO:.*]] = stream.operator "Two" kind "sluice.pe::Receive"{{.*}}orders = #stream.orders<none>
// CHECK: "One" kind "sluice.pe::Send"(%[[F]]#0) {{.*}}link = 0
// CHECK: %[[ONE:.*]] = stream.operator "One" kind "sluice.pe::Receive"{{.*}}orders = #stream.orders<puncts>
// CHECK: "Out" kind "spl.utility::Custom"(%[[ONE]], %[[TWO]]) [2]
stream.graph @Ports submissions = [] attributes {pes = [#stream.pe<>, #stream.pe<>]} {
  %f:2 = stream.operator "F" kind "spl.utility::Custom" () [] {pe = 0 : i32, streams = ["One", "Two"], edges = #stream.edges<>, orders = #stream.orders<puncts, none>} : () -> (!s, !s) {
  }
  stream.operator "Out" kind "spl.utility::Custom" (%f#0, %f#1) [2] {pe = 1 : i32, edges = #stream.edges<call, call>, orders = #stream.orders<>} : (!s, !s) -> () {
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// A link is where the channels are: into a region both ends are in it, and the sender has the
// split; out of it they are in it as well. Between two regions the link is in the second one. An
// operator of the region that is split in another way has a link of its own.
// CHECK-LABEL: @Regions
// CHECK: %[[SRC:.*]] = stream.operator "Src"
// CHECK: "Src" kind "sluice.pe::Send"(%[[SRC]]) {{.*}}link = 0 : i32, {{.*}}parallel_region = 0 : i32, part = "send", pe = 0 : i32, splits = {{\[\[}}#stream.split<region = 0, by = row>]]
// CHECK: %[[R:.*]] = stream.operator "Src" kind "sluice.pe::Receive"() {{.*}}link = 0 : i32, {{.*}}parallel_region = 0 : i32, part = "receive", pe = 1 : i32}
// CHECK: %[[A:.*]] = stream.operator "A" kind "spl.utility::Custom"(%[[R]]) [1] {{.*}}splits = {{\[\[}}]]
// CHECK: "A" kind "sluice.pe::Send"(%[[A]]) {{.*}}link = 3 : i32, {{.*}}parallel_region = 0 : i32, part = "send", pe = 1 : i32}
// CHECK: %[[OUT:.*]] = stream.operator "A" kind "sluice.pe::Receive"() {{.*}}link = 3 : i32, {{.*}}parallel_region = 0 : i32, part = "receive", pe = 0 : i32}
// CHECK: %[[SENT:.*]] = stream.operator "Src" kind "sluice.pe::Receive"() {{.*}}link = 1 : i32
// CHECK: "Keyed" kind "spl.utility::Custom"(%[[SENT]])
// CHECK: "A" kind "sluice.pe::Send"(%[[A]]) {{.*}}link = 2 : i32, {{.*}}parallel_region = 1 : i32, part = "send", pe = 1 : i32, splits = {{\[\[}}#stream.split<region = 1, by = row>]]
// CHECK: %[[S:.*]] = stream.operator "A" kind "sluice.pe::Receive"() {{.*}}link = 2 : i32, {{.*}}parallel_region = 1 : i32, part = "receive", pe = 2 : i32}
// CHECK: "B" kind "spl.utility::Custom"(%[[S]])
// CHECK: "Out" kind "spl.utility::Custom"(%[[OUT]])
stream.graph @Regions submissions = []
    attributes {parallel_regions = [#stream.region<path = "R", width = 2, loc = loc("M.spl":2:1)>,
                                    #stream.region<path = "S", width = 2, loc = loc("M.spl":3:1)>],
                pes = [#stream.pe<>, #stream.pe<region = 0>, #stream.pe<region = 1>]} {
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] {pe = 0 : i32, edges = #stream.edges<>, orders = #stream.orders<none>} : () -> !s {
  }
  %a = stream.operator "A" kind "spl.utility::Custom" (%src) [1] {pe = 1 : i32, parallel_region = 0 : i32, splits = [[#stream.split<region = 0, by = row>]], edges = #stream.edges<call>, orders = #stream.orders<none>} : (!s) -> !s {
  }
  stream.operator "Keyed" kind "spl.utility::Custom" (%src) [1] {pe = 1 : i32, parallel_region = 0 : i32, splits = [[#stream.split<region = 0, by = key, keys = [0]>]], edges = #stream.edges<call>, orders = #stream.orders<>} : (!s) -> () {
  }
  stream.operator "B" kind "spl.utility::Custom" (%a) [1] {pe = 2 : i32, parallel_region = 1 : i32, splits = [[#stream.split<region = 1, by = row>]], edges = #stream.edges<call>, orders = #stream.orders<>} : (!s) -> () {
  }
  stream.operator "Out" kind "spl.utility::Custom" (%a) [1] {pe = 0 : i32, edges = #stream.edges<call>, orders = #stream.orders<>} : (!s) -> () {
  }
}

// -----

// Without PEs there is nothing to do.
// CHECK-LABEL: @OneProcess
// CHECK-NOT: sluice.pe
!s = !stream.stream<!spl.tuple<"a": si32>>
stream.graph @OneProcess submissions = [] {
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  stream.operator "Out" kind "spl.utility::Custom" (%src) [1] : (!s) -> () {
  }
}
