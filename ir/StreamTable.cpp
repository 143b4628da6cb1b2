//===- StreamTable.cpp - verification of the program table ----------------===//
#include "ir/Stream.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace sluice::stream;

/// Every native operator has a class, and the functions by which it is told its parameters and
/// submits; no other has them.
static bool isWholeOfKind(bool native, StringAttr nativeClass, FlatSymbolRefAttr process,
                          FlatSymbolRefAttr setParams, ArrayRef<TableOutputAttr> outputs) {
  return native == bool(nativeClass) && native == bool(setParams) && !(native && process) &&
         llvm::all_of(outputs, [&](TableOutputAttr output) {
           return native == bool(output.getEmit()) && native == bool(output.getEmitPunct());
         });
}

LogicalResult TableOperatorAttr::verify(
    llvm::function_ref<InFlightDiagnostic()> emitError, StringAttr name, StringAttr, StringAttr,
    std::optional<uint32_t> native, StringAttr nativeClass, bool, bool, bool, bool, bool, uint32_t,
    int32_t, RecoveryAttr, FloatAttr, uint64_t, uint64_t, ArrayRef<TableInputAttr> inputs,
    ArrayRef<TableOutputAttr> outputs, ArrayRef<RowsOut> rowsOut, ArrayRef<TableVariableAttr>,
    TableKeyedAttr keyed, FlatSymbolRefAttr process, FlatSymbolRefAttr setParams, FlatSymbolRefAttr,
    LocationAttr) {
  if (rowsOut.size() != inputs.size() * outputs.size())
    return emitError() << "'rows_out' of " << name << " has " << rowsOut.size() << " elements for "
                       << inputs.size() << " input and " << outputs.size() << " output ports";
  if (keyed && inputs.size() != 1)
    return emitError() << "keyed state of " << name << " belongs to one input port";
  if (!isWholeOfKind(native.has_value(), nativeClass, process, setParams, outputs))
    return emitError() << name << " has not the class and functions that a "
                       << (native ? "native" : "generated") << " operator has";
  return success();
}

LogicalResult StreamDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() != TableAttr::kModuleAttr)
    return success();
  auto module = dyn_cast<ModuleOp>(op);
  auto table = dyn_cast<TableAttr>(attribute.getValue());
  if (!module || !table)
    return op->emitOpError() << "'" << TableAttr::kModuleAttr << "' is a module's #stream.table";
  SymbolTable symbols(module);
  WalkResult result = table.walk([&](FlatSymbolRefAttr symbol) {
    if (symbols.lookup<FunctionOpInterface>(symbol.getAttr()))
      return WalkResult::advance();
    module.emitOpError() << "the program table names the function " << symbol
                         << ", which is not there";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}
