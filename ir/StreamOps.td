//===- StreamOps.td - graphs, operators and their items -------------------===//

#ifndef SLUICE_STREAM_OPS
#define SLUICE_STREAM_OPS
include "ir/OperatorFacts.td"
include "ir/StreamAttrs.td"
include "ir/Types.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Stream_Op<string mnemonic, list<Trait> traits = []> : Op<Stream_Dialect, mnemonic, traits>;
def Stream_GraphRegion : DeclareOpInterfaceMethods<RegionKindInterface>;


def Stream_GraphOp : Stream_Op<"graph", [Symbol, Stream_GraphRegion, SingleBlock, NoTerminator]> {
  let summary = "the program: the instance of the main composite";
  let description = [{
    `submissions` lists the submission-time values, `parallel_regions` the @parallel
    regions, outer ones first, `consistents` the consistent regions. In phase flat the operators
    of a @parallel region stand together. Phase placed adds `pes`, the PEs, if the program runs in
    several, and `partition`, unless one was asked for.
    ```mlir
    stream.graph @Main submissions = [#stream.submission<name = "Main.n", default_value = "3">]
        attributes {parallel_regions = [#stream.region<path = "A", submission = 0,
                                                       loc = loc("Main.spl":1:2)>]} {
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypedArrayAttrBase<Stream_SubmissionAttr,
                                          "submission-time values">:$submissions,
                       Stream_ListOf<Stream_RegionAttr>:$parallel_regions,
                       Stream_ListOf<Stream_PeAttr>:$pes,
                       Stream_ListOf<Stream_ConsistentAttr>:$consistents,
                       OptionalAttr<Stream_PartitionAttr>:$partition);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name `submissions` `=` $submissions attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    SubmissionAttr submission(unsigned index);
    unsigned parallelRegionCount() { return getParallelRegions().size(); }
    RegionAttr parallelRegion(unsigned index);
    PeAttr pe(unsigned index);
  }];
}

def Stream_CompositeOp : Stream_Op<"composite", [Stream_GraphRegion, SingleBlock,
    SingleBlockImplicitTerminator<"ExportOp">]> {
  let summary = "one instance of a composite (phase graph only)";
  let description = [{
    Composites are macros: each invocation is an instance of its own, checked and
    typed with its parameters. Operands are the streams of its input ports, block
    arguments their names inside; `stream.export` gives its output streams. Several
    streams on one input port were merged by a `stream.merge` before.
    ```mlir
    %o = stream.composite "Inner" of "ns::Inner" (%i) : (!stream.stream<!spl.tuple<"a": si32>>)
        -> !stream.stream<!spl.tuple<"a": si32>> {
    ^bb0(%in: !stream.stream<!spl.tuple<"a": si32>>):
      stream.export %in : !stream.stream<!spl.tuple<"a": si32>>
    }
    ```
  }];
  let arguments = (ins StrAttr:$path, StrAttr:$definition, Variadic<Stream_StreamType>:$inputs);
  let results = (outs Variadic<Stream_StreamType>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$path `of` $definition `(` $inputs `)` attr-dict `:` "
      "functional-type($inputs, $outputs) $body";
  let hasVerifier = 1;
}

def Stream_ExportOp : Stream_Op<"export", [Terminator, HasParent<"CompositeOp">]> {
  let summary = "the output streams of a composite instance";
  let description = [{
    ```mlir
    stream.export %s : !stream.stream<!spl.tuple<"a": si32>>
    ```
  }];
  let arguments = (ins Variadic<Stream_StreamType>:$streams);
  let assemblyFormat = "($streams^ `:` type($streams))? attr-dict";
  let builders = [OpBuilder<(ins), [{ }]>];
}

def Stream_OperatorOp : Stream_Op<"operator", [SingleBlock, NoTerminator]> {
  let summary = "an operator instance";
  let description = [{
    Operands are the streams of its input ports, port by port: `ports` says how
    many each has. Results are its streams, one an output port. The body holds
    stream.state, stream.param, stream.output, stream.fold, and handlers (stream.on_tuple,
    stream.on_punct, stream.on_watermark, stream.on_process).

    In phase graph `kind` is any operator of the toolkit, and `facts` are what the toolkit
    declares about it. `streams` has the names of the output ports' streams, where they are not
    that of the operator. In phase flat there are only "spl.utility::Custom", whose handlers say
    everything, and operators with `native` set, which are C++ in the runtime. `original` is the
    kind that the source wrote, where it is another one: `sourceKind()`. `part` tells apart the
    operators that one became; they share its name. An operator in a @parallel region is a
    template: `parallel_region` is the index of the innermost one. `splits` has an entry per operand
    stream: how it enters the regions that begin here, the outermost first. `watermark_ports` has an
    entry per output port, or none: the input ports whose watermarks go on there. `threaded_ports`
    is in the order of ports. `windows` says, to people, which windows the handlers keep. Phase
    placed adds
    * `boundaries`, one per input port, and `reasons`, in words, for people;
    * `orders`, one per output port;
    * `edges`, one per operand stream;
    * `segment`, one per input port: the segment that it heads or is part of;
    * `source_segment`, on sources: the segment that their process heads;
    * `state`: what the operator remembers;
    * `sharing`: how many workers may run it at once;
    * `bounded`: a tuple becomes a bounded number of others, and no failure is caught;
    * `pe`: its PE, where there are several. A stream between PEs is a *link*: `link` is its number,
      on the operator that sends (kSend) and on the one that receives (kReceive).
    ```mlir
    %0 = stream.operator "B" kind "spl.utility::Beacon" () [] : () ->
        !stream.stream<!spl.tuple<"a": si32>> {
    }
    stream.operator "S" kind "spl.utility::Custom" (%0) [1] : 
        (!stream.stream<!spl.tuple<"a": si32>>) -> () {
      stream.on_tuple 0 {
      ^bb0(%t: !spl.tuple<"a": si32>):
        stream.end
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, StrAttr:$kind, Variadic<Stream_StreamType>:$inputs,
                       DenseI32ArrayAttr:$ports, UnitAttr:$native, UnitAttr:$isCatch,
                       OptionalAttr<StrAttr>:$original, OptionalAttr<StrAttr>:$part,
                       OptionalAttr<StrArrayAttr>:$streams,
                       OptionalAttr<Stream_OperatorFactsAttr>:$facts,
                       OptionalAttr<I32Attr>:$parallel_region,
                       Stream_ListOf<Stream_SplitPath>:$splits,
                       Stream_ListOf<DenseI32ArrayAttr>:$watermark_ports,
                       Stream_ListOf<Stream_ThreadedPortAttr>:$threaded_ports,
                       Stream_ListOf<Stream_KeptWindowAttr>:$windows,
                       OptionalAttr<Stream_ThreadingAttr>:$threading,
                       OptionalAttr<Stream_PlacementAttr>:$placement,
                       OptionalAttr<Stream_RecoveryAttr>:$recovery,
                       OptionalAttr<I32Attr>:$pe, OptionalAttr<I32Attr>:$link,
                       OptionalAttr<Stream_BoundariesAttr>:$boundaries,
                       OptionalAttr<StrArrayAttr>:$reasons,
                       OptionalAttr<Stream_OrdersAttr>:$orders,
                       OptionalAttr<Stream_EdgesAttr>:$edges,
                       OptionalAttr<DenseI32ArrayAttr>:$segment,
                       OptionalAttr<I32Attr>:$source_segment,
                       OptionalAttr<Stream_StateAttr>:$state,
                       OptionalAttr<Stream_SharingAttr>:$sharing, UnitAttr:$bounded);
  let results = (outs Variadic<Stream_StreamType>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$outputs, "::llvm::StringRef":$name,
      "::llvm::StringRef":$kind,
                                 "::mlir::ValueRange":$inputs,
                                     "::llvm::ArrayRef<int32_t>":$ports, "bool":$isCatch)>];
  let assemblyFormat = "$name `kind` $kind `(` $inputs `)` $ports attr-dict `:` "
      "functional-type($inputs, $outputs) $body";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The tuple type of an input port (of its first stream) or output port.
    ::sluice::spl::TupleType inputTuple(unsigned port);
    ::sluice::spl::TupleType outputTuple(unsigned port);
    /// What the source calls the stream of an output port: an instance path.
    ::llvm::StringRef streamName(unsigned port);
    unsigned inputPorts() { return getPorts().size(); }
    /// The input port that operand `operand` feeds.
    unsigned portOf(unsigned operand);
    ::mlir::OperandRange streamsOf(unsigned port);
    /// Items of the body, or null.
    ::mlir::Region *onTuple(unsigned port);
    ::mlir::Region *onPunct(unsigned port);
    ::mlir::Region *onWatermark(unsigned port);
    /// The handlers of punctuation of any kind that there are at a port.
    ::llvm::SmallVector<::mlir::Region *, 2> onMarks(unsigned port);
    ::mlir::Region *onProcess();
    ::mlir::Region *onEnd();
    /// The body of a parameter or of an output port's values, or null.
    ::mlir::Region *param(::llvm::StringRef name);
    ::mlir::Region *output(unsigned port);
    WindowOp window(unsigned port);
    /// The fold of that number, or null.
    FoldOp fold(unsigned index);
    bool isSource() { return inputPorts() == 0; }
    /// The innermost @parallel region, or -1.
    int32_t parallelRegion() { return getParallelRegion().value_or(-1); }
    /// The kind of operators that are their handlers and nothing else.
    static constexpr ::llvm::StringLiteral kCustom = "spl.utility::Custom";
    bool isCustom() { return getKind() == kCustom; }
    /// The kind that the source wrote.
    ::llvm::StringRef sourceKind() { return getOriginal().value_or(getKind()); }
    /// What people call it: its name, and which part of the operator of that name it is.
    std::string label();
    /// The kind of sources that expansions add for windows by time.
    static constexpr ::llvm::StringLiteral kTicker = "sluice.lang::Ticker";
    /// The kinds of operators at the ends of links.
    static constexpr ::llvm::StringLiteral kSend = "sluice.pe::Send";
    static constexpr ::llvm::StringLiteral kReceive = "sluice.pe::Receive";
    /// It is run with whole batches: its input port always heads a segment.
    bool takesBatches() { return getKind() == kSend || is(OperatorTrait::batches); }
    bool is(OperatorTrait trait) {
      return getFacts() && bitEnumContainsAll(getFacts()->getTraits(), trait);
    }
    /// How the stream of operand `operand` enters regions, the outermost first.
    ::llvm::SmallVector<SplitAttr> splitsOf(unsigned operand);
    /// config threadedPort of an input port, or null.
    ThreadedPortAttr threadedPort(unsigned port);
    bool is(RecoveryRole role) {
      return getRecovery() && bitEnumContainsAll(getRecovery()->getRoles(), role);
    }
    /// The model of @threading; without one the runtime decides.
    ThreadingModel threadingModel();
    /// How an input port is reached; only after stream-place-boundaries.
    Boundary boundary(unsigned port) { return (*getBoundaries())[port]; }
    /// How the stream of an operand reaches it; only after stream-find-loops.
    Edge edge(unsigned operand) { return (*getEdges())[operand]; }
    /// Whether a stream into input port `port` comes by an edge other than a call.
    bool isHead(unsigned port);
    /// What an output port forwards at once; only after stream-analyze-order.
    Order order(unsigned port) { return (*getOrders())[port]; }
    /// How many workers may run it at once; `Any` also before stream-analyze-state.
    Sharing sharing() { return getSharing() ? getSharing()->getKind() : Sharing::Any; }
  }];
}

