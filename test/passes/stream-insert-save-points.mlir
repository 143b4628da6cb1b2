// RUN: sluice-opt %s --stream-insert-save-points --split-input-file | FileCheck %s

!t = !spl.tuple<"n": si32>
!s = !stream.stream<!t>

// The variable and what is needed behind a point become state variables. The position of the arena
// is taken anew.
// CHECK-LABEL: @Loop
stream.graph @Loop submissions = [] {
  // CHECK: stream.state "i" : si32
  // CHECK: stream.state "$point {{[0-9A-F]+}}" : si32
  // CHECK: stream.state "$1" : si32
  // CHECK-NOT: stream.state
  // CHECK: stream.on_process
  // CHECK-DAG: %[[AT:.*]] = spl.state "$point {{[0-9A-F]+}}"[1]
  // CHECK-DAG: %[[KEPT:.*]] = spl.state "$1"[2]
  // CHECK: %[[NUMBER:.*]] = spl.load %[[AT]]
  // CHECK: %[[ONE:.*]] = spl.const 1
  // CHECK: %[[HERE:.*]] = spl.compare eq %[[NUMBER]], %[[ONE]]
  // CHECK: cf.cond_br %[[HERE]], ^[[FIRST:bb[0-9]+]], ^[[NEXT:bb[0-9]+]]
  // CHECK: ^[[NEXT]]:
  // CHECK: cf.cond_br %{{.*}}, ^[[SECOND:bb[0-9]+]],
  %s = stream.operator "S" kind "spl.utility::Custom" () [] : () -> !s {
    stream.on_process {
      %i = spl.var "i" : !spl.ref<si32>
      %zero = spl.const 0 : si32
      %many = spl.const 9 : si32
      %second = spl.const 1.0 : f64
      %mark = spl.arena_checkpoint
      cf.br ^bb1(%zero : si32)
    ^bb1(%k: si32):
      %more = spl.compare lt %k, %many : si32
      cf.cond_br %more, ^bb2, ^bb3
    ^bb2:
      %v = spl.load %i : !spl.ref<si32> -> si32
      %tuple = spl.make_tuple %v : !t
      // Behind a tuple it stays if a checkpoint is asked for.
      // CHECK: stream.submit 0
      // CHECK: %[[DUE:.*]] = stream.save_due
      // CHECK: cf.cond_br %[[DUE]], ^[[ASIDE:bb[0-9]+]], ^[[BEHIND:bb[0-9]+]]
      // CHECK: ^[[ASIDE]]:
      // CHECK: spl.store %{{.*}}, %[[KEPT]]
      // CHECK: %[[P1:.*]] = spl.const 1
      // CHECK: spl.store %[[P1]], %[[AT]]
      // CHECK: stream.save_point stay
      // CHECK: cf.br ^[[BEHIND]]
      stream.submit 0, %tuple : !t
      spl.release %mark
      // Before a wait its state says where it is.
      // CHECK: %[[WAITS:.*]] = stream.save_due waits
      // CHECK: cf.cond_br %[[WAITS]]
      // CHECK: stream.save_point wait
      // CHECK: stream.wait
      // CHECK-NEXT: stream.save_point go
      %stop = stream.wait %second
      %next = spl.binary add %k, %k : si32, si32
      cf.br ^bb1(%next : si32)
    ^bb3:
      stream.end
    }
  }
  // The ways back: to the point behind the tuple, and to the wait, which it is about to begin.
  // CHECK: ^[[FIRST]]:
  // CHECK: %[[SAVED:.*]] = spl.load %[[KEPT]]
  // CHECK: %[[COPY:.*]] = spl.copy %[[SAVED]]
  // CHECK: %[[MARK:.*]] = spl.arena_checkpoint
  // CHECK: cf.br ^[[BEHIND]](%[[COPY]], %[[MARK]]
  // CHECK: ^[[SECOND]]:
  // CHECK: stream.save_point wait
}

// -----

!t = !spl.tuple<"n": si32>
!s = !stream.stream<!t>

// A loop of an expanded source asks between strips of rows, and may stay there.
// CHECK-LABEL: @Strips
stream.graph @Strips submissions = [] {
  %s = stream.operator "S" kind "spl.utility::Beacon" () [] : () -> !s {
    stream.on_process {
      %zero = spl.const 0 : si32
      cf.br ^bb1
    ^bb1:
      %tuple = spl.make_tuple %zero : !t
      // CHECK: stream.submit 0
      // CHECK-NEXT: stream.save_due
      // CHECK: stream.save_point stay
      // CHECK: stream.is_shutdown
      stream.submit 0, %tuple {in_room} : !t
      %stop = stream.is_shutdown
      cf.cond_br %stop, ^bb2, ^bb1
    ^bb2:
      stream.end
    }
  }
}

// -----

!t = !spl.tuple<"n": si32>
!s = !stream.stream<!t>

// A value is an argument of both ways of a branch behind the point, and needed behind them.
// CHECK-LABEL: @Branches
stream.graph @Branches submissions = [] {
  %s = stream.operator "S" kind "spl.utility::Custom" () [] : () -> !s {
    stream.on_process {
      %zero = spl.const 0 : si32
      %many = spl.const 9 : si32
      cf.br ^bb1(%zero, %many : si32, si32)
    ^bb1(%k: si32, %before: si32):
      %v = spl.binary add %k, %before : si32, si32
      %tuple = spl.make_tuple %v : !t
      // CHECK: stream.submit 0
      // CHECK: cf.cond_br %{{.*}}, ^{{bb[0-9]+}}, ^[[BEHIND:bb[0-9]+]](
      // CHECK: ^[[BEHIND]](%[[V:.*]]: si32):
      // CHECK: %[[MORE:.*]] = spl.compare lt %[[V]]
      // CHECK: cf.cond_br %[[MORE]], ^{{bb[0-9]+}}(%[[V]], %[[V]] : si32, si32), ^{{bb[0-9]+}}(%[[V]]
      stream.submit 0, %tuple : !t
      %more = spl.compare lt %v, %many : si32
      cf.cond_br %more, ^bb1(%v, %v : si32, si32), ^bb2(%v : si32)
    ^bb2(%w: si32):
      %last = spl.binary add %w, %v : si32, si32
      %end = spl.make_tuple %last : !t
      stream.submit 0, %end : !t
      stream.end
    }
  }
}
