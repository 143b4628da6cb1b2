// RUN: sluice-opt --spl-build-lists-in-scratch %s | FileCheck %s
// RUN: sluice-opt --spl-build-lists-in-scratch --convert-spl-to-llvm %s | FileCheck %s --check-prefix=LLVM

!list = !spl.list<ui64>

// for (i in range(n)) appendM(rest, x); return rest: the marks go, room is made
// once, and nothing is copied.
// CHECK-LABEL: spl.func @repeat
// LLVM-LABEL: llvm.func internal @repeat
spl.func @repeat(%x: ui64, %n: si32) -> !list {
  %one = spl.const 1 : si32
  %zero = spl.const 0 : si32
  %empty = spl.const : !list
  // CHECK: %[[VAR:.*]] = spl.var "rest" {spl.in_scratch}
  // CHECK: spl.store %{{.*}}, %[[VAR]] {spl.in_scratch}
  // LLVM-NOT: sl_assign
  // LLVM: llvm.call @sl_scratch_assign
  %rest = spl.var "rest" : !spl.ref<!list>
  spl.store %empty, %rest : !list, !spl.ref<!list>
  // CHECK-NOT: spl.arena_checkpoint
  %mark = spl.arena_checkpoint
  // CHECK: %[[COUNT:.*]] = spl.cast %arg1 : si32 to si64
  // CHECK: spl.native "sl_scratch_reserve"(%[[VAR]], %[[COUNT]]) [ui64]
  %some = spl.compare lt %zero, %n : si32
  cf.cond_br %some, ^body(%zero : si32), ^end
^body(%i: si32):
  // CHECK: spl.native "sl_scratch_push"(%[[VAR]], %arg0) [ui64]
  // CHECK-NOT: spl.release
  spl.native "sl_appendM_Lgg"(%rest, %x) [ui64] generic = [1] facts = <traits = scratchFree, intrinsic = append> : (!spl.ref<!list>, ui64) -> ()
  spl.release %mark
  %j = spl.binary add %i, %one : si32, si32
  %more = spl.compare lt %j, %n : si32
  cf.cond_br %more, ^body(%j : si32), ^end
^end:
  // CHECK: %[[BUILT:.*]] = spl.load %[[VAR]]
  // CHECK-NEXT: spl.return %[[BUILT]]
  // LLVM-NOT: sl_copy
  // LLVM-NOT: sl_destroy
  // LLVM: llvm.return
  %built = spl.load %rest : !spl.ref<!list> -> !list
  %copy = spl.copy %built : !list
  spl.return %copy : !list
}

// for (x in list) of another length: the bound is unsigned, the test stands apart.
// CHECK-LABEL: spl.func @each
spl.func @each(%from: !list) -> !list {
  %one = spl.const 1 : ui32
  %zero = spl.const 0 : ui32
  %r = spl.var "r" : !spl.ref<!list>
  // CHECK: %[[SIZE:.*]] = spl.size
  // CHECK: %[[COUNT:.*]] = spl.cast %[[SIZE]] : ui32 to si64
  // CHECK: spl.native "sl_scratch_reserve"(%{{.*}}, %[[COUNT]])
  // CHECK-NEXT: cf.br
  %n = spl.size %from : !list
  cf.br ^test(%zero : ui32)
^test(%i: ui32):
  %more = spl.compare lt %i, %n : ui32
  cf.cond_br %more, ^body, ^end
^body:
  %x = spl.nth %from[%i] : !list -> ui64
  spl.native "sl_appendM_Lgg"(%r, %x) [ui64] generic = [1] facts = <traits = scratchFree, intrinsic = append> : (!spl.ref<!list>, ui64) -> ()
  %j = spl.binary add %i, %one : ui32, ui32
  cf.br ^test(%j : ui32)
^end:
  %built = spl.load %r : !spl.ref<!list> -> !list
  %copy = spl.copy %built : !list
  spl.return %copy : !list
}

// An append that does not happen each time: no room is made in advance.
// CHECK-LABEL: spl.func @some
spl.func @some(%b: i1, %x: ui64, %n: si32) -> !list {
  %one = spl.const 1 : si32
  %zero = spl.const 0 : si32
  %r = spl.var "r" : !spl.ref<!list>
  // CHECK-NOT: sl_scratch_reserve
  // CHECK: sl_scratch_append
  cf.br ^test(%zero : si32)
^test(%i: si32):
  %more = spl.compare lt %i, %n : si32
  cf.cond_br %more, ^body, ^end
^body:
  cf.cond_br %b, ^then, ^next
^then:
  spl.native "sl_appendM_Lgg"(%r, %x) [ui64] generic = [1] facts = <traits = scratchFree, intrinsic = append> : (!spl.ref<!list>, ui64) -> ()
  cf.br ^next
^next:
  %j = spl.binary add %i, %one : si32, si32
  cf.br ^test(%j : si32)
^end:
  %built = spl.load %r : !spl.ref<!list> -> !list
  %copy = spl.copy %built : !list
  spl.return %copy : !list
}

