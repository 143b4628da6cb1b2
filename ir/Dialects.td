//===- Dialects.td - the stream and spl dialects ------------------------===//

#ifndef SLUICE_DIALECTS
#define SLUICE_DIALECTS
include "mlir/IR/OpBase.td"

def Stream_Dialect : Dialect {
  let name = "stream";
  let cppNamespace = "::sluice::stream";
  let summary = "graphs: operators, ports, streams, handlers, boundaries";
  let description = [{
    Streams are SSA values of type `!stream.stream<tuple>`; the bodies of
    `stream.graph` and `stream.composite` are graph regions, so that a stream may
    be used above its definition and loops can be written down.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::sluice::spl::SplDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::arith::ArithDialect"];
  let extraClassDeclaration = [{
    /// Adds the attributes of StreamAttrs.td and TableAttrs.td; for initialize() only.
    void registerAttributes();
  }];
  let hasOperationAttrVerify = 1;
}

def Spl_Dialect : Dialect {
  let name = "spl";
  let cppNamespace = "::sluice::spl";
  let summary = "values of SPL: literals, operators, conversions, places, calls";
  let description = [{
    Values are immutable. A mutable variable is a *place*, `!spl.ref<T>`; a value
    loaded from a place is valid until the place is next written. Control flow is
    the `cf` dialect's. An operation that can fail ends the handler or function
    it is in: nothing after it runs. Integers are signed (`si32`) or unsigned
    (`ui32`), boolean is `i1`, floats `f32`, `f64`.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  // On operations of any dialect, from phase lowered on:
  // state_offsets: of a function, the bytes at which the states of its operator lie.
  // site: of an operation that can fail, its index in the module's `spl.sites`.
  // in_scratch: of a variable and stores to it, the list's buffer lies in scratch.
  // memory: of an access, which memory it is (codegen/Aliasing.h).
  let discardableAttrs = (ins "::mlir::DenseI64ArrayAttr":$state_offsets,
                              "::mlir::IntegerAttr":$site, "::mlir::UnitAttr":$in_scratch,
                              "::mlir::LLVM::TBAATagAttr":$memory);
}
#endif
