//===- Passes.td - every pass on the graph --------------------------------===//
//
// codegen/Phases.cpp says in which order they run.
//
//===----------------------------------------------------------------------===//

#ifndef SLUICE_PASSES
#define SLUICE_PASSES
include "mlir/IR/EnumAttr.td"
include "mlir/Pass/PassBase.td"

//===--- options ------------------------------------------------------------===//

class Sluice_OptionEnum<string name, string summary, list<I32EnumCase> cases>
    : I32Enum<name, summary, cases> {
  let cppNamespace = "::sluice";
}

/// An option whose values are the cases of an enumeration.
class EnumOption<string cpp, string argument, Sluice_OptionEnum of, string otherwise, string desc>
    : Option<cpp, argument, "::sluice::" # of.className,
             "::sluice::" # of.className # "::" # otherwise, desc,
             "::sluice::OptionWords<::sluice::" # of.className # ">()">;

def MergeOrder : Sluice_OptionEnum<"MergeOrder", "whether branches of a fork keep their order", [
  I32EnumCase<"Exact", 0, "exact">, I32EnumCase<"Any", 1, "any">]>;

def BoundaryChoice : Sluice_OptionEnum<"BoundaryChoice", "where boundaries go", [
  I32EnumCase<"None", 0, "none">, I32EnumCase<"Auto", 1, "auto">, I32EnumCase<"All", 2, "all">]>;

def GraphFormat : Sluice_OptionEnum<"GraphFormat", "how a graph is written", [
  I32EnumCase<"Dot", 0, "dot">, I32EnumCase<"Json", 1, "json">, I32EnumCase<"Svg", 2, "svg">]>;

//===--- graph -> flat ------------------------------------------------------===//

def StreamExpandComposites : Pass<"stream-expand-composites", "::mlir::ModuleOp"> {
  let summary = "replaces instances of composites by their operators, and merges by ports with "
      "several streams";
  let description = [{
    Reads stream.composite, stream.merge. Establishes that the graph holds
    operators only. Names of operators are paths already and stay.
  }];
  let statistics = [
    Statistic<"composites", "composites", "instances of composites expanded">,
    Statistic<"merges", "merges", "merges folded into input ports">];
}

def StreamMakeWatermarks : Pass<"stream-make-watermarks", "::mlir::ModuleOp"> {
  let summary = "puts an operator that makes watermarks behind each port with stream.event_time";
  let description = [{
    Reads stream.event_time, which is gone afterwards. A port from which no stream leads to a window
    of event time needs no watermarks.
  }];
  let statistics = [Statistic<"makers", "makers", "ports that got watermarks">];
}

def StreamPlanWindows : Pass<"stream-plan-windows", "::mlir::ModuleOp"> {
  let summary = "choose what each window keeps";
  let description = [{
    Writes `plan` of stream.window, with the reason. What a window needs follows from its kind and
    its output functions: whether they can take a tuple back, and how large their states are.
    Where two windows are matched, equalities of `match` become `equalityLHS` and `equalityRHS`, for
    which there are indices. `close-windows` writes `closes`.
  }];
  let options = [Option<"closeWindows", "close-windows", "bool", "false",
                        "windows fire when their input ends">];
}

