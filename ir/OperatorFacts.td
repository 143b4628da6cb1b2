//===- OperatorFacts.td - what the toolkit declares about operators -------===//

#ifndef SLUICE_OPERATOR_FACTS
#define SLUICE_OPERATOR_FACTS
include "ir/Dialects.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

/// native: a C++ class of the runtime. forwards: window punctuation goes on to all output
/// ports. daemon: a source that ends when all others have ended. sorts: the tuples of its window
/// are put in order. matches: the tuples of two windows meet. delays: tuples wait at its input
/// port, where a thread of their own lets each pass in its time. batches: a native operator that
/// takes whole batches.
def Stream_OperatorTraitAttr : I32BitEnumAttr<"OperatorTrait", "how an operator works", [
  I32BitEnumAttrCaseNone<"none">, I32BitEnumAttrCaseBit<"native", 0>,
  I32BitEnumAttrCaseBit<"forwards", 1>, I32BitEnumAttrCaseBit<"daemon", 2>,
  I32BitEnumAttrCaseBit<"sorts", 3>, I32BitEnumAttrCaseBit<"matches", 4>,
  I32BitEnumAttrCaseBit<"delays", 5>, I32BitEnumAttrCaseBit<"batches", 6>]> {
  let cppNamespace = "::sluice::stream";
}

def Stream_OperatorFactsAttr : AttrDef<Stream_Dialect, "OperatorFacts"> {
  let mnemonic = "operator_facts";
  let summary = "what the toolkit declares about an operator";
  let description = [{
    `reads` and `writes` are the parameters that name the file which it reads or writes.
    Bit i of `controls` is set if input port i is a control port.
    ```mlir
    #stream.operator_facts<traits = native, reads = "file">
    ```
  }];
  let parameters = (ins
    DefaultValuedParameter<"::sluice::stream::OperatorTrait",
                           "::sluice::stream::OperatorTrait::none">:$traits,
    OptionalParameter<"::mlir::StringAttr">:$reads,
        OptionalParameter<"::mlir::StringAttr">:$writes,
    DefaultValuedParameter<"uint32_t", "0">:$controls);
  let assemblyFormat = "`<` struct(params) `>`";
}
#endif
