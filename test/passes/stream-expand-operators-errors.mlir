// RUN: sluice-opt %s --stream-expand-operators --verify-diagnostics --split-input-file

!t = !spl.tuple<"a": !spl.rstring>
!s = !stream.stream<!t>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{not supported yet: operator `spl.relational::Aggregate`}}
  %a = stream.operator "A" kind "spl.relational::Aggregate" (%b) [1] : (!s) -> !s {
  }
  %b = stream.operator "B" kind "spl.utility::Beacon" () [] : () -> !s {
    // expected-error @+1 {{not supported yet: parameter `triggerCount` of operator `spl.utility::Beacon`}}
    stream.param "triggerCount" {
      %0 = spl.const 1 : ui32
      stream.yield %0 : ui32
    }
  }
  stream.operator "Sink" kind "spl.adapter::FileSink" (%b) [1] : (!s) -> () {
    // expected-error @+1 {{not supported yet: parameter `file` of operator `spl.adapter::FileSink` that depends on the tuple}}
    stream.param "file" {
    ^bb0(%t: !t):
      %0 = spl.field %t[0] : !t -> !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
  %c = stream.operator "C" kind "spl.utility::Beacon" () [] : () -> !s {
    stream.output 0 {
      // expected-error @+1 {{not supported yet: output function `FileName`}}
      %0 = spl.output_fn "FileName"() : () -> !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
  // expected-error @+1 {{operator `spl.utility::Split` needs parameter `index`}}
  %d = stream.operator "D" kind "spl.utility::Split" (%b) [1] : (!s) -> !s {
  }
}

// -----

!s = !stream.stream<!spl.tuple<"a": si32>>
!r = !stream.stream<!spl.tuple<"b": si32>>

stream.graph @Union submissions = [] {
  %a = stream.operator "A" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // expected-error @+1 {{input port 0 lacks attribute 'b'}}
  %u = stream.operator "U" kind "spl.utility::Union" (%a) [1] : (!s) -> !r {
  }
}
