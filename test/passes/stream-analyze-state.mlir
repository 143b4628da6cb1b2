// RUN: sluice-opt %s --stream-analyze-state | FileCheck %s

!t = !spl.tuple<"k": !spl.rstring, "n": si32>
!m = !spl.enum<"WindowMarker", "FinalMarker">
!s = !stream.stream<!t>
!map = !spl.map<!spl.rstring, si32>

// CHECK-LABEL: @Main
stream.graph @Main submissions = [] {
  // CHECK: "Src"{{.*}}sharing = #stream.sharing<one, "a source is where it is in its stream">, state = #stream.state<stateful, "a source is where it is in its stream">
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // What is only read is no state.
  // CHECK: "Reads"{{.*}} {bounded, sharing = #stream.sharing<any>, state = #stream.state<stateless, "no handler changes a state variable">
  stream.operator "Reads" kind "spl.utility::Custom" (%src) [1] : (!s) -> () {
    stream.state "limit" : si32 {
      %0 = spl.const 3 : si32
      stream.yield %0 : si32
    }
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %0 = spl.state "limit"[0] : <si32>
      %1 = spl.load %0 : <si32> -> si32
      stream.end
    }
  }
  // A Final that it submits itself would overtake the tuples of other workers.
  // CHECK: "Ends"{{.*}}sharing = #stream.sharing<one, "it may end its stream at a tuple">
  %ends = stream.operator "Ends" kind "spl.utility::Custom" (%src) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      stream.submit 0, %t : !t
      %final = spl.const 1 : !spl.enum<"WindowMarker", "FinalMarker">
      stream.submit_punct 0, %final : !spl.enum<"WindowMarker", "FinalMarker">
      stream.end
    }
  }
  // Lanes may share it.
  // CHECK: "Counts"{{.*}}{bounded, sharing = #stream.sharing<by_key, "`m` is only used at the key `k`">, state = #stream.state<partitioned by "k" of ["m"], "`m` is only used at the key `k`">
  stream.operator "Counts" kind "spl.utility::Custom" (%src) [1] : (!s) -> () {
    stream.state "m" : !map {
      %0 = spl.const : !map
      stream.yield %0 : !map
    }
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %k = spl.field %t[0] : !t -> !spl.rstring
      %m = spl.state "m"[0] : <!map>
      %v = spl.load %m : <!map> -> !map
      %in = spl.contains %k in %v : !spl.rstring, !map
      %n = spl.field %t[1] : !t -> si32
      %slot = spl.map_slot %m[%k] : <!map>, !spl.rstring -> <si32>
      spl.store %n, %slot : si32, <si32>
      stream.end
    }
  }
  // One tuple becomes two, and brings punctuation: lanes may.
  // CHECK: "Twice"{{.*}}{bounded, sharing = #stream.sharing<by_key, "`m` is only used at the key `k`">,
  %twice = stream.operator "Twice" kind "spl.utility::Custom" (%src) [1] : (!s) -> !s {
    stream.state "m" : !map {
      %0 = spl.const : !map
      stream.yield %0 : !map
    }
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %k = spl.field %t[0] : !t -> !spl.rstring
      %m = spl.state "m"[0] : <!map>
      %n = spl.field %t[1] : !t -> si32
      %slot = spl.map_slot %m[%k] : <!map>, !spl.rstring -> <si32>
      spl.store %n, %slot : si32, <si32>
      stream.submit 0, %t : !t
      %w = spl.const 0 : !m
      stream.submit_punct 0, %w : !m
      stream.submit 0, %t : !t
      stream.end
    }
  }
  // One tuple becomes any number: lanes may not, as they keep it all.
  // CHECK: "Many"{{.*}}sharing = #stream.sharing<one, "its state is by key, but one tuple may become any number">, state = #stream.state<partitioned by "k" of ["m"],
  %many = stream.operator "Many" kind "spl.utility::Custom" (%src) [1] : (!s) -> !s {
    stream.state "m" : !map {
      %0 = spl.const : !map
      stream.yield %0 : !map
    }
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %k = spl.field %t[0] : !t -> !spl.rstring
      %m = spl.state "m"[0] : <!map>
      %n = spl.field %t[1] : !t -> si32
      %slot = spl.map_slot %m[%k] : <!map>, !spl.rstring -> <si32>
      spl.store %n, %slot : si32, <si32>
      cf.br ^again
    ^again:
      stream.submit 0, %t : !t
      %zero = spl.const 0 : si32
      %more = spl.compare ne %n, %zero : si32
      cf.cond_br %more, ^again, ^done
    ^done:
      stream.end
    }
  }
  // The size of the map belongs to no key.
  // CHECK: "Sizes"{{.*}}state = #stream.state<stateful, "`m` is used as a whole, or not by one attribute of the tuple">
  stream.operator "Sizes" kind "spl.utility::Custom" (%src) [1] : (!s) -> () {
    stream.state "m" : !map {
      %0 = spl.const : !map
      stream.yield %0 : !map
    }
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %k = spl.field %t[0] : !t -> !spl.rstring
      %m = spl.state "m"[0] : <!map>
      %slot = spl.map_slot %m[%k] : <!map>, !spl.rstring -> <si32>
      %v = spl.load %m : <!map> -> !map
      %size = spl.size %v : !map
      %one = spl.const 1 : si32
      spl.store %one, %slot : si32, <si32>
      stream.end
    }
  }
}
