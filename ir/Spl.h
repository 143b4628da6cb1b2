//===- Spl.h - the spl dialect ----------------------------------*- C++ -*-===//
#pragma once
#include "ir/Enums.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace sluice::spl {
/// The op may end the handler or function it is in; its location and `source`
/// attribute are the site.
template <typename Op> class CanFail : public mlir::OpTrait::TraitBase<Op, CanFail> {};
} // namespace sluice::spl

#include "ir/SplDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/SplAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "ir/SplTypes.h.inc"
#define GET_OP_CLASSES
#include "ir/SplOps.h.inc"
