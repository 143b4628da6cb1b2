// RUN: sluice-opt %s --stream-find-loops --stream-analyze-order --stream-place-boundaries=boundaries=none --stream-form-segments --stream-lower-segments | FileCheck %s
// Marks go where nothing between them and their releases takes scratch memory.

!t = !spl.tuple<"a": si64>
!s = !stream.stream<!t>
!list = !spl.list<si64>

stream.graph @Main submissions = [] {
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
    stream.on_process {
      %0 = spl.const 7 : si64
      %1 = spl.make_tuple %0 : !t
      stream.submit 0, %1 : !t
      stream.end
    }
  }
  // A place's memory is the heap's.
  // CHECK-LABEL: func.func private @op1.tuple0.body
  // CHECK-NOT: spl.{{arena_checkpoint|release}}
  // CHECK: sl_appendM_Lgg
  // CHECK-NOT: spl.{{arena_checkpoint|release}}
  // CHECK: return
  stream.operator "Appends" kind "spl.utility::Custom" (%src) [1] : (!s) -> () {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %mark = spl.arena_checkpoint
      %a = spl.field %t[0] : !t -> si64
      %list = spl.var "list" : !spl.ref<!list>
      cf.br ^loop
    ^loop:
      spl.native "sl_appendM_Lgg"(%list, %a) [si64] generic = [1] facts = <traits = scratchFree, intrinsic = append> : (!spl.ref<!list>, si64) -> ()
      spl.release %mark
      %size = spl.native "sl_size_Lg"(%list) [si64] generic = [] facts = <traits = scratchFree> : (!spl.ref<!list>) -> si64
      %again = spl.compare lt %size, %a : si64
      cf.cond_br %again, ^loop, ^end
    ^end:
      stream.end
    }
  }
  // The text of a number is a temporary.
  // CHECK-LABEL: func.func private @op2.tuple0.body
  // CHECK: spl.arena_checkpoint
  // CHECK: spl.release
  stream.operator "Prints" kind "spl.utility::Custom" (%src) [1] : (!s) -> () {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      %mark = spl.arena_checkpoint
      %a = spl.field %t[0] : !t -> si64
      cf.br ^loop
    ^loop:
      %text = spl.cast %a : si64 to !spl.rstring
      spl.native "sl_print_g"(%text) [!spl.rstring] generic = [0] facts = <effects = console> : (!spl.rstring) -> ()
      spl.release %mark
      %again = spl.compare lt %a, %a : si64
      cf.cond_br %again, ^loop, ^end
    ^end:
      stream.end
    }
  }
}
