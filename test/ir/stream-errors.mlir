// RUN: sluice-opt %s --verify-diagnostics --split-input-file

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{block arguments do not match the input streams}}
  %o = stream.composite "C" of "C" (%o) : (!s) -> !s {
    stream.export %o : !s
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{exported streams do not match the results}}
  %o = stream.composite "C" of "C" () : () -> !s {
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{ports add up to 2 streams, but there are 1}}
  %o = stream.operator "A" kind "K" (%o) [1, 1] : (!s) -> !s {
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{'streams' has 2 elements, one per output port is 1}}
  %o = stream.operator "A" kind "K" () [] {streams = ["S", "T"]} : () -> !s {
  }
}

// -----

stream.graph @Main submissions = [] {
  // expected-error @+1 {{has an input port without a stream}}
  stream.operator "A" kind "K" () [0] : () -> () {
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>
!r = !stream.stream<!spl.tuple<"b": si32>>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{streams of input port 0 differ in type}}
  %o:2 = stream.operator "A" kind "K" (%o#0, %o#1) [2] : (!s, !r) -> (!s, !r) {
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{has input ports, so its process heads no segment}}
  %o = stream.operator "A" kind "K" (%o) [1] {source_segment = 0 : i32} : (!s) -> !s {
  }
}

// -----

stream.graph @Main submissions = [] {
  stream.operator "A" kind "K" () [] : () -> () {
    // expected-error @+1 {{does not belong into the body of an operator}}
    %0 = spl.const 0 : si32
  }
}

// -----

