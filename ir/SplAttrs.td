//===- SplAttrs.td - attributes of the spl dialect ------------------------===//

#ifndef SLUICE_SPL_ATTRS
#define SLUICE_SPL_ATTRS
include "ir/Dialects.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

//===--- facts about library functions --------------------------------------===//
//
// A prototype in the standard toolkit declares them (frontend/modules/FunctionFacts.h
// says in which words); each call carries them.

def Spl_Console : I32BitEnumAttrCaseBit<"console", 0>; // standard output
def Spl_Log : I32BitEnumAttrCaseBit<"log", 1>;         // traces and logs
def Spl_Files : I32BitEnumAttrCaseBit<"files", 2>;     // any file
def Spl_Random : I32BitEnumAttrCaseBit<"random", 3>;   // the random number generator
def Spl_Metrics : I32BitEnumAttrCaseBit<"metrics", 4>; // custom metrics
def Spl_EffectAttr : I32BitEnumAttr<"Effect", "what a function touches outside the graph", [
  I32BitEnumAttrCaseNone<"none">, Spl_Console, Spl_Log, Spl_Files, Spl_Random, Spl_Metrics,
  I32BitEnumAttrCaseGroup<"everything", [Spl_Console, Spl_Log, Spl_Files, Spl_Random,
      Spl_Metrics]>]> {
  let cppNamespace = "::sluice::spl";
  let printBitEnumPrimaryGroups = 1;
}

/// instruction: becomes a few instructions on numbers and cannot fail, so that tuples
/// may be done side by side. scratchFree: leaves no temporaries in the scratch arena.
/// waits: the thread may sleep. counted: the operator that calls it counts what comes and leaves.
/// perChannel: it says something else in each channel of a @parallel region.
def Spl_CallTraitAttr : I32BitEnumAttr<"CallTrait", "how a library function runs", [
  I32BitEnumAttrCaseNone<"none">, I32BitEnumAttrCaseBit<"instruction", 0>,
  I32BitEnumAttrCaseBit<"scratchFree", 1>, I32BitEnumAttrCaseBit<"waits", 2>,
  I32BitEnumAttrCaseBit<"counted", 3>, I32BitEnumAttrCaseBit<"perChannel", 4>]> {
  let cppNamespace = "::sluice::spl";
}

/// append: adds a value at the end of a list. range: a list of consecutive numbers, which
/// a loop may count instead. channel, maxChannels: fields of the execution context.
def Spl_IntrinsicAttr : I32EnumAttr<"Intrinsic", "what the compiler may generate instead of the "
    "call", [
  I32EnumAttrCase<"none", 0>, I32EnumAttrCase<"append", 1>, I32EnumAttrCase<"range", 2>,
  I32EnumAttrCase<"channel", 3>, I32EnumAttrCase<"maxChannels", 4>]> {
  let cppNamespace = "::sluice::spl";
}

def Spl_CallFactsAttr : AttrDef<Spl_Dialect, "CallFacts"> {
  let mnemonic = "call_facts";
  let summary = "what the toolkit declares about a library function";
  let description = [{
    ```mlir
    #spl.call_facts<effects = console>
    #spl.call_facts<traits = scratchFree, intrinsic = append>
    ```
  }];
  let parameters = (ins
    DefaultValuedParameter<"::sluice::spl::Effect", "::sluice::spl::Effect::none">:$effects,
    DefaultValuedParameter<"::sluice::spl::CallTrait", "::sluice::spl::CallTrait::none">:$traits,
    DefaultValuedParameter<"::sluice::spl::Intrinsic",
        "::sluice::spl::Intrinsic::none">:$intrinsic);
  let assemblyFormat = "`<` struct(params) `>`";
}

//===--- output functions ---------------------------------------------------===//

def Spl_AggregateAttr : AttrDef<Spl_Dialect, "Aggregate"> {
  let mnemonic = "aggregate";
  let summary = "how an output function summarises tuples, by functions over a state";
  let description = [{
    `lift` makes the state of one tuple. `merge` adds to the state of some tuples that of
    later ones; it is associative. `add` does the same for one tuple; without it, its state
    is lifted and merged. `remove` undoes `add` exactly; without it, nothing can be removed.
    `result` is the value. The first argument of `add`, `merge` and `remove` is a place.
    ```mlir
    #spl.aggregate<state = si32, lift = @sumLift, merge = @sumMerge, result = @sumResult>
    ```
  }];
  let parameters = (ins "::mlir::Type":$state, "::mlir::FlatSymbolRefAttr":$lift,
                        OptionalParameter<"::mlir::FlatSymbolRefAttr">:$add,
                        "::mlir::FlatSymbolRefAttr":$merge,
                        OptionalParameter<"::mlir::FlatSymbolRefAttr">:$remove,
                        "::mlir::FlatSymbolRefAttr":$result);
  let assemblyFormat = "`<` struct(params) `>`";
}

/// groups: how many groups the window has. tuples: how many tuples, in all groups.
/// by_group: a list of how many tuples each group has.
def Spl_WindowCountAttr : I32EnumAttr<"WindowCount", "what an output function counts in a whole "
    "window", [
  I32EnumAttrCase<"groups", 0>, I32EnumAttrCase<"tuples", 1>, I32EnumAttrCase<"by_group", 2>]> {
  let cppNamespace = "::sluice::spl";
}

/// What an output function tells of the pane that fires: whether it is on time, when its interval
/// starts and ends, how often it has fired before.
def Spl_PaneFactAttr : I32EnumAttr<"PaneFact", "what an output function tells of a pane", [
  I32EnumAttrCase<"timing", 0>, I32EnumAttrCase<"start", 1>, I32EnumAttrCase<"end", 2>,
  I32EnumAttrCase<"index", 3>]> {
  let cppNamespace = "::sluice::spl";
}

//===--- failures -----------------------------------------------------------===//

def Spl_SiteAttr : AttrDef<Spl_Dialect, "Site"> {
  let mnemonic = "site";
  let summary = "a place in the source that can fail";
  let description = [{
    `text` is the expression in the source. The module attribute `spl.sites` is a list of
    these, in the order of their numbers.
    ```mlir
    #spl.site<"Main.spl", 7, 9, "x / y">
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$file, "uint32_t":$line, "uint32_t":$column,
                        "::mlir::StringAttr":$text);
  let assemblyFormat = "`<` $file `,` $line `,` $column `,` $text `>`";
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral kModuleAttr = "spl.sites";
  }];
}
#endif
