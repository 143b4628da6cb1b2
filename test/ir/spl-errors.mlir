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
  // expected-error @+1 {{has more than one of 'summary', 'counts' and 'fold'}}
  %0 = spl.output_fn "F"() counts = groups fold = 0 : () -> si32
  spl.return %0 : si32
}

// -----

spl.func @f(%x: si32) -> si32 {
  // expected-error @+1 {{says something about several tuples, so its arguments stand elsewhere}}
  %0 = spl.output_fn "Sum"(%x) summary = 0 : (si32) -> si32
  spl.return %0 : si32
}

// -----

spl.func @f(%m: !spl.ref<!spl.map<si32, f64>>, %k: si64) {
  // expected-error @+1 {{takes a key of 'si64' for a place of '!spl.map<si32, f64>'}}
  spl.map_erase %m[%k] : !spl.ref<!spl.map<si32, f64>>, si64
  spl.return
}

// -----

spl.func @f(%m: !spl.ref<!spl.list<si32>>, %at: ui64) {
  // expected-error @+1 {{takes the place of a map, not of '!spl.list<si32>'}}
  spl.map_erase_nth %m[%at] : !spl.ref<!spl.list<si32>>
  spl.return
}

// -----

spl.func @f(%l: !spl.ref<!spl.list<f64>>, %k: si64) {
  // expected-error @+1 {{takes a key of 'si64' for a place of '!spl.list<f64>'}}
  %0 = spl.map_find %l[%k] : !spl.ref<!spl.list<f64>>, si64
  spl.return
}

// -----

spl.func @f(%l: !spl.ref<!spl.list<si32>>, %x: si64) {
  // expected-error @+1 {{appends 'si64' to '!spl.list<si32>'}}
  spl.push %x, %l : si64, !spl.ref<!spl.list<si32>>
  spl.return
}

// -----

spl.func @f(%l: !spl.ref<!spl.list<si32>>, %i: ui64) {
  // expected-error @+1 {{is not the place of an element of '!spl.list<si32>'}}
  %0 = spl.nth_ref %l[%i] : !spl.ref<!spl.list<si32>> -> !spl.ref<f64>
  spl.return
}

// -----

spl.func @f(%n: ui64) {
  // expected-error @+1 {{takes a number that may be below 0, not 'ui64'}}
  spl.check_size "count" %n : ui64
  spl.return
}

// -----

spl.func @f(%l: !spl.ref<!spl.set<si32>>, %h: !spl.ref<ui64>) {
  // expected-error @+1 {{takes the places of a list, of a position and of a number (ui64)}}
  spl.grow_ring %l, %h, %h : !spl.ref<!spl.set<si32>>, !spl.ref<ui64>, !spl.ref<ui64>
  spl.return
}

// -----

!rows = !spl.list<!spl.tuple<"a": si32, "b": !spl.list<si32>>>
spl.func @f(%rows: !spl.ref<!rows>, %n: ui64) -> !spl.list<ui32> {
  // expected-error @+1 {{takes rows that begin with 2 keys, not '!spl.list<!spl.tuple<"a": si32, "b": !spl.list<si32>>>'}}
  %0 = spl.sort_rows %rows[%n] by [true, false] : !spl.ref<!rows> -> !spl.list<ui32>
  spl.return %0 : !spl.list<ui32>
}

// -----

!rows = !spl.list<!spl.tuple<"a": si32>>
spl.func @f(%rows: !spl.ref<!rows>, %n: ui64) -> !spl.list<si32> {
  // expected-error @+1 {{gives a list of row numbers (ui32)}}
  %0 = spl.sort_rows %rows[%n] by [true] : !spl.ref<!rows> -> !spl.list<si32>
  spl.return %0 : !spl.list<si32>
}

// -----

!rows = !spl.list<!spl.tuple<"a": si32>>
spl.func @f(%heap: !spl.ref<!spl.list<ui64>>, %rows: !spl.ref<!rows>, %n: ui64) {
  // expected-error @+1 {{takes a list of words and row numbers (ui64), not '!spl.list<ui64>'}}
  spl.heap_push %heap[%n], %rows by [false] : !spl.ref<!spl.list<ui64>>, !spl.ref<!rows>
  spl.return
}

// -----

!entries = !spl.list<!spl.tuple<"word": ui64, "row": ui64>>
spl.func @f(%heap: !spl.ref<!entries>, %rows: !spl.ref<!spl.list<si32>>, %n: ui64) {
  // expected-error @+1 {{takes rows that begin with 1 keys, not '!spl.list<si32>'}}
  spl.heap_pop %heap[%n], %rows by [false] : !spl.ref<!entries>, !spl.ref<!spl.list<si32>>
  spl.return
}

// -----

spl.func @f() {
  // expected-error @+1 {{value "1.5x" does not fit type '!spl.decimal<64>'}}
  %0 = spl.const "1.5x" : !spl.decimal<64>
  spl.return
}

// -----

spl.func @f() {
  // expected-error @+1 {{value "1e97" does not fit type '!spl.decimal<32>'}}
  %0 = spl.const "1e97" : !spl.decimal<32>
  spl.return
}

// -----

spl.func @f() {
  // expected-error @+1 {{does not fit type 'complex<f64>'}}
  %0 = spl.const "1" : complex<f64>
  spl.return
}

// -----

spl.func @f(%a: !spl.optional<si32>) {
  // expected-error @+1 {{index is past the tuple's attributes}}
  %0 = spl.field %a[2] : !spl.optional<si32> -> si32
  spl.return
}

// -----

spl.func @f(%flag: i1, %v: si64) {
  spl.check_present %flag
  // expected-error @+1 {{values do not match the attributes of}}
  %0 = "spl.make_tuple"(%flag, %v) : (i1, si64) -> !spl.optional<si32>
  spl.return
}

// -----

spl.func @f(%s: !spl.ustring) {
  %0 = spl.var "v" : !spl.ref<!spl.rstring>
  // expected-error @+1 {{appends '!spl.ustring' to a place of '!spl.rstring'}}
  spl.append %s, %0 : !spl.ustring, !spl.ref<!spl.rstring>
  spl.return
}

// -----

spl.func @f() {
  %0 = spl.var "v" : !spl.ref<!spl.list<si32>>
  // expected-error @+1 {{takes a place with a bound, not one of '!spl.list<si32>'}}
  spl.cut %0 : !spl.ref<!spl.list<si32>>
  spl.return
}

// -----

spl.func @f(%i: ui64) {
  %0 = spl.var "v" : !spl.ref<!spl.blob>
  // expected-error @+1 {{takes the place of a list or map}}
  %1 = spl.nth_ref %0[%i] : !spl.ref<!spl.blob> -> !spl.ref<ui8>
  spl.return
}