stream.graph @Main submissions = [] {
  stream.operator "A" kind "K" () [] : () -> () {
    // expected-error @+1 {{no such input port}}
    stream.on_tuple 0 {
    ^bb0(%t: !spl.tuple<"a": si32>):
      stream.end
    }
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @Main submissions = [] {
  %o = stream.operator "A" kind "K" (%o) [1] : (!s) -> !s {
    // expected-error @+1 {{takes the tuple of its port}}
    stream.on_tuple 0 {
      stream.end
    }
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  %o = stream.operator "A" kind "K" (%o) [1] : (!s) -> !s {
    // expected-error @+1 {{is there twice for port 0}}
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      stream.end
    }
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      stream.end
    }
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  %o = stream.operator "A" kind "K" (%o) [1] : (!s) -> !s {
    // expected-error @+1 {{must end in 'stream.end', not in 'stream.yield'}}
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      stream.yield
    }
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @Main submissions = [] {
  %o = stream.operator "A" kind "K" (%o) [1] : (!s) -> !s {
    // expected-error @+1 {{takes the marker}}
    stream.on_punct 0 {
      stream.end
    }
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @Main submissions = [] {
  %o = stream.operator "A" kind "K" (%o) [1] : (!s) -> !s {
    // expected-error @+1 {{belongs to operators without input ports}}
    stream.on_process {
      stream.end
    }
  }
}

// -----

stream.graph @Main submissions = [] {
  stream.operator "A" kind "K" () [] : () -> () {
    // expected-error @+1 {{initialiser does not yield a value of 'si32'}}
    stream.state "n" : si32 {
      %0 = spl.const 0 : si64
      stream.yield %0 : si64
    }
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @Main submissions = [] {
  %o = stream.operator "A" kind "K" () [] : () -> !s {
    // expected-error @+1 {{takes the tuples of all input ports, or nothing}}
    stream.param "p" {
    ^bb0(%t: !spl.tuple<"a": si32>):
      stream.yield
    }
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @Main submissions = [] {
  %o = stream.operator "A" kind "K" () [] : () -> !s {
    // expected-error @+1 {{does not yield the attributes of its port}}
    stream.output 0 {
      stream.yield
    }
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @Main submissions = [] {
  %o = stream.operator "A" kind "K" () [] : () -> !s {
    stream.on_process {
      %t = spl.const : !spl.tuple<"b": si32>
      // expected-error @+1 {{on a port of}}
      stream.submit 0, %t : !spl.tuple<"b": si32>
      stream.end
    }
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @Main submissions = [] {
  %o = stream.operator "A" kind "K" () [] : () -> !s {
    stream.on_process {
      %held = spl.const 1 : i1
      // expected-error @+1 {{no such input port}}
      stream.hold 0, %held
      stream.end
    }
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @Main submissions = [] {
  %o = stream.operator "A" kind "K" () [] : () -> !s {
    stream.on_process {
      %m = spl.const 0 : !spl.enum<"WindowMarker", "FinalMarker">
      // expected-error @+1 {{no such output port}}
      stream.submit_punct 1, %m : !spl.enum<"WindowMarker", "FinalMarker">
      stream.end
    }
  }
}

// -----

stream.graph @G submissions = [] {
  %0 = stream.operator "A" kind "K" () [] : () -> !stream.stream<!spl.tuple<"n": si32>> {
    // expected-error @+1 {{must end in 'stream.end', not in 'stream.yield'}}
    stream.fold 0 init { stream.yield } step { stream.end } result {
      %1 = spl.const 1 : si32
      stream.yield %1 : si32
    }
  }
}

// -----

stream.graph @G submissions = [] {
  %0 = stream.operator "A" kind "K" () [] : () -> !stream.stream<!spl.tuple<"n": si32>> {
    // expected-error @+1 {{yields more or less than one value}}
    stream.fold 0 init { stream.end } step { stream.end } result { stream.yield }
  }
}

// -----

stream.graph @G submissions = [] {
  %0 = stream.operator "A" kind "K" () [] : () -> !stream.stream<!spl.tuple<"n": si32>> {
    // expected-error @+1 {{has a region other than 'step' that takes a tuple}}
    stream.fold 0 init {
    ^bb0(%t: !spl.tuple<"n": si32>):
      stream.end
    } step { stream.end } result {
      %1 = spl.const 1 : si32
      stream.yield %1 : si32
    }
  }
}

// -----

stream.graph @G submissions = [] {
  %0 = stream.operator "A" kind "K" () [] : () -> !stream.stream<!spl.tuple<"n": si32>> {
    stream.fold 0 init { stream.end } step { stream.end } result {
      %1 = spl.const 1 : si32
      stream.yield %1 : si32
    }
    // expected-error @+1 {{has the number of another}}
    stream.fold 0 init { stream.end } step { stream.end } result {
      %1 = spl.const 1 : si32
      stream.yield %1 : si32
    }
  }
}

// -----

stream.graph @G submissions = [] {
  %0 = stream.operator "A" kind "K" () [] : () -> !stream.stream<!spl.tuple<"n": si32>> {
    // expected-error @+1 {{takes the tuples of all input ports, or nothing}}
    stream.fold 0 init { stream.end } step {
    ^bb0(%t: !spl.tuple<"n": si32>):
      stream.end
    } result {
      %1 = spl.const 1 : si32
      stream.yield %1 : si32
    }
  }
}

// -----

stream.graph @G submissions = [] {
  %0 = stream.operator "A" kind "K" () [] : () -> !stream.stream<!spl.tuple<"n": si64>> {
    stream.fold 1 init { stream.end } step { stream.end } result {
      %1 = spl.const 1 : si32
      stream.yield %1 : si32
    }
    stream.output 0 {
      // expected-error @+1 {{is no fold of its operator, or one of another type}}
      %1 = spl.output_fn "F"() fold = 1 : () -> si64
      stream.yield %1 : si64
    }
  }
}

// -----

stream.graph @G submissions = [] {
  %0 = stream.operator "S" kind "K" () [] : () -> !stream.stream<!spl.tuple<"n": si32>> {
  }
  stream.operator "A" kind "K" (%0) [1] : (!stream.stream<!spl.tuple<"n": si32>>) -> () {
    stream.on_tuple 0 {
    ^bb0(%t: !spl.tuple<"n": si32>):
      // expected-error @+1 {{no such input port}}
      %1 = stream.history 1[1] : !spl.tuple<"n": si32>
      stream.end
    }
  }
}

// -----

stream.graph @G submissions = [] {
  %0 = stream.operator "S" kind "K" () [] : () -> !stream.stream<!spl.tuple<"n": si32>> {
  }
  stream.operator "A" kind "K" (%0) [1] : (!stream.stream<!spl.tuple<"n": si32>>) -> () {
    stream.on_tuple 0 {
    ^bb0(%t: !spl.tuple<"n": si32>):
      // expected-error @+1 {{is '!spl.tuple<"n": si64>' of a port of '!spl.tuple<"n": si32>'}}
      %1 = stream.history 0[1] : !spl.tuple<"n": si64>
      stream.end
    }
  }
}

// -----

stream.graph @G submissions = [] {
  %0 = stream.operator "S" kind "K" () [] : () -> !stream.stream<!spl.tuple<"n": si32>> {
  }
  stream.operator "A" kind "K" (%0) [1] : (!stream.stream<!spl.tuple<"n": si32>>) -> () {
    stream.on_tuple 0 {
    ^bb0(%t: !spl.tuple<"n": si32>):
      // expected-error @+1 {{asks for the current tuple}}
      %1 = stream.history 0[0] : !spl.tuple<"n": si32>
      stream.end
    }
  }
}

// -----

stream.graph @G submissions = [] {
  %0 = stream.operator "S" kind "K" () [] : () -> !stream.stream<!spl.tuple<"n": si32>> {
    // expected-error @+1 {{submits, and nobody runs any more}}
    stream.on_end {
      %1 = spl.const : !spl.tuple<"n": si32>
      stream.submit 0, %1 : !spl.tuple<"n": si32>
      stream.end
    }
  }
}

// -----

stream.graph @G submissions = [] {
  stream.operator "S" kind "K" () [] : () -> () {
    // expected-error @+1 {{is there twice}}
    stream.on_end {
      stream.end
    }
    stream.on_end {
      stream.end
    }
  }
}

// -----

stream.graph @G submissions = [] {
  stream.operator "S" kind "K" () [] : () -> () {
    // expected-error @+1 {{takes nothing}}
    stream.on_end {
    ^bb0(%x: si32):
      stream.end
    }
  }
}

// -----

stream.graph @G submissions = [] {
  stream.operator "S" kind "K" () [] : () -> () {
    stream.on_end {
      %0 = spl.const 1 : si32
      // expected-error @+1 {{counts in ui64}}
      stream.left_out late, %0 : si32
      stream.end
    }
  }
}