def StreamExpandOperators : Pass<"stream-expand-operators", "::mlir::ModuleOp"> {
  let summary = "gives every operator of the toolkit handlers, or marks it as native";
  let description = [{
    Reads stream.param, stream.output, spl.output_fn. Establishes that an operator
    is either a Custom, whose handlers say everything, or `native`. What is not
    there yet is an error at the operator.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect"];
  let statistics = [
    Statistic<"expanded", "expanded", "operators given handlers">,
    Statistic<"natives", "native", "operators left to the runtime">];
}

def StreamRouteWatermarks : Pass<"stream-route-watermarks", "::mlir::ModuleOp"> {
  let summary = "lets operators forward watermarks to windows of event time";
  let description = [{
    Adds stream.on_watermark to the operators between those that make watermarks and those that
    have a handler for them. Where several streams with watermarks meet, at one port or at several,
    the least watermark goes on; streams that have ended do not count. Streams that meet at one port
    come through an operator of their own.
  }];
  let statistics = [
    Statistic<"forwarders", "forwarders", "operators that forward watermarks">,
    Statistic<"merges", "merges", "ports at which watermarks of several streams meet">];
}

def StreamKeepHistory : Pass<"stream-keep-history", "::mlir::ModuleOp"> {
  let summary = "gives operators the tuples that came before as state";
  let description = [{
    Reads stream.history. A port of which handlers ask for it gets a ring of tuples: of the
    attributes that are read, with room for the largest distance. Each tuple enters it before
    anything is done with it, so all tuples of the port count, also those that fail.
  }];
  let statistics = [Statistic<"rings", "rings", "ports whose history is kept">];
}

def StreamPrune : Pass<"stream-prune", "::mlir::ModuleOp"> {
  let summary = "removes submits that nobody receives and operators that do nothing";
  let description = [{
    Conservative: an operator goes only if no stream of it is used and none of
    its handlers can fail, loop, or touch anything outside. Sources stay, because
    how long they run shows. Punctuation goes where no consumer hears it, but for Final, and then
    handlers that did nothing but pass it on.
  }];
  let statistics = [
    Statistic<"operators", "operators", "operators removed">,
    Statistic<"submits", "submits", "submits removed">,
    Statistic<"markers", "markers", "submits of window punctuation removed">];
}

def StreamVerifyFlat : Pass<"stream-verify-flat", "::mlir::ModuleOp"> {
  let summary = "checks what holds from phase flat on";
}

//===--- flat -> placed -----------------------------------------------------===//

def StreamFindLoops : Pass<"stream-find-loops", "::mlir::ModuleOp"> {
  let summary = "chooses the streams that close cycles";
  let description = [{
    A depth-first walk in program order, sources first: a stream to an operator
    that the walk is still inside of gets edge kind `back`, all others `call`.
  }];
  let statistics = [Statistic<"backEdges", "back-edges", "streams that close a cycle">];
}

def StreamAnalyzeOrder : Pass<"stream-analyze-order", "::mlir::ModuleOp"> {
  let summary = "marks the streams that must be forwarded at each submit";
  let description = [{
    Writes `orders`. A stream is ordered where batching could be seen:
    (a) its producer and an operator downstream touch the same outside thing;
    (b) two ways out of its producer lead to such operators, or meet again at an
        operator with state or effects (`merge-order=any` lifts this);
    (c) it is on or enters a cycle;
    (d) it carries what arrived on a stream of (a) or (b) on to where that is seen.
    Where that follows only with what stream.on_punct does, punctuation alone is ordered.
  }];
  let options = [EnumOption<"mergeOrder", "merge-order", MergeOrder, "Exact",
                            "exact, or any: branches of a fork may overtake each other">];
  let statistics = [
    Statistic<"orderedPorts", "ordered", "output ports marked as ordered">,
    Statistic<"orderedPuncts", "ordered-puncts", "output ports of which only punctuation is "
        "ordered">];
}

def StreamAnalyzeState : Pass<"stream-analyze-state", "::mlir::ModuleOp"> {
  let summary = "says what operators remember, and how many workers may run them at once";
  let description = [{
    Writes `state`: whether handlers change state variables, and whether every use of
    one goes by the entry of one attribute of the tuple. Writes `sharing`: one worker
    runs an operator that keeps other state or does something outside, or for which the
    program asks that. Writes `bounded`: a tuple becomes a bounded number of others, and
    its failure is not caught.
  }];
}

def StreamInsertTees : Pass<"stream-insert-tees", "::mlir::ModuleOp"> {
  let summary = "gives ordered forks of operators that call nobody one consumer, which calls";
  let description = [{
    Where a stream of a native operator, or of one with several input ports, has several consumers
    and is ordered, a tee becomes its only consumer: a part of the producer that keeps nothing and
    hands on what comes. The tee calls the consumers. So only its streams are ordered, and the
    batches that come to it may be full. Writes `orders` anew.
  }];
  let options = [EnumOption<"mergeOrder", "merge-order", MergeOrder, "Exact",
                            "exact, or any: branches of a fork may overtake each other">];
  let statistics = [Statistic<"tees", "tees", "tees inserted">];
}

def StreamInsertSavePoints : Pass<"stream-insert-save-points", "::mlir::ModuleOp"> {
  let summary = "lets the code of sources stop for a checkpoint and go on from it elsewhere";
  let description = [{
    Runs when all analyses are done. A generated source may stop behind each tuple that it submits,
    before it asks whether to end, and before it waits. These are its save points. Its variables
    become state variables. At a save point, if a checkpoint is asked for, all other values that
    the code behind it needs are stored in state variables, too, with the number of the point; the
    process begins with a jump to the point that its state names. Without a checkpoint a save point
    costs a load and a branch.
  }];
  let statistics = [Statistic<"points", "points", "save points inserted">];
}

def StreamPartition : Pass<"stream-partition", "::mlir::ModuleOp"> {
  let summary = "decides which PE (process) runs each operator";
  let description = [{
    Reads `placement`, `orders` and the back edges. Writes `pe` of operators, and `pes` of the
    graph; if there is one PE, neither. Writes `partition` of the graph, for people; if one was
    asked for, not. Operators stay together that are on a cycle, that one operator of the source
    became, that a daemon source serves, that partitionColocation names, or between which order can
    be seen. `pes=auto`: as few PEs as config placement allows. `pes=N`: at most N, with little
    traffic between them and even load, by estimate. `pes=all`: as many as there can be.
    Where a placement asks for it, or with `all`, each channel of a @parallel region has PEs of its
    own.
  }];
  let options = [Option<"pes", "pes", "std::string", "\"1\"", "a number, auto or all">];
  let statistics = [Statistic<"groups", "pes", "PEs, one for all channels of a region">];
}

def StreamInsertLinks : Pass<"stream-insert-links", "::mlir::ModuleOp"> {
  let summary = "puts a sender and a receiver into each stream between PEs";
  let description = [{
    Reads `pe`. Consumers of a stream that are in one PE and region get one link. A link is
    inside the innermost region of its two ends, so each channel has one of its own.
  }];
  let statistics = [Statistic<"links", "links", "streams between PEs">];
}

def StreamPlaceBoundaries : Pass<"stream-place-boundaries", "::mlir::ModuleOp"> {
  let summary = "decides which input ports may be queues";
  let description = [{
    Reads `orders`, `sharing` and the back edges. Writes `boundaries`, and in `reasons`
    why, for each input port. `all`: every port that
    no ordered stream leads to is switchable. `auto`: where the work before and
    behind it is worth a thread, by estimate. `none`: no port. In any case a port
    that threads of several sources or channels reach is switchable, so that one of
    them at a time is inside, or exclusive if an ordered stream leads there; and what
    only back edges lead to is a queue.
  }];
  let options = [EnumOption<"boundaries", "boundaries", BoundaryChoice, "Auto",
      "none, auto or all">];
  let statistics = [Statistic<"switchable", "switchable", "switchable ports">];
}

def StreamFormSegments : Pass<"stream-form-segments", "::mlir::ModuleOp"> {
  let summary = "decides what is called and numbers the segments";
  let description = [{
    Reads `boundaries`, `orders` and the back edges. Writes `edges`, `segment`,
    `source_segment`. A segment is a head port (or the process of a source) and
    what calls reach from it.
  }];
  let statistics = [Statistic<"segments", "segments", "segments formed">];
}

def StreamRelaxOrder : Pass<"stream-relax-order", "::mlir::ModuleOp"> {
  let summary = "lets batches fill whose order calls keep";
  let description = [{
    Reads `edges`, `segment` and what stream-analyze-order wrote, and writes `orders` anew. A
    segment runs a row to its end before the next one, so only the streams between segments are of
    an order. The rules of stream-analyze-order decide, with each segment as one operator.
  }];
  let options = [EnumOption<"mergeOrder", "merge-order", MergeOrder, "Exact",
                            "exact, or any: branches of a fork may overtake each other">];
  let statistics = [Statistic<"relaxed", "relaxed", "output ports that are ordered no longer">];
}

def StreamVerifyPlaced : Pass<"stream-verify-placed", "::mlir::ModuleOp"> {
  let summary = "checks what holds from phase placed on";
}

//===--- any phase ----------------------------------------------------------===//

def StreamPrintGraph : Pass<"stream-print-graph", "::mlir::ModuleOp"> {
  let summary = "prints the graph, for people (svg, dot) or programs (json)";
  let options = [EnumOption<"format", "format", GraphFormat, "Dot", "dot, json or svg">];
}
#endif
