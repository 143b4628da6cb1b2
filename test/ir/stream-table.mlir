// RUN: sluice-opt %s | sluice-opt | FileCheck %s
// The program table of phase lowered, and the places that can fail, as text.

// CHECK: module attributes {spl.sites = [#spl.site<"Main.spl", 7, 9, "x / y">]
// CHECK-SAME: stream.table = #stream.table<main = "Main", state_bytes = 24, threads = 2, init = @sl.init, destroy = @sl.destroy,
// CHECK-SAME: submissions = [<name = "Main.n", default_value = "3">],
// CHECK-SAME: operators = [<name = "In", kind = "spl.adapter::FileSource", part = "x", native = 0, native_class = "y",
// CHECK-SAME: outputs = [<type = <"a": si32>, order = puncts, consumers = [0], segments = [@op1.seg0], splits = [<consumer = 0, split = <region = 0, by = row>>], emit = @op0.emit0, emit_punct = @op0.emitpunct0>], set_params = @op0.params0,
// CHECK-SAME: <name = "P", kind = "spl.utility::Custom", is_catch = true, bounded = true, daemon = true, recovery = <region = 0, roles = "starts|triggers", inputs = 1>,
// CHECK-SAME: inputs = [<type = <"a": si32>, producers = 1, boundary = queue, own_thread = true, threaded = <port = 0, congestion = drop_last, size = 9>>],
// CHECK-SAME: keyed = <rows = @op1.keyed0, column = 0, variables = [<name = "m", offset = 8, type = !spl.map<si32, ui64>>]>
// CHECK-SAME: regions = [<region = <path = "P", width = 3, loc = {{[^>]*}}>, ops = <1, 1>, ins = <0, 1>, outs = <1, 0>, natives = <1, 0>, first_state = 0, state_bytes = 16, init = @sl.init0, destroy = @sl.destroy0>]>}
module attributes {
  spl.sites = [#spl.site<"Main.spl", 7, 9, "x / y">],
  stream.table = #stream.table<
    main = "Main", state_bytes = 24, threads = 2, init = @sl.init, destroy = @sl.destroy,
    submissions = [<name = "Main.n", default_value = "3">],
    operators = [
      <name = "In", kind = "spl.adapter::FileSource", part = "x", native = 0, native_class = "y", cost = 1.0 : f64,
       first_state = 0, state_bytes = 0,
       outputs = [<type = !spl.tuple<"a": si32>, order = puncts, consumers = [0],
                   segments = [@op1.seg0],
                   splits = [<consumer = 0, split = #stream.split<region = 0, by = row>>],
                   emit = @op0.emit0, emit_punct = @op0.emitpunct0>],
       set_params = @op0.params0, loc = loc("Main.spl":3:5)>,
      <name = "P", kind = "spl.utility::Custom", is_catch = true, bounded = true, daemon = true,
       recovery = #stream.recovery<region = 0, roles = "starts|triggers", inputs = 1>, cost = 2.5 : f64, first_state = 8, state_bytes = 16,
       inputs = [<type = !spl.tuple<"a": si32>, producers = 1, boundary = queue,
                  own_thread = true,
                  threaded = #stream.threaded_port<port = 0, congestion = drop_last, size = 9>>],
       keyed = <rows = @op1.keyed0, column = 0,
                variables = [<name = "m", offset = 8, type = !spl.map<si32, ui64>>]>,
       loc = loc(unknown)>],
    regions = [<region = #stream.region<path = "P", width = 3, loc = loc(unknown)>,
                ops = <1, 1>, ins = <0, 1>, outs = <1, 0>, natives = <1, 0>,
                first_state = 0, state_bytes = 16, init = @sl.init0, destroy = @sl.destroy0>]>} {
  func.func private @sl.init(!llvm.ptr) -> i32
  func.func private @sl.destroy(!llvm.ptr) -> i32
  func.func private @sl.init0(!llvm.ptr) -> i32
  func.func private @sl.destroy0(!llvm.ptr) -> i32
  func.func private @op0.emit0(!llvm.ptr, !llvm.ptr) -> i32
  func.func private @op0.emitpunct0(!llvm.ptr, i32) -> i32
  func.func private @op0.params0(!llvm.ptr) -> i32
  func.func private @op1.seg0(!llvm.ptr, !llvm.ptr) -> i32
  func.func private @op1.keyed0(!llvm.ptr, !llvm.ptr, i64, i64) -> i32
}
