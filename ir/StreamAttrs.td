//===- StreamAttrs.td - enumerations and attributes of graphs ------------===//

#ifndef SLUICE_STREAM_ATTRS
#define SLUICE_STREAM_ATTRS
include "ir/Dialects.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class Stream_Enum<string name, string summary, list<I32EnumCase> cases>
    : I32Enum<name, summary, cases> {
  let cppNamespace = "::sluice::stream";
}

class Stream_Attr<string name, string mn, string summ> : AttrDef<Stream_Dialect, name> {
  let mnemonic = mn;
  let summary = summ;
}

/// A list of values of one enumeration: `#stream.edges<batch, back>`. Operations
/// give and take it as an ArrayRef of the enumeration.
class Stream_EnumListAttr<string name, string mn, Stream_Enum of, string summ>
    : Stream_Attr<name, mn, summ> {
  defvar value = of.cppNamespace # "::" # of.className;
  let parameters = (ins ArrayRefParameter<value>:$values);
  let assemblyFormat = "`` custom<EnumList>($values)";
  let returnType = "::llvm::ArrayRef<" # value # ">";
  let convertFromStorage = "$_self.getValues()";
  let constBuilderCall =
      "::sluice::stream::" # name # "Attr::get($_builder.getContext(), $0)";
}

/// An array of attributes of one kind; empty where the operation has none.
class Stream_ListOf<Attr element> : DefaultValuedOptionalAttr<
    TypedArrayAttrBase<element, "list of: " # element.summary>, "{}">;

//===--- the graph ----------------------------------------------------------===//

def Stream_SubmissionAttr : Stream_Attr<"Submission", "submission", "a submission-time value"> {
  let description = [{
    `name` is qualified by its composite. A value without `default_value` is required.
    `list`: it is a list, whose elements are separated by commas. `secret`: a parameter that is
    secret takes it.
  }];
  let parameters = (ins "::mlir::StringAttr":$name,
                        DefaultValuedParameter<"bool", "false">:$list,
                        OptionalParameter<"::mlir::StringAttr">:$default_value,
                        DefaultValuedParameter<"bool", "false">:$secret);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Stream_RegionAttr : Stream_Attr<"Region", "region", "a @parallel region"> {
  let description = [{
    `path` names the instance that is annotated, `kind` its operator or composite. `parent` is
    the index of the region around it, -1 if there is none. The number of channels is `width`
    or the value of the submission-time value with the index `submission`.
  }];
  let parameters = (ins "::mlir::StringAttr":$path,
                        OptionalParameter<"::mlir::StringAttr">:$kind,
                        DefaultValuedParameter<"int32_t", "-1">:$parent,
                        OptionalParameter<"std::optional<int32_t>">:$width,
                        OptionalParameter<"std::optional<int32_t>">:$submission,
                        "::mlir::LocationAttr":$loc);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// What people know it by: `Heavy (Out)`, the operator or composite and the instance.
    std::string title() const;
  }];
}

//===--- what the program asks of an operator -------------------------------===//

def Stream_SplitBy : Stream_Enum<"SplitBy", "how rows are distributed to channels", [
  I32EnumCase<"Row", 0, "row">, I32EnumCase<"Key", 1, "key">, I32EnumCase<"All", 2, "all">]>;

def Stream_SplitAttr : Stream_Attr<"Split", "split", "how a stream enters a @parallel region"> {
  let description = [{
    By row: each row goes to the next channel. By key: rows with equal values of the
    attributes with the indices `keys` go to the same channel. All: each row goes to
    all channels.
  }];
  let parameters = (ins "int32_t":$region, "::sluice::stream::SplitBy":$by,
                        OptionalParameter<"::mlir::DenseI32ArrayAttr">:$keys);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}
def Stream_SplitPath : TypedArrayAttrBase<Stream_SplitAttr,
    "regions that a stream enters, the outermost first">;

def Stream_Congestion : Stream_Enum<"Congestion", "what a full queue does with a tuple", [
  I32EnumCase<"Wait", 0, "wait">, I32EnumCase<"DropFirst", 1, "drop_first">,
  I32EnumCase<"DropLast", 2, "drop_last">]>;

