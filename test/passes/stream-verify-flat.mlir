// RUN: sluice-opt %s --stream-verify-flat | FileCheck %s

// CHECK: stream.graph @Main
stream.graph @Main submissions = [] {
  %a = stream.operator "A" kind "spl.adapter::FileSource" () [] {native} : () -> !stream.stream<!spl.tuple<"a": si32>> {
    stream.param "file" {
      %0 = spl.const "a" : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
  stream.operator "B" kind "spl.utility::Custom" (%a) [1] : (!stream.stream<!spl.tuple<"a": si32>>) -> () {
    stream.on_tuple 0 {
    ^bb0(%t: !spl.tuple<"a": si32>):
      stream.end
    }
  }
}
