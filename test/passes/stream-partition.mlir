// RUN: sluice-opt %s --stream-find-loops --stream-analyze-order --stream-partition=pes=auto --split-input-file | FileCheck %s --check-prefix=AUTO
// RUN: sluice-opt %s --stream-find-loops --stream-analyze-order --stream-partition=pes=2 --split-input-file | FileCheck %s --check-prefix=TWO
// RUN: sluice-opt %s --stream-find-loops --stream-analyze-order --stream-partition=pes=all --split-input-file | FileCheck %s --check-prefix=ALL
// RUN: sluice-opt %s --stream-find-loops --stream-analyze-order --stream-partition --split-input-file | FileCheck %s --check-prefix=ONE
// RUN: not sluice-opt %s --stream-partition=pes=many --split-input-file 2>&1 | FileCheck %s --check-prefix=MANY
// With one PE nothing is written.
// ONE-NOT: pe = {{[0-9]}}
// ONE-NOT: #stream.p{{e|artition}}<
// MANY: error: unknown number of PEs 'many': write a number, auto or all

!t = !spl.tuple<"a": si32>
!wide = !spl.tuple<"a": si32, "b": si64, "c": !spl.rstring>
!s = !stream.stream<!t>
!w = !stream.stream<!wide>

// Nothing keeps these together. Two PEs are cut where least is sent: at the narrow stream.
// AUTO-LABEL: @Chain
// AUTO-SAME: partition = #stream.partition<joins = [<first = "Src", second = "F", why = few>, <first = "Src", second = "G", why = few>]>}
// AUTO-NOT: pe = {{[0-9]}}
// TWO-LABEL: @Chain
// TWO-SAME: partition = #stream.partition<wanted = 2, joins = [<first = "Src", second = "F", why = traffic>]>
// TWO-SAME: pes = [#stream.pe<>, #stream.pe<>]
// ALL-LABEL: @Chain
// ALL-SAME: partition = #stream.partition<>
// ALL-SAME: pes = [#stream.pe<>, #stream.pe<>, #stream.pe<>]
stream.graph @Chain submissions = [] {
  // TWO: "Src"{{.*}}pe = 0 :
  // ALL: "Src"{{.*}}pe = 0 :
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !w {
  }
  // TWO: "F"{{.*}}pe = 0 :
  // ALL: "F"{{.*}}pe = 1 :
  %f = stream.operator "F" kind "spl.utility::Custom" (%src) [1] : (!w) -> !s {
  }
  // TWO: "G"{{.*}}pe = 1 :
  // ALL: "G"{{.*}}pe = 2 :
  stream.operator "G" kind "spl.utility::Custom" (%f) [1] : (!s) -> () {
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// Those of a cycle are one group: two PEs are as many as there can be. What leads into the cycle is
// ordered, as its batches could be seen there.
// ALL-LABEL: @Loop
// ALL-SAME: joins = [<first = "Merge", second = "Back", why = cycle>, <first = "Src", second = "Merge", why = order>]
// ALL-SAME: pes = [#stream.pe<>, #stream.pe<>]
stream.graph @Loop submissions = [] {
  // ALL: "Src"{{.*}}pe = 0 :
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // ALL: "Merge"{{.*}}pe = 0 :
  %m:2 = stream.operator "Merge" kind "spl.utility::Custom" (%src, %back) [1, 1] : (!s, !s) -> (!s, !s) {
  }
  // ALL: "Back"{{.*}}pe = 0 :
  %back = stream.operator "Back" kind "spl.utility::Custom" (%m#0) [1] : (!s) -> !s {
  }
  // ALL: "Out"{{.*}}pe = 1 :
  stream.operator "Out" kind "spl.utility::Custom" (%m#1) [1] : (!s) -> () {
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// Parts of one operator; a source that lives for another operator.
// ALL-LABEL: @Parts
// ALL-SAME: joins = [<first = "Agg (part ticker)", second = "Agg", why = daemon>, <first = "Agg (part ticker)", second = "Agg (part logic)", why = part>, <first = "Clock", second = "Show", why = daemon>]
// ALL-SAME: pes = [#stream.pe<>, #stream.pe<>, #stream.pe<>]
stream.graph @Parts submissions = [] {
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // ALL: "Agg"{{.*}}pe = 1 :
  %tick = stream.operator "Agg" kind "sluice.lang::Ticker" () [] {facts = #stream.operator_facts<traits = "native|daemon">, native, part = "ticker"} : () -> !s {
  }
  // ALL: "Agg"{{.*}}pe = 1 :
  %in = stream.operator "Agg" kind "spl.utility::Custom" (%src) [1] {part = "logic"} : (!s) -> !s {
  }
  // ALL: "Agg"{{.*}}pe = 1 :
  %agg = stream.operator "Agg" kind "spl.utility::Custom" (%in, %tick) [1, 1] : (!s, !s) -> !s {
  }
  // ALL: "Clock"{{.*}}pe = 2 :
  %clock = stream.operator "Clock" kind "my::Clock" () [] {facts = #stream.operator_facts<traits = "native|daemon">, native} : () -> !s {
  }
  // ALL: "Show"{{.*}}pe = 2 :
  stream.operator "Show" kind "spl.utility::Custom" (%agg, %clock) [1, 1] : (!s, !s) -> () {
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>
#x = #stream.placement_id<text = "x">
#y = #stream.placement_id<text = "y">

// As few as the placements allow: A and C are together, B is apart from A, D is alone. The number
// asked for does not come before them.
// AUTO-LABEL: @Placed
// AUTO-SAME: joins = [<first = "A", second = "C", why = colocation, id = "x">, <first = "A", second = "E", why = few>]
// AUTO-SAME: pes = [#stream.pe<>, #stream.pe<>, #stream.pe<>]
// TWO-LABEL: @Placed
// TWO-SAME: wanted = 2
// TWO-SAME: pes = [#stream.pe<>, #stream.pe<>, #stream.pe<>]
stream.graph @Placed submissions = [] {
  // AUTO: "A"{{.*}}pe = 0 :
  %a = stream.operator "A" kind "spl.utility::Custom" () [] {placement = #stream.placement<colocation = [#x], exlocation = [#y]>} : () -> !s {
  }
  // AUTO: "B"{{.*}}pe = 1 :
  %b = stream.operator "B" kind "spl.utility::Custom" (%a) [1] {placement = #stream.placement<exlocation = [#y]>} : (!s) -> !s {
  }
  // AUTO: "C"{{.*}}pe = 0 :
  %c = stream.operator "C" kind "spl.utility::Custom" (%b) [1] {placement = #stream.placement<colocation = [#x]>} : (!s) -> !s {
  }
  // AUTO: "D"{{.*}}pe = 2 :
  %d = stream.operator "D" kind "spl.utility::Custom" (%c) [1] {placement = #stream.placement<isolation = true>} : (!s) -> !s {
  }
  // AUTO: "E"{{.*}}pe = 0 :
  stream.operator "E" kind "spl.utility::Custom" (%d) [1] : (!s) -> () {
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// Both print. One PE, as the order of what they print can be seen, and as the stream between them is
// ordered for that. A placement comes before that: it asks for other processes.
// ALL-LABEL: @Seen
// ALL-SAME: joins = [<first = "First", second = "Last", why = order>]
// ALL-SAME: pes = [#stream.pe<>, #stream.pe<>, #stream.pe<>]
stream.graph @Seen submissions = [] {
  // ALL: "Src"{{.*}}pe = 0 :
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // ALL: "First"{{.*}}pe = 1 :
  %f = stream.operator "First" kind "spl.utility::Custom" (%src) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      spl.native "sl_println_g"(%t) [!t] generic = [0] facts = <effects = console> : (!t) -> ()
      stream.submit 0, %t : !t
      stream.end
    }
  }
  // ALL: "Last"{{.*}}pe = 1 :
  %l = stream.operator "Last" kind "spl.utility::Custom" (%f) [1] : (!s) -> !s {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      spl.native "sl_println_g"(%t) [!t] generic = [0] facts = <effects = console> : (!t) -> ()
      stream.submit 0, %t : !t
      stream.end
    }
  }
  // ALL: "Alone"{{.*}}pe = 2 :
  stream.operator "Alone" kind "spl.utility::Custom" (%l) [1] {placement = #stream.placement<isolation = true>} : (!s) -> () {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      spl.native "sl_println_g"(%t) [!t] generic = [0] facts = <effects = console> : (!t) -> ()
      stream.end
    }
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// Only a process of both sees that one reads what the other writes.
// ALL-LABEL: @Copy
// ALL-SAME: joins = [<first = "From", second = "To", why = outside>]
// ALL-SAME: pes = [#stream.pe<>, #stream.pe<>]
stream.graph @Copy submissions = [] {
  // ALL: "From"{{.*}}pe = 0 :
  %from = stream.operator "From" kind "spl.adapter::FileSource" () [] {facts = #stream.operator_facts<traits = native, reads = "file">, native} : () -> !s {
    stream.param "file" {
      %0 = spl.submission 0 : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
  // ALL: "Between"{{.*}}pe = 1 :
  %between = stream.operator "Between" kind "spl.utility::Custom" (%from) [1] : (!s) -> !s {
  }
  // ALL: "To"{{.*}}pe = 0 :
  stream.operator "To" kind "spl.adapter::FileSink" (%between) [1] {facts = #stream.operator_facts<traits = native, writes = "file">, native} : (!s) -> () {
    stream.param "file" {
      %0 = spl.submission 1 : !spl.rstring
      stream.yield %0 : !spl.rstring
    }
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// No stream leads from one to the other, but both print.
// ALL-LABEL: @Outside
// ALL-SAME: joins = [<first = "First", second = "Second", why = outside>]
// ALL-SAME: pes = [#stream.pe<>, #stream.pe<>, #stream.pe<>]
stream.graph @Outside submissions = [] {
  // ALL: "A"{{.*}}pe = 0 :
  %a = stream.operator "A" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // ALL: "First"{{.*}}pe = 1 :
  stream.operator "First" kind "spl.utility::Custom" (%a) [1] : (!s) -> () {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      spl.native "sl_println_g"(%t) [!t] generic = [0] facts = <effects = console> : (!t) -> ()
      stream.end
    }
  }
  // ALL: "B"{{.*}}pe = 2 :
  %b = stream.operator "B" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // ALL: "Second"{{.*}}pe = 1 :
  stream.operator "Second" kind "spl.utility::Custom" (%b) [1] : (!s) -> () {
    stream.on_tuple 0 {
    ^bb0(%t: !t):
      spl.native "sl_println_g"(%t) [!t] generic = [0] facts = <effects = console> : (!t) -> ()
      stream.end
    }
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>
#each = #stream.placement_id<text = "x", per_replica = true>
#split = #stream.split<region = 0, by = row>

// Operators of a region: with auto and a number all channels are in one PE, with all each has its
// own. Ids of channels are of one region: R and S do not meet, and have PEs for each channel even
// with auto.
// AUTO-LABEL: @Regions
// AUTO-SAME: pes = [#stream.pe<>, #stream.pe<region = 1>, #stream.pe<region = 2>]
// TWO-LABEL: @Regions
// TWO-SAME: pes = [#stream.pe<>, #stream.pe<region = 1>, #stream.pe<region = 2>]
// ALL-LABEL: @Regions
// ALL-SAME: pes = [#stream.pe<>, #stream.pe<region = 0>, #stream.pe<region = 1>, #stream.pe<region = 2>]
stream.graph @Regions submissions = []
    attributes {parallel_regions = [#stream.region<path = "P", width = 2, loc = loc("M.spl":1:1)>,
                                    #stream.region<path = "R", width = 2, loc = loc("M.spl":2:1)>,
                                    #stream.region<path = "S", width = 2, loc = loc("M.spl":3:1)>]} {
  %src = stream.operator "Src" kind "spl.utility::Custom" () [] : () -> !s {
  }
  // AUTO: "P"{{.*}}pe = 0 :
  // ALL: "P"{{.*}}pe = 1 :
  stream.operator "P" kind "spl.utility::Custom" (%src) [1] {parallel_region = 0 : i32, splits = [[#split]]} : (!s) -> () {
  }
  // AUTO: "R"{{.*}}pe = 1 :
  %r = stream.operator "R" kind "spl.utility::Custom" (%src) [1] {parallel_region = 1 : i32, splits = [[#stream.split<region = 1, by = row>]], placement = #stream.placement<colocation = [#each]>} : (!s) -> !s {
  }
  // AUTO: "Rest"{{.*}}pe = 1 :
  stream.operator "Rest" kind "spl.utility::Custom" (%r) [1] {parallel_region = 1 : i32, placement = #stream.placement<colocation = [#each]>} : (!s) -> () {
  }
  // AUTO: "S"{{.*}}pe = 2 :
  stream.operator "S" kind "spl.utility::Custom" (%src) [1] {parallel_region = 2 : i32, splits = [[#stream.split<region = 2, by = row>]], placement = #stream.placement<colocation = [#each]>} : (!s) -> () {
  }
}

// -----

!t = !spl.tuple<"a": si32>
!s = !stream.stream<!t>

// No streams between them: the two that have least to do, which are not native.
// TWO-LABEL: @Light
// TWO-SAME: partition = #stream.partition<wanted = 2, joins = [<first = "A", second = "C", why = light>]>
stream.graph @Light submissions = [] {
  %a = stream.operator "A" kind "spl.utility::Custom" () [] : () -> !s {
  }
  %b = stream.operator "B" kind "my::Heavy" () [] {native} : () -> !s {
  }
  %c = stream.operator "C" kind "spl.utility::Custom" () [] : () -> !s {
  }
}

// -----

// Nothing is left of the program.
// AUTO-LABEL: @Empty
// TWO-LABEL: @Empty
stream.graph @Empty submissions = [] {
}