def Stream_ThreadedPortAttr
    : Stream_Attr<"ThreadedPort", "threaded_port", "config threadedPort of an input port"> {
  let description = [{
    The port has a queue of `size` tuples and a thread of its own. `congestion` says
    what happens to a tuple that comes to the full queue.
  }];
  let parameters = (ins "int32_t":$port, "::sluice::stream::Congestion":$congestion,
                        "int32_t":$size);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Stream_ThreadingModel : Stream_Enum<"ThreadingModel", "model of @threading", [
  I32EnumCase<"Manual", 0, "manual">, I32EnumCase<"Automatic", 1, "automatic">,
  I32EnumCase<"Dynamic", 2, "dynamic">, I32EnumCase<"Dedicated", 3, "dedicated">]>;

def Stream_ThreadingAttr : Stream_Attr<"Threading", "threading", "the innermost @threading"> {
  let description = [{
    `threads` (0: not said) and `elastic` belong to the dynamic model.
  }];
  let parameters = (ins "::sluice::stream::ThreadingModel":$model,
                        DefaultValuedParameter<"int32_t", "0">:$threads,
                        DefaultValuedParameter<"bool", "true">:$elastic);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

//===--- checkpoints -----------------------------------------------------------===//

def Stream_RecoveryRole : I32BitEnumAttr<"RecoveryRole", "what an operator is to checkpoints", [
  I32BitEnumAttrCaseNone<"None", "none">,
  I32BitEnumAttrCaseBit<"Starts", 0, "starts">, // tuples of its consistent region begin there
  I32BitEnumAttrCaseBit<"Ends", 1, "ends">,
  I32BitEnumAttrCaseBit<"Triggers", 2, "triggers">,         // it says when a checkpoint is made
  I32BitEnumAttrCaseBit<"Autonomous", 3, "autonomous">,     // nothing of it is restored, unless:
  I32BitEnumAttrCaseBit<"Checkpointed", 4, "checkpointed">, // config checkpoint
  I32BitEnumAttrCaseBit<"StaysDown", 5, "stays_down">]> {   // config restartable is false
  let cppNamespace = "::sluice::stream";
}

def Stream_RecoveryAttr
    : Stream_Attr<"Recovery", "recovery", "what an operator is to checkpoints"> {
  let description = [{
    `region`: its consistent region, -1 if it is in none. Bit i of `inputs`: all streams of input
    port i are of that region.
    ```
    #stream.recovery<region = 0, roles = ends, inputs = 1>
    ```
  }];
  let parameters = (ins DefaultValuedParameter<"int32_t", "-1">:$region,
                        DefaultValuedParameter<"::sluice::stream::RecoveryRole",
                                               "::sluice::stream::RecoveryRole::None">:$roles,
                        DefaultValuedParameter<"uint32_t", "0">:$inputs);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Stream_StartNumberAttr
    : Stream_Attr<"StartNumber", "start_number", "a number that is known at the start"> {
  let description = [{
    `value`, or that of the submission-time value with the index `submission`.
  }];
  let parameters = (ins "::mlir::FloatAttr":$value,
                        DefaultValuedParameter<"int32_t", "-1">:$submission);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Stream_ConsistentAttr
    : Stream_Attr<"Consistent", "consistent", "a consistent region (@consistent)"> {
  let description = [{
    Times are in seconds. `driven`: an operator, not the period, says when a checkpoint is made.
  }];
  let parameters = (ins DefaultValuedParameter<"bool", "false">:$driven,
                        "::sluice::stream::StartNumberAttr":$period,
                        "::sluice::stream::StartNumberAttr":$drain,
                        "::sluice::stream::StartNumberAttr":$reset,
                        "::sluice::stream::StartNumberAttr":$attempts,
                        "::mlir::LocationAttr":$loc);
  let assemblyFormat = "`<` struct(params) `>`";
}

//===--- PEs -----------------------------------------------------------------===//

def Stream_PlacementIdAttr
    : Stream_Attr<"PlacementId", "placement_id", "an id of config placement"> {
  let description = [{
    `per_replica`: another id for each replica of the operator's innermost @parallel region.
  }];
  let parameters = (ins "::mlir::StringAttr":$text,
                        DefaultValuedParameter<"bool", "false">:$per_replica);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Stream_PlacementAttr
    : Stream_Attr<"Placement", "placement", "config placement, as far as it concerns PEs"> {
  let description = [{
    Operators that have an id of `colocation` in common are in one PE, those with one of
    `exlocation` in different ones. `isolation`: no other operator is in its PE.
  }];
  let parameters = (ins OptionalArrayRefParameter<"::sluice::stream::PlacementIdAttr">:$colocation,
                        OptionalArrayRefParameter<"::sluice::stream::PlacementIdAttr">:$exlocation,
                        DefaultValuedParameter<"bool", "false">:$isolation);
  let assemblyFormat =
      "`<` struct(custom<List>($colocation), custom<List>($exlocation), $isolation) `>`";
}

def Stream_PeAttr : Stream_Attr<"Pe", "pe", "a PE: a process that runs a part of the graph"> {
  let description = [{
    `region`: there is one for each channel of this @parallel region; -1: there is one.
  }];
  let parameters = (ins DefaultValuedParameter<"int32_t", "-1">:$region);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Stream_Together : Stream_Enum<"Together", "why two operators are in one PE", [
  I32EnumCase<"Cycle", 0, "cycle">,           // they are on one
  I32EnumCase<"Part", 1, "part">,             // the source has them as one operator
  I32EnumCase<"Daemon", 2, "daemon">,         // one is a source that lives for the other
  I32EnumCase<"Colocation", 3, "colocation">, // partitionColocation says so
  I32EnumCase<"Order", 4, "order">,           // the order of the stream between them can be seen
  I32EnumCase<"Outside", 5, "outside">,       // both touch the same thing outside
  I32EnumCase<"Few", 6, "few">,               // nothing keeps them apart (--pes=auto)
  I32EnumCase<"Traffic", 7, "traffic">,       // most bytes are between them (--pes=N)
  I32EnumCase<"Light", 8, "light">]>;         // they have least to do (--pes=N)

def Stream_JoinAttr : Stream_Attr<"Join", "join", "what made two groups of operators one PE"> {
  let description = [{
    `first` and `second` are labels of operators. `id`: that of the partitionColocation.
  }];
  let parameters = (ins "::mlir::StringAttr":$first, "::mlir::StringAttr":$second,
                        "::sluice::stream::Together":$why,
                        OptionalParameter<"::mlir::StringAttr">:$id);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Stream_PartitionAttr : Stream_Attr<"Partition", "partition", "how operators came to PEs"> {
  let description = [{
    For people. `wanted`: how many PEs were asked for; 0: no number of them. `joins` are in the
    order in which they were made.
  }];
  let parameters = (ins DefaultValuedParameter<"uint32_t", "0">:$wanted,
                        OptionalArrayRefParameter<"::sluice::stream::JoinAttr">:$joins);
  let assemblyFormat = "`<` struct($wanted, custom<List>($joins)) `>`";
}

//===--- windows --------------------------------------------------------------===//

def Stream_WindowKind : Stream_Enum<"WindowKind", "kind of a window", [
  I32EnumCase<"Tumbling", 0, "tumbling">, I32EnumCase<"Sliding", 1, "sliding">,
  I32EnumCase<"Interval", 2, "interval">]>; // panes of event time

def Stream_WindowPolicy : Stream_Enum<"WindowPolicy", "when a window evicts or triggers", [
  I32EnumCase<"Count", 0, "count">, I32EnumCase<"Delta", 1, "delta">,
  I32EnumCase<"Time", 2, "time">, I32EnumCase<"Punct", 3, "punct">]>;

def Stream_PartitionLimit : Stream_Enum<"PartitionLimit", "what evicts partitions", [
  I32EnumCase<"Partitions", 0, "partitions">, // more than so many of them
  I32EnumCase<"Tuples", 1, "tuples">,         // more than so many tuples in all of them
  I32EnumCase<"Age", 2, "age">]>;             // without a tuple for so many seconds

def Stream_BoundAttr : Stream_Attr<"Bound", "bound", "a policy of a window"> {
  let description = [{
    `attribute` is the index of the attribute that a delta policy compares.
  }];
  let parameters = (ins "::sluice::stream::WindowPolicy":$policy,
                        DefaultValuedParameter<"int32_t", "-1">:$attribute);
  let assemblyFormat = "`<` $policy (`of` $attribute^)? `>`";
  let genVerifyDecl = 1;
}

def Stream_WindowAttr : Stream_Attr<"Window", "window", "the window of an input port"> {
  let description = [{
    A tumbling window is flushed by `evict` and has no `trigger`; a sliding one has both; one of
    event time has neither. `limit` evicts partitions.
  }];
  let parameters = (ins "::sluice::stream::WindowKind":$kind,
                        OptionalParameter<"::sluice::stream::BoundAttr">:$evict,
                        OptionalParameter<"::sluice::stream::BoundAttr">:$trigger,
                        DefaultValuedParameter<"bool", "false">:$partitioned,
                        OptionalParameter<
                            "std::optional<::sluice::stream::PartitionLimit>">:$limit);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// How many sizes it has: of its bounds and its limit, or the four lengths of an interval.
    unsigned sizes() const;
    bool isTumbling() const { return getKind() == WindowKind::Tumbling; }
    bool isSliding() const { return getKind() == WindowKind::Sliding; }
    bool isInterval() const { return getKind() == WindowKind::Interval; }
  }];
}

def Stream_Store : Stream_Enum<"Store", "what a window keeps", [
  I32EnumCase<"Running", 0, "running">,       // a summary of its tuples
  I32EnumCase<"Invertible", 1, "invertible">, // their values, and a summary
  I32EnumCase<"TwoStacks", 2, "two_stacks">,  // summaries of suffixes, of whole panes
  I32EnumCase<"Tuples", 3, "tuples">,         // their values
  I32EnumCase<"Rows", 4, "rows">,             // they themselves; sorted when it fires
  I32EnumCase<"Heap", 5, "heap">,             // they themselves, the first in order at hand
  I32EnumCase<"Scan", 6, "scan">,             // they themselves, read for each that may match
  I32EnumCase<"Index", 7, "index">,           // they themselves, found by a key
  I32EnumCase<"Nothing", 8, "nothing">,
  I32EnumCase<"Panes", 9, "panes">]>; // summaries of panes

def Stream_WindowPlanAttr
    : Stream_Attr<"WindowPlan", "window_plan", "how a window is kept, and why"> {
  let description = [{
    `pane` is the number of tuples that are summarised together when they enter; 0: those with
    equal values of the attribute of delta, or that came at the same time.
  }];
  let parameters = (ins "::sluice::stream::Store":$store, "::mlir::StringAttr":$why,
                        DefaultValuedParameter<"int64_t", "1">:$pane);
  let assemblyFormat = "`<` $store `,` $why (`,` `pane` `=` $pane^)? `>`";
}

def Stream_KeptWindowAttr
    : Stream_Attr<"KeptWindow", "kept_window", "a window that an operator's handlers keep"> {
  let description = [{
    What became of a stream.window when the operator was expanded, for people. `element` is what
    is kept of each tuple; a window that keeps no tuples has none.
  }];
  let parameters = (ins "int32_t":$port, "::sluice::stream::WindowAttr":$window,
                        "::sluice::stream::WindowPlanAttr":$plan,
                        OptionalParameter<"::mlir::Type">:$element);
  let assemblyFormat = "`<` struct(params) `>`";
}

//===--- what the passes of phase placed find out ---------------------------===//

def Stream_Boundary : Stream_Enum<"Boundary", "how an input port is reached", [
  I32EnumCase<"Direct", 0, "direct">,         // by a call
  I32EnumCase<"Switchable", 1, "switchable">, // by a call or a queue, as the policy decides
  I32EnumCase<"Queue", 2, "queue">,           // by a queue
  I32EnumCase<"Exclusive", 3, "exclusive">    // by a call, unless another thread is inside
]>;
def Stream_BoundariesAttr : Stream_EnumListAttr<"Boundaries", "boundaries", Stream_Boundary,
    "how each input port is reached">;

def Stream_Edge : Stream_Enum<"Edge", "how a stream reaches a consumer", [
  I32EnumCase<"Call", 0, "call">,   // within the producer's segment
  I32EnumCase<"Batch", 1, "batch">, // through the batch of the output port, into the segment
                                    // that the input port heads
  I32EnumCase<"Back", 2, "back">    // closes a cycle, through a queue
]>;
def Stream_EdgesAttr : Stream_EnumListAttr<"Edges", "edges", Stream_Edge,
    "how each stream reaches the operator">;

def Stream_Order : Stream_Enum<"Order", "what an output port forwards at once", [
  I32EnumCase<"None", 0, "none">,  // nothing: batching cannot be observed
  I32EnumCase<"All", 1, "all">,    // each tuple and each punctuation: an ordered stream
  I32EnumCase<"Puncts", 2, "puncts"> // each punctuation, with the tuples before it
]>;
def Stream_OrdersAttr : Stream_EnumListAttr<"Orders", "orders", Stream_Order,
    "what each output port forwards at once">;

/// In the order of runtime/include/sluice/LeftOut.def, those that handlers count:
/// codegen/segments/Handlers.cpp compares them.
def Stream_LeftOutAttr : I32EnumAttr<"LeftOut", "what an operator leaves out", [
  I32EnumAttrCase<"InWindows", 0, "in_windows">,
  I32EnumAttrCase<"InPartitions", 1, "in_partitions">, I32EnumAttrCase<"Late", 2, "late">,
  I32EnumAttrCase<"LateFirings", 3, "late_firings">, I32EnumAttrCase<"NoKey", 4, "no_key">,
  I32EnumAttrCase<"Waiting", 5, "waiting">]> {
  let cppNamespace = "::sluice::stream";
}

def Stream_SaveStepAttr : I32EnumAttr<"SaveStep", "what a source does at a save point", [
  I32EnumAttrCase<"Stay", 0, "stay">, I32EnumAttrCase<"Wait", 1, "wait">,
  I32EnumAttrCase<"Go", 2, "go">, I32EnumAttrCase<"Ask", 3, "ask">]> {
  let cppNamespace = "::sluice::stream";
}

def Stream_StateKind : Stream_Enum<"StateKind", "what an operator remembers", [
  I32EnumCase<"Stateless", 0, "stateless">,
  I32EnumCase<"Partitioned", 1, "partitioned">, // keyed state
  I32EnumCase<"Stateful", 2, "stateful">]>;

def Stream_StateAttr : Stream_Attr<"State", "state", "what an operator remembers, and why"> {
  let description = [{
    Partitioned: handlers use the state variables `variables` only at the attribute `key`
    of their tuple (`a.b` is a part of the attribute `a`). Variables that no handler
    changes do not count. `why` is for people.
    ```
    #stream.state<stateless, "no handler changes a state variable">
    #stream.state<partitioned by "k" of ["m"], "`m` is only used at the key `k`">
    ```
  }];
  let parameters = (ins "::sluice::stream::StateKind":$kind,
                        OptionalParameter<"::mlir::StringAttr">:$key,
                        OptionalArrayRefParameter<"::mlir::StringAttr">:$variables,
                        "::mlir::StringAttr":$why);
  let assemblyFormat = "`<` $kind (`by` $key^ `of` ` ` `[` $variables `]`)? `,` $why `>`";
  let genVerifyDecl = 1;
}

def Stream_Sharing : Stream_Enum<"Sharing", "how many workers may run an operator at once", [
  I32EnumCase<"Any", 0, "any">,
  I32EnumCase<"ByKey", 1, "by_key">, // any number, each with keys of its own
  I32EnumCase<"One", 2, "one">]>;

def Stream_SharingAttr
    : Stream_Attr<"Sharing", "sharing", "how many workers may run an operator at once"> {
  let description = [{
    `why` says, to people, why it is not any number of them.
  }];
  let parameters = (ins "::sluice::stream::Sharing":$kind,
                        OptionalParameter<"::mlir::StringAttr">:$why);
  let assemblyFormat = "`<` $kind (`,` $why^)? `>`";
  let genVerifyDecl = 1;
}
#endif
