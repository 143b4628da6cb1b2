// RUN: sluice-opt %s --verify-diagnostics --split-input-file
// What the program table may not say.

// expected-error @+1 {{the program table names the function @sl.destroy, which is not there}}
module attributes {stream.table = #stream.table<main = "Main", state_bytes = 0, init = @sl.init, destroy = @sl.destroy>} {
  func.func private @sl.init(!llvm.ptr) -> i32
}

// -----

// expected-error @+1 {{'stream.table' is a module's #stream.table}}
module attributes {stream.table = {main = "Main"}} {
}

// -----

// expected-error @+1 {{'spl.sites' is a module's list of sites}}
module attributes {spl.sites = [["Main.spl", 7, 9, "x / y"]]} {
}

// -----

// expected-error @+1 {{'rows_out' of "A" has 0 elements for 1 input and 1 output ports}}
module attributes {stream.table = #stream.table<main = "Main", state_bytes = 0, init = @f, destroy = @f, operators = [<name = "A", kind = "spl.utility::Custom", cost = 1.0 : f64, first_state = 0, state_bytes = 0, inputs = [<type = <"a": si32>, producers = 1, boundary = direct>], outputs = [<type = <"a": si32>>], loc = loc(unknown)>]>} {
}

// -----

// expected-error @+1 {{"A" has not the class and functions that a native operator has}}
module attributes {stream.table = #stream.table<main = "Main", state_bytes = 0, init = @f, destroy = @f, operators = [<name = "A", kind = "spl.adapter::FileSource", native = 0, native_class = "spl.adapter::FileSource", cost = 1.0 : f64, first_state = 0, state_bytes = 0, loc = loc(unknown)>]>} {
}

// -----

// expected-error @+1 {{keyed state of "A" belongs to one input port}}
module attributes {stream.table = #stream.table<main = "Main", state_bytes = 0, init = @f, destroy = @f, operators = [<name = "A", kind = "spl.utility::Custom", cost = 1.0 : f64, first_state = 0, state_bytes = 0, keyed = <rows = @f, column = 0>, loc = loc(unknown)>]>} {
}
