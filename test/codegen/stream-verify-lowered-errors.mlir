// RUN: sluice-opt %s --stream-verify-lowered --verify-diagnostics --split-input-file --allow-unregistered-dialect

// expected-error @+1 {{phase lowered: 'stream.graph' should be gone}}
stream.graph @Main submissions = [] {
}

// -----

func.func private @f(%ctx: !llvm.ptr) -> i32 {
  %seconds = arith.constant 1.0 : f64
  // expected-error @+1 {{phase lowered: 'stream.wait' should be gone}}
  %stop = stream.wait %seconds
  %ok = arith.constant 0 : i32
  return %ok : i32
}

// -----

func.func private @f(%ctx: !llvm.ptr) -> i32 {
  // expected-error @+1 {{phase lowered: 'scf.execute_region' is of a dialect without a place here}}
  %ok = scf.execute_region -> i32 {
    %0 = arith.constant 0 : i32
    scf.yield %0 : i32
  }
  return %ok : i32
}

// -----

// expected-error @+1 {{phase lowered: 'test.what' is of a dialect without a place here}}
"test.what"() : () -> ()

// -----

// expected-error @+1 {{phase lowered: the first argument is not the Ctx}}
func.func private @f(%batch: i64) -> i32 {
  %ok = arith.constant 0 : i32
  return %ok : i32
}

// -----

// expected-error @+1 {{phase lowered: does not return a status}}
func.func private @f(%ctx: !llvm.ptr) {
  return
}

// -----

// expected-error @+1 {{phase lowered: has no body}}
func.func private @f(!llvm.ptr) -> i32

// -----

func.func private @callee(%ctx: !llvm.ptr) -> i32 {
  %ok = arith.constant 0 : i32
  return %ok : i32
}
func.func private @f(%ctx: !llvm.ptr, %batch: !llvm.ptr) -> i32 {
  // expected-error @+1 {{phase lowered: does not pass on the Ctx of the function}}
  %ok = func.call @callee(%batch) : (!llvm.ptr) -> i32
  return %ok : i32
}

// -----

func.func private @f(%ctx: !llvm.ptr) -> i32 attributes {spl.state_offsets = array<i64: 0>} {
  // expected-error @+1 {{phase lowered: has no offset in the function's `spl.state_offsets`}}
  %n = spl.state "n"[1] : !spl.ref<si32>
  %ok = arith.constant 0 : i32
  return %ok : i32
}
