// RUN: sluice-opt --convert-spl-to-llvm --split-input-file --verify-diagnostics %s

// expected-error @+1 {{works on SPL values, so its first argument must be the Ctx, an !llvm.ptr}}
func.func private @no_context(%x: si32) -> i32 {
  %0 = spl.div %x, %x : si32
  %ok = arith.constant 0 : i32
  func.return %ok : i32
}

// -----

// expected-error @+1 {{can fail, so its result must be the status, an i32}}
func.func private @no_status(%ctx: !llvm.ptr, %x: si32) {
  %0 = spl.div %x, %x : si32
  func.return
}

// -----

func.func private @unknown_state(%ctx: !llvm.ptr) attributes {spl.state_offsets = array<i64: 0>} {
  // expected-error @+1 {{has no offset in the function's `spl.state_offsets`}}
  %0 = spl.state "count"[1] : !spl.ref<si64>
  func.return
}

// -----

func.func private @missing_attribute(%ctx: !llvm.ptr, %t: !spl.tuple<"a": si32>) -> i32 {
  // expected-error @+2 {{the source has no attribute 'b'}}
  // expected-error @+1 {{failed to legalize}}
  %0 = spl.cast %t : !spl.tuple<"a": si32> to !spl.tuple<"b": si32>
  %ok = arith.constant 0 : i32
  func.return %ok : i32
}

// -----

func.func private @two_signatures(%ctx: !llvm.ptr, %x: si32, %y: si64) -> i32 {
  spl.native "sl_f"(%x) [] generic = [] : (si32) -> ()
  // expected-error @+2 {{library function sl_f is called with arguments of different types}}
  // expected-error @+1 {{failed to legalize}}
  spl.native "sl_f"(%y) [] generic = [] : (si64) -> ()
  %ok = arith.constant 0 : i32
  func.return %ok : i32
}

// -----

func.func private @not_expanded(%ctx: !llvm.ptr) {
  // expected-error @+1 {{failed to legalize operation 'spl.output_fn'}}
  %0 = spl.output_fn "IterationCount"() : () -> ui32
  func.return
}
