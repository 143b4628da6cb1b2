// What each kind of window keeps.
// RUN: sluice-opt %s --allow-unregistered-dialect --stream-plan-windows | FileCheck %s
// Those that close keep no panes.
// RUN: sluice-opt %s --allow-unregistered-dialect --stream-plan-windows=close-windows=true | FileCheck %s --check-prefix=CLOSE --implicit-check-not=whole
// CLOSE: plan <running, "its tuples leave together"> closes

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>
!f = !stream.stream<!spl.tuple<"a": f64>>
spl.func @lift(%x: si32) -> si32 {
  spl.return %x : si32
}
spl.func @merge(%s: !spl.ref<si32>, %x: si32) {
  spl.return
}

spl.func @add(%s: !spl.ref<si32>, %x: si32) {
  %0 = spl.load %s : !spl.ref<si32> -> si32
  %1 = spl.binary add %0, %x : si32, si32
  spl.store %1, %s : si32, !spl.ref<si32>
  spl.return
}
spl.func @liftf(%x: f64) -> f64 {
  spl.return %x : f64
}
spl.func @resultf(%x: f64) -> si32 {
  %0 = spl.const 1 : si32
  spl.return %0 : si32
}
spl.func @addf(%s: !spl.ref<f64>, %x: f64) {
  %0 = spl.load %s : !spl.ref<f64> -> f64
  %1 = spl.binary add %0, %x : f64, f64
  spl.store %1, %s : f64, !spl.ref<f64>
  spl.return
}
spl.func @calls(%s: !spl.ref<f64>, %x: f64) {
  spl.call @addf(%s, %x) : (!spl.ref<f64>, f64) -> ()
  spl.return
}
spl.func @latest(%s: !spl.ref<f64>, %x: f64) {
  spl.store %x, %s : f64, !spl.ref<f64>
  spl.return
}