def Stream_MergeOp : Stream_Op<"merge", [Pure]> {
  let summary = "several streams as one (for a composite's input port; phase graph only)";
  let description = [{
    ```mlir
    %2 = stream.merge %0, %1 : !stream.stream<!spl.tuple<"a": si32>>
    ```
  }];
  let arguments = (ins Variadic<Stream_StreamType>:$streams);
  let results = (outs Stream_StreamType:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

//===--- the body of an operator --------------------------------------------===//

def Stream_StateOp : Stream_Op<"state", [HasParent<"OperatorOp">]> {
  let summary = "a state variable, with its initialiser (empty region: default value)";
  let description = [{
    ```mlir
    stream.state "n" : si32 {
      %0 = spl.const 0 : si32
      stream.yield %0 : si32
    }
    ```
    Where an expansion added it, `what` says in words what it is, with an article: people have not
    seen its name.
  }];
  let arguments = (ins StrAttr:$name, TypeAttr:$type, OptionalAttr<StrAttr>:$what);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::Type":$type), [{
    build($_builder, $_state, name, type, ::mlir::StringAttr());
  }]>];
  let regions = (region AnyRegion:$init);
  let assemblyFormat = "$name `:` $type attr-dict-with-keyword $init";
  let hasVerifier = 1;
}

