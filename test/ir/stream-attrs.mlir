// RUN: sluice-opt %s | sluice-opt | FileCheck %s
// Attributes of graphs and operators are printed as they are read.

!t = !spl.tuple<"k": si32, "n": si32>
!s = !stream.stream<!t>

// CHECK: #loc = loc(unknown)
// CHECK: submissions = [#stream.submission<name = "Main.n", default_value = "3">, #stream.submission<name = "Main.names", list = true>]
// CHECK-SAME: parallel_regions = [#stream.region<path = "A", width = 3, loc = #loc>, #stream.region<path = "A.B", parent = 0, submission = 0, loc = #loc>]
stream.graph @Main submissions = [
  #stream.submission<name = "Main.n", list = false, default_value = "3">,
  #stream.submission<name = "Main.names", list = true>
] attributes {parallel_regions = [
  #stream.region<path = "A", parent = -1, width = 3, loc = loc(unknown)>,
  #stream.region<path = "A.B", parent = 0, submission = 0, loc = loc(unknown)>
]} {
  // CHECK: boundaries = #stream.boundaries<>, edges = #stream.edges<>, orders = #stream.orders<puncts>
  %src = stream.operator "Src" kind "K" () [] {boundaries = #stream.boundaries<>, edges = #stream.edges<>, orders = #stream.orders<puncts>} : () -> !s {
  }
  // CHECK: boundaries = #stream.boundaries<switchable, queue>
  // CHECK-SAME: edges = #stream.edges<batch, back, batch>
  // CHECK-SAME: orders = #stream.orders<all, none>
  // CHECK-SAME: parallel_region = 1 : i32
  // CHECK-SAME: reasons = ["a", "b"]
  // CHECK-SAME: sharing = #stream.sharing<one, "it is written in C++">
  // CHECK-SAME: splits = {{\[\[}}#stream.split<region = 0, by = row>, #stream.split<region = 1, by = key, keys = [1, 0]>], [], [#stream.split<region = 1, by = all>]]
  // CHECK-SAME: state = #stream.state<partitioned by "k" of ["m", "n"], "why">
  // CHECK-SAME: threaded_ports = [#stream.threaded_port<port = 1, congestion = drop_last, size = 5>]
  // CHECK-SAME: threading = #stream.threading<model = dynamic, threads = 2, elastic = false>
  %a:2 = stream.operator "A" kind "K" (%src, %a#1, %src) [2, 1] {
    boundaries = #stream.boundaries<switchable, queue>,
    edges = #stream.edges<batch, back, batch>,
    orders = #stream.orders<all, none>, parallel_region = 1 : i32, reasons = ["a", "b"],
    sharing = #stream.sharing<one, "it is written in C++">,
    splits = [[#stream.split<region = 0, by = row>, #stream.split<region = 1, by = key, keys = [1, 0]>], [], [#stream.split<region = 1, by = all>]],
    state = #stream.state<partitioned by "k" of ["m", "n"], "why">,
    threaded_ports = [#stream.threaded_port<port = 1, congestion = drop_last, size = 5>],
    threading = #stream.threading<model = dynamic, threads = 2, elastic = false>
  } : (!s, !s, !s) -> (!s, !s) {
    stream.state "m" : si32 {
    }
    stream.state "n" : si32 {
    }
  }
  // Without what it need not say.
  // CHECK: stream.operator "Sink" kind "K"(%{{.*}}) [1] : (
  stream.operator "Sink" kind "K" (%a#0) [1] {splits = [], threaded_ports = []} : (!s) -> () {
  }
}

// CHECK-LABEL: stream.graph @Pes
// CHECK-SAME: partition = #stream.partition<wanted = 3, joins = [<first = "A", second = "B", why = colocation, id = "x">, <first = "A", second = "C", why = order>]>
// CHECK-SAME: pes = [#stream.pe<>, #stream.pe<region = 0>]
stream.graph @Pes submissions = [] attributes {
  parallel_regions = [#stream.region<path = "C", width = 3, loc = loc(unknown)>],
  partition = #stream.partition<wanted = 3, joins = [
    #stream.join<first = "A", second = "B", why = colocation, id = "x">,
    #stream.join<first = "A", second = "C", why = order>]>,
  pes = [#stream.pe<>, #stream.pe<region = 0>]} {
  // CHECK: stream.operator "A" {{.*}}pe = 1 : i32, placement = #stream.placement<colocation = [<text = "x">], exlocation = [<text = "", per_replica = true>], isolation = true>
  %a = stream.operator "A" kind "K" () [] {pe = 1 : i32, placement = #stream.placement<
    colocation = [#stream.placement_id<text = "x">],
    exlocation = [#stream.placement_id<text = "", per_replica = true>], isolation = true>}
    : () -> !stream.stream<!spl.tuple<"a": si32>> {
  }
}
