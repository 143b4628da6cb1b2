//===- TableAttrs.td - the program table before it has addresses ----------===//
//
// What phase lowered keeps of the graph: the module attribute `stream.table`, which
// stream-lower-segments makes and codegen/target/ProgramTable.cpp turns into the
// constants of runtime/include/sluice/Descs.def. Functions are named by symbols. Where
// an operator or region may lack a function, the symbol is absent.
//
//===----------------------------------------------------------------------===//

#ifndef SLUICE_TABLE_ATTRS
#define SLUICE_TABLE_ATTRS
include "ir/StreamAttrs.td"

class Stream_TableAttr<string name, string mn, string summ>
    : Stream_Attr<"Table" # name, "table" # mn, summ>;

def Stream_RowsOut : Stream_Enum<"RowsOut", "how many tuples one tuple becomes", [
  I32EnumCase<"None", 0, "none">, I32EnumCase<"One", 1, "one">,
  I32EnumCase<"Unknown", 2, "unknown">]>;

//===--- ports --------------------------------------------------------------===//

def Stream_TableInputAttr : Stream_TableAttr<"Input", "_input", "an input port"> {
  let description = [{
    `producers` is the number of Finals that close the port. `in_place_output` is the id
    of the output port by which the segment that the port heads forwards its batches in
    place, and `rows` its function for rows without punctuation, unless it submits some
    for rows. `own_thread`: one more worker for what is behind the port. `holds`: the
    operator may hold it (stream.hold). `delays`: tuples wait there until a thread of
    their own lets them pass. `control`: it is a control port. `why`, for people: the
    reason for the boundary.
  }];
  let parameters = (ins "::sluice::spl::TupleType":$type, "uint32_t":$producers,
                        "::sluice::stream::Boundary":$boundary,
                        DefaultValuedParameter<"bool", "false">:$own_thread,
                        DefaultValuedParameter<"bool", "false">:$holds,
                        DefaultValuedParameter<"bool", "false">:$delays,
                        DefaultValuedParameter<"bool", "false">:$control,
                        OptionalParameter<"::sluice::stream::ThreadedPortAttr">:$threaded,
                        OptionalParameter<"std::optional<uint32_t>">:$in_place_output,
                        OptionalParameter<"::mlir::FlatSymbolRefAttr">:$rows,
                        OptionalParameter<"::mlir::StringAttr">:$why);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Stream_TableSplitAttr
    : Stream_TableAttr<"Split", "_split", "how a stream enters a @parallel region"> {
  let description = [{
    `consumer` is a position in the output port's list of consumers.
  }];
  let parameters = (ins "uint32_t":$consumer, "::sluice::stream::SplitAttr":$split);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Stream_TableOutputAttr : Stream_TableAttr<"Output", "_output", "an output port"> {
  let description = [{
    `consumers` are the ids of the input ports to which the stream leads; `segments` are
    the functions of the first ones, which take batches. The others are called.
    `back_edge`: a consumer is reached through a back edge. `counts`: code that calls the
    consumers counts the tuples. `emit` and `emit_punct` are for native operators.
  }];
  let parameters = (ins "::sluice::spl::TupleType":$type,
                        DefaultValuedParameter<"::sluice::stream::Order",
                                               "::sluice::stream::Order::None">:$order,
                        DefaultValuedParameter<"bool", "false">:$back_edge,
                        DefaultValuedParameter<"bool", "false">:$counts,
                        OptionalArrayRefParameter<"uint32_t">:$consumers,
                        OptionalArrayRefParameter<"::mlir::FlatSymbolRefAttr">:$segments,
                        OptionalArrayRefParameter<"::sluice::stream::TableSplitAttr">:$splits,
                        OptionalParameter<"::mlir::FlatSymbolRefAttr">:$emit,
                        OptionalParameter<"::mlir::FlatSymbolRefAttr">:$emit_punct);
  let assemblyFormat = [{
    `<` struct($type, $order, $back_edge, $counts, custom<List>($consumers),
               custom<List>($segments), custom<List>($splits), $emit, $emit_punct) `>`
  }];
}

//===--- operators ----------------------------------------------------------===//

def Stream_TableVariableAttr
    : Stream_TableAttr<"Variable", "_variable", "a state variable"> {
  let parameters = (ins "::mlir::StringAttr":$name, "uint64_t":$offset, "::mlir::Type":$type);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Stream_TableKeyedAttr : Stream_TableAttr<"Keyed", "_keyed", "keyed state of an operator"> {
  let description = [{
    `rows` runs rows of the operator's only input port with the state of a key shard.
    `column` is the key's, in that port's batch.
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$rows, "uint32_t":$column,
                        OptionalArrayRefParameter<"::sluice::stream::TableVariableAttr">
                            :$variables);
  let assemblyFormat = "`<` struct($rows, $column, custom<List>($variables)) `>`";
}

def Stream_TableOperatorAttr : Stream_TableAttr<"Operator", "_operator", "an operator"> {
  let description = [{
    `kind` is the kind that the source wrote, `part` tells apart the operators that one became.
    `native` is its index among native operators, `native_class` what the runtime has for it.
    `process` is the function of a generated source, `set_params` of a native operator, `end` of
    `stream.on_end`. `cost` is ns a tuple, by estimate; `waits`: its code may put the thread to
    sleep. `rows_out` goes by input port, then output port. `first_state` is in bytes from
    Ctx::state.
    `states` has all state variables. `pe` is its PE, `link` the link of which it is an end.
  }];
  let parameters = (ins "::mlir::StringAttr":$name, "::mlir::StringAttr":$kind,
                        OptionalParameter<"::mlir::StringAttr">:$part,
                        OptionalParameter<"std::optional<uint32_t>">:$native,
                        OptionalParameter<"::mlir::StringAttr">:$native_class,
                        DefaultValuedParameter<"bool", "false">:$is_catch,
                        DefaultValuedParameter<"bool", "false">:$shared,
                        DefaultValuedParameter<"bool", "false">:$bounded,
                        DefaultValuedParameter<"bool", "false">:$daemon,
                        DefaultValuedParameter<"bool", "false">:$waits,
                        DefaultValuedParameter<"uint32_t", "0">:$pe,
                        DefaultValuedParameter<"int32_t", "-1">:$link,
                        OptionalParameter<"::sluice::stream::RecoveryAttr">:$recovery,
                        "::mlir::FloatAttr":$cost,
                        "uint64_t":$first_state, "uint64_t":$state_bytes,
                        OptionalArrayRefParameter<"::sluice::stream::TableInputAttr">:$inputs,
                        OptionalArrayRefParameter<"::sluice::stream::TableOutputAttr">:$outputs,
                        OptionalArrayRefParameter<"::sluice::stream::RowsOut">:$rows_out,
                        OptionalArrayRefParameter<"::sluice::stream::TableVariableAttr">:$states,
                        OptionalParameter<"::sluice::stream::TableKeyedAttr">:$keyed,
                        OptionalParameter<"::mlir::FlatSymbolRefAttr">:$process,
                        OptionalParameter<"::mlir::FlatSymbolRefAttr">:$set_params,
                        OptionalParameter<"::mlir::FlatSymbolRefAttr">:$end,
                        "::mlir::LocationAttr":$loc);
  let assemblyFormat = [{
    `<` struct($name, $kind, $part, $native, $native_class, $is_catch, $shared, $bounded,
               $daemon, $pe, $link, $recovery, $cost, $first_state, $state_bytes,
               custom<List>($inputs), custom<List>($outputs),
               custom<List>($rows_out), custom<List>($states), $keyed, $process, $set_params,
               $end, $loc) `>`
  }];
  let genVerifyDecl = 1;
}

//===--- the program --------------------------------------------------------===//

def Stream_TableIdsAttr : Stream_TableAttr<"Ids", "_ids", "consecutive ids"> {
  let parameters = (ins "uint32_t":$first, "uint32_t":$count);
  let assemblyFormat = "`<` $first `,` $count `>`";
}

def Stream_TableRegionAttr : Stream_TableAttr<"Region", "_region", "a @parallel region"> {
  let description = [{
    What belongs to the region, regions inside included, has consecutive ids and a part
    of the state. `init` and `destroy` are for the operators that are in no inner region.
    `whole_batches`: one channel may run a batch for all of them.
  }];
  let parameters = (ins "::sluice::stream::RegionAttr":$region,
                        "::sluice::stream::TableIdsAttr":$ops,
                        "::sluice::stream::TableIdsAttr":$ins,
                        "::sluice::stream::TableIdsAttr":$outs,
                        "::sluice::stream::TableIdsAttr":$natives,
                        "uint64_t":$first_state, "uint64_t":$state_bytes,
                        DefaultValuedParameter<"bool", "false">:$whole_batches,
                        "::mlir::FlatSymbolRefAttr":$init, "::mlir::FlatSymbolRefAttr":$destroy);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Stream_ProgramTableAttr : Stream_TableAttr<"", "", "the program table"> {
  let description = [{
    `threads` is the most that any @threading asks for, or 0. `init` and `destroy` are
    for the operators that are in no region.
  }];
  let parameters = (ins "::mlir::StringAttr":$main, "uint64_t":$state_bytes,
                        DefaultValuedParameter<"uint32_t", "0">:$threads,
                        "::mlir::FlatSymbolRefAttr":$init, "::mlir::FlatSymbolRefAttr":$destroy,
                        OptionalArrayRefParameter<"::sluice::stream::SubmissionAttr">:$submissions,
                        OptionalArrayRefParameter<"::sluice::stream::TableOperatorAttr">:$operators,
                        OptionalArrayRefParameter<"::sluice::stream::TableRegionAttr">:$regions,
                        OptionalArrayRefParameter<"::sluice::stream::PeAttr">:$pes,
                        OptionalArrayRefParameter<"::sluice::stream::ConsistentAttr">:$consistents);
  let assemblyFormat = [{
    `<` struct($main, $state_bytes, $threads, $init, $destroy, custom<List>($submissions),
               custom<List>($operators), custom<List>($regions), custom<List>($pes),
               custom<List>($consistents)) `>`
  }];
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral kModuleAttr = "stream.table";
  }];
}
#endif
