// RUN: sluice-opt %s --verify-diagnostics --split-input-file

spl.func @f(%a: !spl.rstring) {
  // expected-error @+1 {{cannot be applied to '!spl.rstring'}}
  %0 = spl.unary neg %a : !spl.rstring
  spl.return
}

// -----

spl.func @f(%a: si32) {
  // expected-error @+1 {{cannot be applied to 'si32'}}
  %0 = spl.unary not %a : si32
  spl.return
}

// -----

spl.func @f(%a: si32, %b: si64) {
  // expected-error @+1 {{operands have different types}}
  %0 = spl.binary add %a, %b : si32, si64
  spl.return
}

// -----

spl.func @f(%a: f64, %b: f64) {
  // expected-error @+1 {{cannot be applied to 'f64'}}
  %0 = spl.binary bit_and %a, %b : f64, f64
  spl.return
}

// -----

spl.func @f(%a: f64, %b: si32) {
  // expected-error @+1 {{shifts take integers}}
  %0 = spl.binary shl %a, %b : f64, si32
  spl.return
}

// -----

spl.func @f() {
  // expected-error @+1 {{does not fit type '!spl.rstring'}}
  %0 = spl.const 1 : !spl.rstring
  spl.return
}

// -----

spl.func @f(%t: !spl.tuple<"a": si32>) {
  // expected-error @+1 {{index is past the tuple's attributes}}
  %0 = spl.field %t[1] : !spl.tuple<"a": si32> -> si32
  spl.return
}

// -----

spl.func @f(%t: !spl.tuple<"a": si32>) {
  // expected-error @+1 {{result is not the attribute's type}}
  %0 = spl.field %t[0] : !spl.tuple<"a": si32> -> si64
  spl.return
}

// -----

spl.func @f(%a: si32) -> si64 {
  // expected-error @+1 {{returns 'si32' from a function of 'si64'}}
  spl.return %a : si32
}

// -----

// expected-note @+1 {{declared here}}
spl.func @g(%a: si32) -> si32 {
  spl.return %a : si32
}
spl.func @f(%a: si64) {
  // expected-error @+1 {{does not match the function}}
  %0 = spl.call @g(%a) : (si64) -> si32
  spl.return
}

// -----

spl.func @f() {
  // expected-error @+1 {{calls unknown function @g}}
  spl.call @g() : () -> ()
  spl.return
}

// -----

spl.func @f(%p: !spl.ref<si32>, %v: si64) {
  // expected-error @+1 {{stores 'si64' into a place of 'si32'}}
  spl.store %v, %p : si64, !spl.ref<si32>
  spl.return
}

// -----

spl.func @f(%p: !spl.ref<si32>) {
  // expected-error @+1 {{loads 'si64' from a place of 'si32'}}
  %0 = spl.load %p : !spl.ref<si32> -> si64
  spl.return
}

// -----

spl.func @f(%p: !spl.ref<!spl.tuple<"a": si32>>) {
  // expected-error @+1 {{is not the place of an attribute}}
  %0 = spl.field_ref %p[1] : !spl.ref<!spl.tuple<"a": si32>> -> !spl.ref<si32>
  spl.return
}

// -----

spl.func @f(%l: !spl.list<si32>, %i: ui32) {
  // expected-error @+1 {{result is not the element's type}}
  %0 = spl.nth %l[%i] : !spl.list<si32> -> si64
  spl.return
}

// -----

spl.func @f(%l: !spl.list<si32>, %i: ui32) {
  // expected-error @+1 {{result is not the element's type}}
  %0 = spl.index %l[%i] : !spl.list<si32>, ui32 -> si64
  spl.return
}

// -----

spl.func @f() -> si32 {
  // expected-error @+1 {{has unknown function @lift as 'lift'}}
  %0 = spl.output_fn "Count"() aggregate = <state = si32, lift = @lift, merge = @lift, result = @lift> : () -> si32
  spl.return %0 : si32
}

// -----

// expected-note @+1 {{declared here}}
spl.func @lift() -> si64 {
  %0 = spl.const 1 : si64
  spl.return %0 : si64
}
spl.func @f() -> si32 {
  // expected-error @+1 {{needs a function of '() -> si32' as 'lift'}}
  %0 = spl.output_fn "Count"() aggregate = <state = si32, lift = @lift, merge = @lift, result = @lift> : () -> si32
  spl.return %0 : si32
}

// -----

spl.func @lift(%x: si32) -> si32 {
  spl.return %x : si32
}
// expected-note @+1 {{declared here}}
spl.func @merge(%p: !spl.ref<si32>, %x: si32) -> si32 {
  spl.return %x : si32
}
spl.func @f(%x: si32) -> si32 {
  // expected-error @+1 {{needs a function of '(!spl.ref<si32>, si32) -> ()' as 'merge'}}
  %0 = spl.output_fn "Sum"(%x) aggregate = <state = si32, lift = @lift, merge = @merge, result = @lift> : (si32) -> si32
  spl.return %0 : si32
}

// -----

spl.func @f() -> si32 {
  // expected-error @+1 {{has more than one of 'aggregate', 'counts' and 'fold'}}
  %0 = spl.output_fn "F"() counts = groups fold = 0 : () -> si32
  spl.return %0 : si32
}
