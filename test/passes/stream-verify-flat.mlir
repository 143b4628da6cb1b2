// RUN: sluice-opt %s --stream-verify-flat --split-input-file --verify-diagnostics

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// Handlers, and native operators with values for their parameters: flat.
stream.graph @Good submissions = [] {
  %src = stream.operator "Src" kind "spl.adapter::FileSource" () [] {native} : () -> !s {
    stream.param "file" {
      %0 = spl.const "in.csv" : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
  stream.operator "Sink" kind "spl.utility::Custom" (%src) [1] : (!s) -> () {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      stream.end
    }
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

stream.graph @NotExpanded submissions = [] {
  // expected-error @below {{operator `spl.utility::Beacon` has neither handlers nor a native body}}
  %src = stream.operator "Src" kind "spl.utility::Beacon" () [] : () -> !s {
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

stream.graph @ParamOfCustom submissions = [] {
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
    // expected-error @below {{no 'stream.param' in an operator with handlers}}
    stream.param "file" {
      %0 = spl.const "in.csv" : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
}