// A loop that may fail before its end, and one that appends twice: neither is room
// made in advance nor appended without a look.
// CHECK-LABEL: spl.func @fails
spl.func @fails(%from: !list, %n: si32) -> !list {
  %one = spl.const 1 : si32
  %zero = spl.const 0 : si32
  %r = spl.var "r" : !spl.ref<!list>
  // CHECK-NOT: sl_scratch_reserve
  cf.br ^first(%zero : si32)
^first(%i: si32):
  // CHECK: sl_scratch_append
  %x = spl.index %from[%i] : !list, si32 -> ui64
  spl.native "sl_appendM_Lgg"(%r, %x) [ui64] generic = [1] facts = <traits = scratchFree, intrinsic = append> : (!spl.ref<!list>, ui64) -> ()
  %i1 = spl.binary add %i, %one : si32, si32
  %more = spl.compare lt %i1, %n : si32
  cf.cond_br %more, ^first(%i1 : si32), ^second(%zero : si32)
^second(%j: si32):
  // CHECK-COUNT-2: sl_scratch_append
  %y = spl.cast %j : si32 to ui64
  spl.native "sl_appendM_Lgg"(%r, %y) [ui64] generic = [1] facts = <traits = scratchFree, intrinsic = append> : (!spl.ref<!list>, ui64) -> ()
  spl.native "sl_appendM_Lgg"(%r, %y) [ui64] generic = [1] facts = <traits = scratchFree, intrinsic = append> : (!spl.ref<!list>, ui64) -> ()
  %j1 = spl.binary add %j, %one : si32, si32
  %again = spl.compare lt %j1, %n : si32
  cf.cond_br %again, ^second(%j1 : si32), ^end
^end:
  %built = spl.load %r : !spl.ref<!list> -> !list
  %copy = spl.copy %built : !list
  spl.return %copy : !list
}

// A release that has to stay could take the list's buffer back.
// CHECK-LABEL: spl.func @temporaries
spl.func @temporaries(%x: ui64, %b: i1) -> !list {
  // CHECK: spl.var "r" :
  %r = spl.var "r" : !spl.ref<!list>
  %mark = spl.arena_checkpoint
  cf.br ^body
^body:
  %text = spl.cast %x : ui64 to !spl.rstring
  %length = spl.native "sl_length_r"(%text) [] generic = [] : (!spl.rstring) -> ui64
  // CHECK: sl_appendM_Lgg
  spl.native "sl_appendM_Lgg"(%r, %length) [ui64] generic = [1] facts = <traits = scratchFree, intrinsic = append> : (!spl.ref<!list>, ui64) -> ()
  // CHECK: spl.release
  spl.release %mark
  cf.cond_br %b, ^body, ^end
^end:
  // CHECK: spl.copy
  %built = spl.load %r : !spl.ref<!list> -> !list
  %copy = spl.copy %built : !list
  spl.return %copy : !list
}

// Elements with memory of their own, variables that others change, and those
// that end here stay in the heap.
// CHECK-LABEL: spl.func @others
spl.func @others(%s: !spl.rstring, %x: ui64) -> !spl.list<!spl.rstring> {
  // CHECK-NOT: spl.in_scratch
  %strings = spl.var "strings" : !spl.ref<!spl.list<!spl.rstring>>
  spl.native "sl_appendM_Lgg"(%strings, %s) [!spl.rstring] generic = [1] facts = <traits = scratchFree, intrinsic = append> : (!spl.ref<!spl.list<!spl.rstring>>, !spl.rstring) -> ()
  %local = spl.var "local" : !spl.ref<!list>
  spl.native "sl_appendM_Lgg"(%local, %x) [ui64] generic = [1] facts = <traits = scratchFree, intrinsic = append> : (!spl.ref<!list>, ui64) -> ()
  %built = spl.load %strings : !spl.ref<!spl.list<!spl.rstring>> -> !spl.list<!spl.rstring>
  %copy = spl.copy %built : !spl.list<!spl.rstring>
  spl.return %copy : !spl.list<!spl.rstring>
}
// CHECK-LABEL: spl.func @changed
spl.func @changed(%x: ui64) -> !list {
  // CHECK-NOT: spl.in_scratch
  %r = spl.var "r" : !spl.ref<!list>
  spl.native "sl_concatM_LgLg"(%r, %r) [ui64] generic = [] : (!spl.ref<!list>, !spl.ref<!list>) -> ()
  %built = spl.load %r : !spl.ref<!list> -> !list
  %copy = spl.copy %built : !list
  spl.return %copy : !list
}