def Stream_OnTupleOp : Stream_Op<"on_tuple", [HasParent<"OperatorOp">]> {
  let summary = "runs for each tuple of an input port; CFG, ends in stream.end";
  let description = [{
    The argument is the tuple; where logic changes it, the body starts by copying
    it into a spl.var.
    ```mlir
    stream.on_tuple 0 {
    ^bb0(%t: !spl.tuple<"a": si32>):
      stream.end
    }
    ```
  }];
  let arguments = (ins I32Attr:$port);
  let regions = (region MinSizedRegion<1>:$body);
  let assemblyFormat = "$port attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def Stream_OnPunctOp : Stream_Op<"on_punct", [HasParent<"OperatorOp">]> {
  let summary = "runs for each punctuation of an input port; the argument is the marker";
  let description = [{
    Without one, punctuation ends here. The runtime forwards Final once all input
    ports have it; window punctuation only goes on if this submits it.
    ```mlir
    stream.on_punct 0 {
    ^bb0(%m: !spl.enum<"WindowMarker", "FinalMarker">):
      stream.end
    }
    ```
  }];
  let arguments = (ins I32Attr:$port);
  let regions = (region MinSizedRegion<1>:$body);
  let assemblyFormat = "$port attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def Stream_OnWatermarkOp : Stream_Op<"on_watermark", [HasParent<"OperatorOp">]> {
  let summary = "runs for each watermark of an input port; the argument is its time";
  let description = [{
    The time is in nanoseconds since 1970. Without a handler, watermarks end here; those that come
    to a native operator go on to all its output ports.
    ```mlir
    stream.on_watermark 0 {
    ^bb0(%time: si64):
      stream.end
    }
    ```
  }];
  let arguments = (ins I32Attr:$port);
  let regions = (region MinSizedRegion<1>:$body);
  let assemblyFormat = "$port attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def Stream_OnEndOp : Stream_Op<"on_end", [HasParent<"OperatorOp">]> {
  let summary = "runs when the program has ended without a failure: counts what state still holds";
  let description = [{
    No tuple and no punctuation comes behind it. It submits nothing and only reads state; of keyed
    state that is partitioned it runs once for each part.
    ```mlir
    stream.on_end {
      %0 = spl.const 1 : ui64
      stream.left_out in_windows, %0 : ui64
      stream.end
    }
    ```
  }];
  let regions = (region MinSizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def Stream_OnProcessOp : Stream_Op<"on_process", [HasParent<"OperatorOp">]> {
  let summary = "runs once, in the thread of the source";
  let description = [{
    ```mlir
    stream.on_process {
      stream.end
    }
    ```
  }];
  let regions = (region MinSizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def Stream_ParamOp : Stream_Op<"param", [HasParent<"OperatorOp">]> {
  let summary = "a parameter's values; the region yields them";
  let description = [{
    Per-tuple parameters have the tuple of each input port as block arguments; the
    others have none and are evaluated at start.
    ```mlir
    stream.param "filter" {
    ^bb0(%t: !spl.tuple<"a": si32>):
      %0 = spl.field %t[0] : !spl.tuple<"a": si32> -> si32
      %1 = spl.compare eq %0, %0 : si32
      stream.yield %1 : i1
    }
    ```
  }];
  let arguments = (ins StrAttr:$name);
  let regions = (region MinSizedRegion<1>:$body);
  let assemblyFormat = "$name attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def Stream_OutputOp : Stream_Op<"output", [HasParent<"OperatorOp">]> {
  let summary = "the values of an output port's attributes, in order";
  let description = [{
    Block arguments are the current tuples of all input ports. An attribute to
    which the operator itself gives its value (FileSource: from the file) is
    `spl.supplied`.
    ```mlir
    stream.output 0 {
      %0 = spl.output_fn "IterationCount"() : () -> ui64
      stream.yield %0 : ui64
    }
    ```
  }];
  let arguments = (ins I32Attr:$port);
  let regions = (region MinSizedRegion<1>:$body);
  let assemblyFormat = "$port attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def Stream_WindowOp : Stream_Op<"window", [HasParent<"OperatorOp">]> {
  let summary = "the window of an input port, with its sizes";
  let description = [{
    The region is evaluated at the start. It yields the sizes of `evict`, `trigger` and `limit`, of
    those that there are: counts as si64, times in seconds as f64, deltas in the type of their
    attribute (of timestamps: f64). Of an interval it yields the duration, the period, the offset
    and the discard age, in seconds (f64), and `time` yields the event time of a tuple, in
    nanoseconds since 1970. `closes`: tuples that no firing has seen make the window fire when the
    input ends. Phase graph only: the operator's expansion replaces it.
    ```mlir
    stream.window 0 <kind = sliding, evict = <count>, trigger = <count>> {
      %0 = spl.const 100 : si64
      %1 = spl.const 1 : si64
      stream.yield %0, %1 : si64, si64
    }
    ```
  }];
  let arguments = (ins I32Attr:$port, Stream_WindowAttr:$window,
                       OptionalAttr<Stream_WindowPlanAttr>:$plan, UnitAttr:$closes);
  let regions = (region MinSizedRegion<1>:$sizes, AnyRegion:$time);
  let assemblyFormat = "$port $window (`plan` $plan^)? (`closes` $closes^)? "
      "attr-dict-with-keyword $sizes "
      "(`time` $time^)?";
  let hasVerifier = 1;
}

def Stream_EventTimeOp : Stream_Op<"event_time", [HasParent<"OperatorOp">]> {
  let summary = "an output port whose tuples have an event time, from which watermarks are made";
  let description = [{
    The region yields the event time of a tuple of the port, in nanoseconds since 1970. A watermark
    stays `lag` behind the latest tuple, and follows `gap` or more behind the watermark before it
    (both in nanoseconds). Phase graph only: `stream-make-watermarks` replaces it.
    ```mlir
    stream.event_time 0 gap = 100000000 lag = 0 {
    ^bb0(%t: !spl.tuple<"a": si32>):
      %0 = spl.const 7 : si64
      stream.yield %0 : si64
    }
    ```
  }];
  let arguments = (ins I32Attr:$port, I64Attr:$gap, I64Attr:$lag);
  let regions = (region MinSizedRegion<1>:$time);
  let assemblyFormat = "$port `gap` `=` $gap `lag` `=` $lag attr-dict-with-keyword $time";
  let hasVerifier = 1;
}

def Stream_Algebra : Attr<CPred<"::mlir::isa<::sluice::spl::AggregateAttr>($_self)">,
                          "functions that summarise tuples"> {
  let storageType = "::sluice::spl::AggregateAttr";
  let returnType = "::sluice::spl::AggregateAttr";
  let convertFromStorage = "$_self";
}

def Stream_AggregateOp : Stream_Op<"aggregate", [HasParent<"OperatorOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "an output function that summarises tuples; the region yields its arguments";
  let description = [{
    `name` is that of the function, for people. Block arguments are the current tuples of all input
    ports. `spl.output_fn` with the same number stands for the result. Phase graph only.
    ```mlir
    stream.aggregate 0 "F" <state = si32, lift = @inc, merge = @add, result = @inc> {
    ^bb0(%t: !spl.tuple<"a": si32>):
      %0 = spl.field %t[0] : !spl.tuple<"a": si32> -> si32
      stream.yield %0 : si32
    }
    ```
  }];
  let arguments = (ins I32Attr:$number, StrAttr:$name, Stream_Algebra:$algebra);
  let regions = (region MinSizedRegion<1>:$arguments);
  let assemblyFormat = "$number $name $algebra attr-dict-with-keyword $arguments";
  let hasVerifier = 1;
}

def Stream_FoldOp : Stream_Op<"fold", [HasParent<"OperatorOp">]> {
  let summary = "a value that the operator's own code computes over several tuples";
  let description = [{
    `init` runs once, `step` for each tuple, in order, and `result` yields the value. All
    may change the operator's state. `step` takes the tuples of all input ports. A
    `spl.output_fn` of an output region names it by its number, `index`.
    ```mlir
    stream.fold 0 init {
      stream.end
    } step {
      stream.end
    } result {
      %0 = spl.const 1 : si32
      stream.yield %0 : si32
    }
    ```
  }];
  let arguments = (ins I32Attr:$index);
  let regions = (region MinSizedRegion<1>:$init, MinSizedRegion<1>:$step,
                        MinSizedRegion<1>:$result);
  let assemblyFormat = "$index `init` $init `step` $step `result` $result "
      "attr-dict-with-keyword";
  let hasVerifier = 1;
}
#endif
