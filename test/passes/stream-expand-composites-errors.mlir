// RUN: sluice-opt %s --stream-expand-composites --verify-diagnostics

!s = !stream.stream<!spl.tuple<"a": si32>>

stream.graph @Main submissions = [] {
  // expected-error @+1 {{output stream 0 of composite 'Loop' has no source}}
  %l = stream.composite "L" of "Loop" (%l) : (!s) -> !s {
  ^bb0(%in: !s):
    stream.export %in : !s
  }
}
