// RUN: sluice-opt %s --stream-expand-operators | FileCheck %s

!t = !spl.tuple<"n": ui64>

// CHECK-LABEL: stream.graph @Beacon
stream.graph @Beacon submissions = [] {
  %in = stream.operator "B" kind "spl.utility::Beacon" () [] : () -> !stream.stream<!t> {
    stream.param "iterations" {
      %0 = spl.const 10 : si32
      stream.yield %0 : si32
    }
    stream.param "period" {
      %0 = spl.const 0.5 : f64
      stream.yield %0 : f64
    }
    stream.output 0 {
      %n = spl.output_fn "IterationCount"() : () -> ui64
      stream.yield %n : ui64
    }
    // CHECK: stream.on_process
    // CHECK: %[[TEN:.*]] = spl.cast %{{.*}} : si32 to ui64
    // CHECK: cf.br ^[[HEAD:bb[0-9]+]]
    // CHECK: ^[[HEAD]](%[[N:.*]]: ui64):
    // A block of one tuple, because each waits for its period.
    // CHECK: %[[ONE:.*]] = spl.const 1 : ui64
    // CHECK: %[[ROOM:.*]] = stream.room %[[ONE]] : ui64
    // CHECK: %[[STOP:.*]] = stream.is_shutdown %[[N]] : ui64
    // CHECK: %[[MORE:.*]] = spl.compare lt %[[N]], %[[TEN]]
    // CHECK: cf.cond_br %[[MORE]], ^{{.*}}, ^[[DONE:bb[0-9]+]]
    // CHECK: cf.cond_br %[[STOP]], ^[[DONE]]
    // No pause before the first tuple.
    // CHECK: spl.compare eq %[[N]]
    // CHECK: stream.wait
    // CHECK: %[[LEFT:.*]] = spl.binary sub %[[TEN]], %[[N]]
    // CHECK: %[[STEP:.*]] = arith.select %{{.*}}, %[[LEFT]], %[[ROOM]] : ui64
    // CHECK: %[[END:.*]] = spl.binary add %[[N]], %[[STEP]]
    // CHECK: cf.br ^[[INNER:bb[0-9]+]](%[[N]]
    // CHECK: ^[[INNER]](%[[C:.*]]: ui64):
    // CHECK: spl.compare ne %[[C]], %[[END]]
    // CHECK: cf.br ^[[HEAD]](%[[C]]
    // CHECK: spl.arena_checkpoint
    // CHECK: %[[T:.*]] = spl.make_tuple %[[C]]
    // CHECK: stream.submit 0, %[[T]]
    // CHECK: spl.release
    // CHECK: cf.br ^[[INNER]]
    // CHECK: ^[[DONE]]:
    // CHECK: %[[M:.*]] = spl.const 0 : !spl.enum<"WindowMarker", "FinalMarker">
    // CHECK: stream.submit_punct 0, %[[M]]
  }
}

// A checkpoint is asked for at each third tuple, and a block ends there.
// CHECK-LABEL: stream.graph @Driven
stream.graph @Driven submissions = [] {
  %in = stream.operator "B" kind "spl.utility::Beacon" () []
      {recovery = #stream.recovery<region = 0, roles = "starts|triggers">} : () -> !stream.stream<!t> {
    stream.param "triggerCount" {
      %0 = spl.const 3 : ui32
      stream.yield %0 : ui32
    }
    stream.output 0 {
      %n = spl.output_fn "IterationCount"() : () -> ui64
      stream.yield %n : ui64
    }
    // CHECK: %[[THREE:.*]] = spl.cast %{{.*}} : ui32 to ui64
    // CHECK: ^{{.*}}(%[[N:.*]]: ui64):
    // CHECK: %[[OVER:.*]] = spl.rem %[[N]], %[[THREE]]
    // CHECK: %[[DUE:.*]] = arith.andi
    // CHECK: cf.cond_br %[[DUE]]
    // CHECK: stream.save_point ask
    // CHECK: %[[LEFT:.*]] = spl.binary sub %[[THREE]], %[[OVER]]
    // CHECK: %[[LEAST:.*]] = arith.select
    // CHECK: stream.room %[[LEAST]]
    // CHECK: stream.is_shutdown %[[N]]
  }
}