stream.graph @G submissions = [] {
  %in = "test.value"() : () -> !s
  %floats = "test.value"() : () -> !f
  // CHECK: stream.window 0 <kind = tumbling, {{.*}}> plan <running, "its tuples leave together">
  %a = stream.operator "A" kind "K" (%in) [1] : (!s) -> !s {
    stream.window 0 <kind = tumbling, evict = <punct>> {
      stream.yield
    }
    stream.aggregate 0 "F" <state = si32, lift = @lift, merge = @merge, result = @lift> {
    ^bb0(%t: !t):
      %0 = spl.field %t[0] : !t -> si32
      stream.yield %0 : si32
    }
  }
  // CHECK: plan <invertible, "its functions can take a tuple back">
  %b = stream.operator "B" kind "K" (%in) [1] : (!s) -> !s {
    stream.window 0 <kind = sliding, evict = <count>, trigger = <count>> {
      %0 = spl.const 3 : si64
      %1 = spl.const 1 : si64
      stream.yield %0, %1 : si64, si64
    }
    stream.aggregate 0 "F" <state = si32, lift = @lift, merge = @merge, remove = @merge, result = @lift> {
    ^bb0(%t: !t):
      %0 = spl.field %t[0] : !t -> si32
      stream.yield %0 : si32
    }
  }
  // CHECK: plan <two_stacks, "a function cannot take a tuple back">
  %c = stream.operator "C" kind "K" (%in) [1] : (!s) -> !s {
    stream.window 0 <kind = sliding, evict = <count>, trigger = <count>> {
      %0 = spl.const 3 : si64
      %1 = spl.const 2 : si64
      stream.yield %0, %1 : si64, si64
    }
    stream.aggregate 0 "F" <state = si32, lift = @lift, merge = @merge, result = @lift> {
    ^bb0(%t: !t):
      %0 = spl.field %t[0] : !t -> si32
      stream.yield %0 : si32
    }
  }
  // CHECK: plan <panes, "tuples with equal values of its delta attribute leave together", pane = 0>
  %d = stream.operator "D" kind "K" (%in) [1] : (!s) -> !s {
    stream.window 0 <kind = sliding, evict = <delta of 0>, trigger = <count>> {
      %0 = spl.const 3 : si32
      %1 = spl.const 1 : si64
      stream.yield %0, %1 : si32, si64
    }
    stream.aggregate 0 "F" <state = si32, lift = @lift, merge = @merge, result = @lift> {
    ^bb0(%t: !t):
      %0 = spl.field %t[0] : !t -> si32
      stream.yield %0 : si32
    }
  }
  // CHECK: plan <tuples, "a function of the program reads all tuples">
  %e = stream.operator "E" kind "K" (%in) [1] : (!s) -> !s {
    stream.window 0 <kind = tumbling, evict = <time>> {
      %0 = spl.const 3.0 : f64
      stream.yield %0 : f64
    }
    stream.fold 0 init {
      stream.end
    } step {
    ^bb0(%t: !t):
      stream.end
    } result {
      %0 = spl.const 1 : si32
      stream.yield %0 : si32
    }
  }
  // CHECK: plan <rows, "they are sorted when it fires">
  %f = stream.operator "F" kind "K" (%in) [1] {facts = #stream.operator_facts<traits = sorts>} : (!s) -> !s {
    stream.window 0 <kind = tumbling, evict = <punct>> {
      stream.yield
    }
    stream.param "sortBy" {
    ^bb0(%t: !t):
      %0 = spl.field %t[0] : !t -> si32
      stream.yield %0 : si32
    }
  }
  // CHECK: plan <heap, "the first in order leaves when one comes">
  %g = stream.operator "G" kind "K" (%in) [1] {facts = #stream.operator_facts<traits = sorts>} : (!s) -> !s {
    stream.window 0 <kind = sliding, evict = <count>, trigger = <count>> {
      %0 = spl.const 3 : si64
      %1 = spl.const 1 : si64
      stream.yield %0, %1 : si64, si64
    }
    stream.param "sortBy" {
    ^bb0(%t: !t):
      %0 = spl.field %t[0] : !t -> si32
      stream.yield %0 : si32
    }
  }
  // Panes are as long as divides both sizes.
  // CHECK: plan <two_stacks, "it fires when whole panes are in it", pane = 4>
  %h = stream.operator "H" kind "K" (%in) [1] : (!s) -> !s {
    stream.window 0 <kind = sliding, evict = <count>, trigger = <count>> {
      %0 = spl.const 12 : si64
      %1 = spl.const 8 : si64
      stream.yield %0, %1 : si64, si64
    }
    stream.aggregate 0 "F" <state = si32, lift = @lift, merge = @merge, result = @lift> {
    ^bb0(%t: !t):
      %0 = spl.field %t[0] : !t -> si32
      stream.yield %0 : si32
    }
  }
  // CHECK: plan <two_stacks, "it fires when whole panes are in it", pane = 4>
  %i = stream.operator "I" kind "K" (%in) [1] : (!s) -> !s {
    stream.window 0 <kind = sliding, evict = <count>, trigger = <count>> {
      %0 = spl.const 12 : si64
      %1 = spl.const 8 : si64
      stream.yield %0, %1 : si64, si64
    }
    stream.aggregate 0 "F" <state = si32, lift = @lift, merge = @merge, remove = @merge, result = @lift> {
    ^bb0(%t: !t):
      %0 = spl.field %t[0] : !t -> si32
      stream.yield %0 : si32
    }
  }
  // CHECK: plan <panes, "it fires when whole panes are in it", pane = 4>
  %j = stream.operator "J" kind "K" (%in) [1] : (!s) -> !s {
    stream.window 0 <kind = sliding, evict = <count>, trigger = <count>> {
      %0 = spl.const 12 : si64
      %1 = spl.const 8 : si64
      stream.yield %0, %1 : si64, si64
    }
    stream.param "groupBy" {
    ^bb0(%t: !t):
      %0 = spl.field %t[0] : !t -> si32
      stream.yield %0 : si32
    }
    stream.aggregate 0 "F" <state = si32, lift = @lift, merge = @merge, result = @lift> {
    ^bb0(%t: !t):
      %0 = spl.field %t[0] : !t -> si32
      stream.yield %0 : si32
    }
  }
  // CHECK: plan <invertible, "its functions can take a tuple back">
  %l = stream.operator "L" kind "K" (%in) [1] : (!s) -> !s {
    stream.window 0 <kind = sliding, evict = <count>, trigger = <count>> {
      %0 = spl.const 12 : si64
      %1 = spl.const 8 : si64
      stream.yield %0, %1 : si64, si64
    }
    stream.param "groupBy" {
    ^bb0(%t: !t):
      %0 = spl.field %t[0] : !t -> si32
      stream.yield %0 : si32
    }
    stream.aggregate 0 "F" <state = si32, lift = @lift, merge = @merge, remove = @merge, result = @lift> {
    ^bb0(%t: !t):
      %0 = spl.field %t[0] : !t -> si32
      stream.yield %0 : si32
    }
  }
  // Delta may evict the last tuple of a group first; of its key, it does not matter which is the last.
  // CHECK: plan <panes, "tuples with equal values of its delta attribute leave together", pane = 0>
  %o = stream.operator "O" kind "K" (%in) [1] : (!s) -> !s {
    stream.window 0 <kind = sliding, evict = <delta of 0>, trigger = <count>> {
      %0 = spl.const 3 : si32
      %1 = spl.const 1 : si64
      stream.yield %0, %1 : si32, si64
    }
    stream.param "groupBy" {
    ^bb0(%t: !t):
      %0 = spl.field %t[0] : !t -> si32
      %1 = spl.binary mul %0, %0 : si32, si32
      stream.yield %1 : si32
    }
    stream.output 0 {
    ^bb0(%t: !t):
      %0 = spl.field %t[0] : !t -> si32
      stream.yield %0 : si32
    }
  }
  // CHECK: plan <invertible, "its functions can take a tuple back">
  %p = stream.operator "P" kind "K" (%in) [1] : (!s) -> !s {
    stream.window 0 <kind = sliding, evict = <delta of 0>, trigger = <count>> {
      %0 = spl.const 3 : si32
      %1 = spl.const 1 : si64
      stream.yield %0, %1 : si32, si64
    }
    stream.param "groupBy" {
    ^bb0(%t: !t):
      %0 = spl.field %t[0] : !t -> si32
      stream.yield %0 : si32
    }
    stream.output 0 {
    ^bb0(%t: !t):
      %0 = spl.field %t[0] : !t -> si32
      stream.yield %0 : si32
    }
  }
  // A trigger of count(0) never fires, and a window of tupleCount may go before it does.
  // CHECK: plan <two_stacks, "a function cannot take a tuple back">
  %m = stream.operator "M" kind "K" (%in) [1] : (!s) -> !s {
    stream.window 0 <kind = sliding, evict = <count>, trigger = <count>> {
      %0 = spl.const 12 : si64
      %1 = spl.const 0 : si64
      stream.yield %0, %1 : si64, si64
    }
    stream.aggregate 0 "F" <state = si32, lift = @lift, merge = @merge, result = @lift> {
    ^bb0(%t: !t):
      %0 = spl.field %t[0] : !t -> si32
      stream.yield %0 : si32
    }
  }
  // CHECK: plan <two_stacks, "a function cannot take a tuple back">
  %n = stream.operator "N" kind "K" (%in) [1] : (!s) -> !s {
    stream.window 0 <kind = sliding, evict = <count>, trigger = <count>, partitioned = true, limit = tuples> {
      %0 = spl.const 12 : si64
      %1 = spl.const 8 : si64
      %2 = spl.const 20 : si64
      stream.yield %0, %1, %2 : si64, si64, si64
    }
    stream.aggregate 0 "F" <state = si32, lift = @lift, merge = @merge, result = @lift> {
    ^bb0(%t: !t):
      %0 = spl.field %t[0] : !t -> si32
      stream.yield %0 : si32
    }
  }
  // A group whose key is a NaN is not found when its tuples leave.
  // CHECK: plan <tuples, "a group may have a NaN, which is not found again">
  %nan = stream.operator "NaN" kind "K" (%floats) [1] : (!f) -> !s {
    stream.window 0 <kind = sliding, evict = <count>, trigger = <count>> {
      %0 = spl.const 3 : si64
      %1 = spl.const 1 : si64
      stream.yield %0, %1 : si64, si64
    }
    stream.param "groupBy" {
    ^bb0(%t: !spl.tuple<"a": f64>):
      %0 = spl.field %t[0] : !spl.tuple<"a": f64> -> f64
      stream.yield %0 : f64
    }
    stream.aggregate 0 "F" <state = si32, lift = @lift, merge = @merge, remove = @merge, result = @lift> {
    ^bb0(%t: !spl.tuple<"a": f64>):
      %0 = spl.const 1 : si32
      stream.yield %0 : si32
    }
  }
  // Integers that are added wrap; a sum of floats depends on where it begins.
  // CHECK: plan <panes, "tuples with equal values of its delta attribute leave together", pane = 0>
  %wraps = stream.operator "wraps" kind "K" (%in) [1] : (!s) -> !s {
    stream.window 0 <kind = sliding, evict = <delta of 0>, trigger = <count>> {
      %0 = spl.const 3 : si32
      %1 = spl.const 1 : si64
      stream.yield %0, %1 : si32, si64
    }
    stream.param "groupBy" {
    ^bb0(%t: !t):
      %0 = spl.const 1 : si32
      stream.yield %0 : si32
    }
    stream.output 0 {
      %0 = spl.output_fn "F"() summary = 0 : () -> si32
      stream.yield %0 : si32
    }
    stream.aggregate 0 "F" <state = si32, lift = @lift, merge = @add, result = @lift> {
    ^bb0(%t: !t):
      %0 = spl.const 1 : si32
      stream.yield %0 : si32
    }
  }
  // CHECK: plan <tuples, "a function that cannot take a tuple back has groups">
  %rounds = stream.operator "rounds" kind "K" (%in) [1] : (!s) -> !s {
    stream.window 0 <kind = sliding, evict = <delta of 0>, trigger = <count>> {
      %0 = spl.const 3 : si32
      %1 = spl.const 1 : si64
      stream.yield %0, %1 : si32, si64
    }
    stream.param "groupBy" {
    ^bb0(%t: !t):
      %0 = spl.const 1 : si32
      stream.yield %0 : si32
    }
    stream.output 0 {
      %0 = spl.output_fn "F"() summary = 0 : () -> si32
      stream.yield %0 : si32
    }
    stream.aggregate 0 "F" <state = f64, lift = @liftf, merge = @addf, result = @resultf> {
    ^bb0(%t: !t):
      %0 = spl.const 1.0 : f64
      stream.yield %0 : f64
    }
  }
  // CHECK: plan <tuples, "a function that cannot take a tuple back has groups">
  %calls = stream.operator "calls" kind "K" (%in) [1] : (!s) -> !s {
    stream.window 0 <kind = sliding, evict = <delta of 0>, trigger = <count>> {
      %0 = spl.const 3 : si32
      %1 = spl.const 1 : si64
      stream.yield %0, %1 : si32, si64
    }
    stream.param "groupBy" {
    ^bb0(%t: !t):
      %0 = spl.const 1 : si32
      stream.yield %0 : si32
    }
    stream.output 0 {
      %0 = spl.output_fn "F"() summary = 0 : () -> si32
      stream.yield %0 : si32
    }
    stream.aggregate 0 "F" <state = f64, lift = @liftf, merge = @calls, result = @resultf> {
    ^bb0(%t: !t):
      %0 = spl.const 1.0 : f64
      stream.yield %0 : f64
    }
  }
  // CHECK: plan <tuples, "a function that cannot take a tuple back has groups">
  %later = stream.operator "later" kind "K" (%in) [1] : (!s) -> !s {
    stream.window 0 <kind = sliding, evict = <delta of 0>, trigger = <count>> {
      %0 = spl.const 3 : si32
      %1 = spl.const 1 : si64
      stream.yield %0, %1 : si32, si64
    }
    stream.param "groupBy" {
    ^bb0(%t: !t):
      %0 = spl.const 1 : si32
      stream.yield %0 : si32
    }
    stream.output 0 {
      %0 = spl.output_fn "F"() summary = 0 : () -> si32
      stream.yield %0 : si32
    }
    stream.aggregate 0 "F" <state = f64, lift = @liftf, add = @addf, merge = @latest, result = @resultf> {
    ^bb0(%t: !t):
      %0 = spl.const 1.0 : f64
      stream.yield %0 : f64
    }
  }
  // CHECK: plan <panes, "tuples with equal values of its delta attribute leave together", pane = 0>
  %latest = stream.operator "latest" kind "K" (%in) [1] : (!s) -> !s {
    stream.window 0 <kind = sliding, evict = <delta of 0>, trigger = <count>> {
      %0 = spl.const 3 : si32
      %1 = spl.const 1 : si64
      stream.yield %0, %1 : si32, si64
    }
    stream.param "groupBy" {
    ^bb0(%t: !t):
      %0 = spl.const 1 : si32
      stream.yield %0 : si32
    }
    stream.output 0 {
      %0 = spl.output_fn "F"() summary = 0 : () -> si32
      stream.yield %0 : si32
    }
    stream.aggregate 0 "F" <state = f64, lift = @liftf, merge = @latest, result = @resultf> {
    ^bb0(%t: !t):
      %0 = spl.const 1.0 : f64
      stream.yield %0 : f64
    }
  }
  // Equal floats are few; tupleCount counts tuples one by one; by count each leaves by itself.
  // CHECK: plan <tuples, "a function that cannot take a tuple back has groups">
  %reals = stream.operator "reals" kind "K" (%floats) [1] : (!f) -> !s {
    stream.window 0 <kind = sliding, evict = <delta of 0>, trigger = <count>> {
      %0 = spl.const 3.0 : f64
      %1 = spl.const 1 : si64
      stream.yield %0, %1 : f64, si64
    }
    stream.param "groupBy" {
    ^bb0(%t: !spl.tuple<"a": f64>):
      %0 = spl.const 1 : si32
      stream.yield %0 : si32
    }
    stream.output 0 {
      %0 = spl.output_fn "F"() summary = 0 : () -> si32
      stream.yield %0 : si32
    }
    stream.aggregate 0 "F" <state = si32, lift = @lift, merge = @add, result = @lift> {
    ^bb0(%t: !spl.tuple<"a": f64>):
      %0 = spl.const 1 : si32
      stream.yield %0 : si32
    }
  }
  // CHECK: plan <tuples, "a function that cannot take a tuple back has groups">
  %limited = stream.operator "limited" kind "K" (%in) [1] : (!s) -> !s {
    stream.window 0 <kind = sliding, evict = <delta of 0>, trigger = <count>, partitioned = true, limit = tuples> {
      %0 = spl.const 3 : si32
      %1 = spl.const 1 : si64
      %2 = spl.const 20 : si64
      stream.yield %0, %1, %2 : si32, si64, si64
    }
    stream.param "groupBy" {
    ^bb0(%t: !t):
      %0 = spl.const 1 : si32
      stream.yield %0 : si32
    }
    stream.output 0 {
      %0 = spl.output_fn "F"() summary = 0 : () -> si32
      stream.yield %0 : si32
    }
    stream.aggregate 0 "F" <state = si32, lift = @lift, merge = @add, result = @lift> {
    ^bb0(%t: !t):
      %0 = spl.const 1 : si32
      stream.yield %0 : si32
    }
  }
  // CHECK: plan <panes, "tuples that came at the same time leave together", pane = 0>
  %timed = stream.operator "timed" kind "K" (%in) [1] : (!s) -> !s {
    stream.window 0 <kind = sliding, evict = <time>, trigger = <count>> {
      %0 = spl.const 3.0 : f64
      %1 = spl.const 1 : si64
      stream.yield %0, %1 : f64, si64
    }
    stream.param "groupBy" {
    ^bb0(%t: !t):
      %0 = spl.const 1 : si32
      stream.yield %0 : si32
    }
    stream.output 0 {
      %0 = spl.output_fn "F"() summary = 0 : () -> si32
      stream.yield %0 : si32
    }
    stream.aggregate 0 "F" <state = si32, lift = @lift, merge = @add, result = @lift> {
    ^bb0(%t: !t):
      %0 = spl.const 1 : si32
      stream.yield %0 : si32
    }
  }
  // CHECK: plan <tuples, "a function that cannot take a tuple back has groups">
  %counted = stream.operator "counted" kind "K" (%in) [1] : (!s) -> !s {
    stream.window 0 <kind = sliding, evict = <count>, trigger = <count>> {
      %0 = spl.const 3 : si64
      %1 = spl.const 1 : si64
      stream.yield %0, %1 : si64, si64
    }
    stream.param "groupBy" {
    ^bb0(%t: !t):
      %0 = spl.const 1 : si32
      stream.yield %0 : si32
    }
    stream.output 0 {
      %0 = spl.output_fn "F"() summary = 0 : () -> si32
      stream.yield %0 : si32
    }
    stream.aggregate 0 "F" <state = si32, lift = @lift, merge = @add, result = @lift> {
    ^bb0(%t: !t):
      %0 = spl.const 1 : si32
      stream.yield %0 : si32
    }
  }
}
