// RUN: sluice-opt %s --verify-diagnostics --split-input-file
// What attributes of graphs and operators may not say.

// expected-error @+1 {{'parent' is the index of a region, or -1}}
stream.graph @Main submissions = [] attributes {parallel_regions = [#stream.region<path = "A", parent = -2, width = 1, loc = loc(unknown)>]} {
}

// -----

// expected-error @+1 {{a region has either 'width' or 'submission'}}
stream.graph @Main submissions = [] attributes {parallel_regions = [#stream.region<path = "A", loc = loc(unknown)>]} {
}

// -----

// expected-error @+1 {{a region has at least one channel, not 0}}
stream.graph @Main submissions = [] attributes {parallel_regions = [#stream.region<path = "A", width = 0, loc = loc(unknown)>]} {
}

// -----

// expected-error @+1 {{region 0 comes before the one around it}}
stream.graph @Main submissions = [] attributes {parallel_regions = [#stream.region<path = "A", parent = 1, width = 3, loc = loc(unknown)>, #stream.region<path = "B", width = 2, loc = loc(unknown)>]} {
}

// -----

// expected-error @+1 {{region 0 has submission-time value 0 as its width, but there are 0}}
stream.graph @Main submissions = [] attributes {parallel_regions = [#stream.region<path = "A", submission = 0, loc = loc(unknown)>]} {
}

// -----

// expected-error @+1 {{attribute 'parallel_regions' failed to satisfy constraint: list of: a @parallel region}}
stream.graph @Main submissions = [] attributes {parallel_regions = [3]} {
}

// -----

// expected-error @+1 {{attribute 'submissions' failed to satisfy constraint: submission-time values}}
stream.graph @Main submissions = ["n"] {
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{'splits' has 2 elements, one per stream is 1}}
  %o = stream.operator "A" kind "K" (%o) [1] {splits = [[], []]} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{attribute 'splits' failed to satisfy constraint}}
  %o = stream.operator "A" kind "K" (%o) [1] {splits = [3]} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{'region' is the index of a region}}
  %o = stream.operator "A" kind "K" (%o) [1] {splits = [[#stream.split<region = -1, by = row>]]} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{'keys' belong to splits by key, and to no others}}
  %o = stream.operator "A" kind "K" (%o) [1] {splits = [[#stream.split<region = 0, by = all, keys = [0]>]]} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{'keys' belong to splits by key, and to no others}}
  %o = stream.operator "A" kind "K" (%o) [1] {splits = [[#stream.split<region = 0, by = key>]]} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{is split by attribute 2, which its tuples lack}}
  %o = stream.operator "A" kind "K" (%o) [1] {splits = [[#stream.split<region = 0, by = key, keys = [2]>]]} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+2 {{expected one of [row, key, all]}}
  // expected-error @+1 {{failed to parse Stream_SplitAttr parameter 'by'}}
  %o = stream.operator "A" kind "K" (%o) [1] {splits = [[#stream.split<region = 0, by = hash>]]} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{a queue has room for at least one tuple, not for 0}}
  %o = stream.operator "A" kind "K" (%o) [1] {threaded_ports = [#stream.threaded_port<port = 0, congestion = wait, size = 0>]} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{'port' is the index of an input port}}
  %o = stream.operator "A" kind "K" (%o) [1] {threaded_ports = [#stream.threaded_port<port = -1, congestion = wait, size = 1>]} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{'threaded_ports' are different input ports in ascending order}}
  %o = stream.operator "A" kind "K" (%o) [1] {threaded_ports = [#stream.threaded_port<port = 1, congestion = wait, size = 1>]} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{'threaded_ports' are different input ports in ascending order}}
  %o = stream.operator "A" kind "K" (%o) [1] {threaded_ports = [#stream.threaded_port<port = 0, congestion = wait, size = 1>, #stream.threaded_port<port = 0, congestion = wait, size = 1>]} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{'threads' and 'elastic' belong to the dynamic model}}
  %o = stream.operator "A" kind "K" (%o) [1] {threading = #stream.threading<model = manual, threads = 2>} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{there are no -1 threads}}
  %o = stream.operator "A" kind "K" (%o) [1] {threading = #stream.threading<model = dynamic, threads = -1>} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{'boundaries' has 2 elements, one per input port is 1}}
  %o = stream.operator "A" kind "K" (%o) [1] {boundaries = #stream.boundaries<direct, queue>} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{expected one of [direct, switchable, queue, exclusive]}}
  %o = stream.operator "A" kind "K" (%o) [1] {boundaries = #stream.boundaries<fast>} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{'reasons' has 0 elements, one per input port is 1}}
  %o = stream.operator "A" kind "K" (%o) [1] {reasons = []} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{'segment' has 0 elements, one per input port is 1}}
  %o = stream.operator "A" kind "K" (%o) [1] {segment = array<i32>} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{'orders' has 2 elements, one per output port is 1}}
  %o = stream.operator "A" kind "K" (%o) [1] {orders = #stream.orders<all, none>} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{'edges' has 2 elements, one per stream is 1}}
  %o = stream.operator "A" kind "K" (%o) [1] {edges = #stream.edges<call, call>} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{a key belongs to partitioned state, and to no other}}
  %o = stream.operator "A" kind "K" (%o) [1] {state = #stream.state<stateless by "a" of ["m"], "">} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{a key belongs to partitioned state, and to no other}}
  %o = stream.operator "A" kind "K" (%o) [1] {state = #stream.state<partitioned, "">} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{says why it is not 'any', and only then}}
  %o = stream.operator "A" kind "K" (%o) [1] {sharing = #stream.sharing<one>} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{says why it is not 'any', and only then}}
  %o = stream.operator "A" kind "K" (%o) [1] {sharing = #stream.sharing<any, "">} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{has one of 'state' and 'sharing' without the other}}
  %o = stream.operator "A" kind "K" (%o) [1] {state = #stream.state<stateful, "">} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{has one of 'state' and 'sharing' without the other}}
  %o = stream.operator "A" kind "K" (%o) [1] {sharing = #stream.sharing<any>} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{has no state variable "m"}}
  %o = stream.operator "A" kind "K" (%o) [1] {sharing = #stream.sharing<one, "">, state = #stream.state<partitioned by "a" of ["m"], "">} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{is shared by key, but its key is no attribute of its only input port}}
  %o = stream.operator "A" kind "K" (%o) [1] {sharing = #stream.sharing<by_key, "">, state = #stream.state<stateful, "">} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{is shared by key, but its key is no attribute of its only input port}}
  %o = stream.operator "A" kind "K" (%o) [1] {sharing = #stream.sharing<by_key, "">, state = #stream.state<partitioned by "in.b" of ["m"], "">} : (!s) -> !s {
    stream.state "m" : !spl.map<si32, si32> {
    }
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{is shared by key, but its key is no attribute of its only input port}}
  %o = stream.operator "A" kind "K" (%o, %o) [1, 1] {sharing = #stream.sharing<by_key, "">, state = #stream.state<partitioned by "a" of ["m"], "">} : (!s, !s) -> !s {
    stream.state "m" : !spl.map<si32, si32> {
    }
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{is native or a source: what it submits belongs to no tuple}}
  %o = stream.operator "A" kind "K" (%o) [1] {native, bounded} : (!s) -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32, "in": !spl.tuple<"b": si32>>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{is native or a source: what it submits belongs to no tuple}}
  %o = stream.operator "A" kind "K" () [] {bounded} : () -> !s {
  }
}

// -----

// expected-error @+1 {{PE 1 is one of each channel of region 0, but there are 0}}
stream.graph @PeOfNoRegion submissions = [] attributes {pes = [#stream.pe<>, #stream.pe<region = 0>]} {
}
