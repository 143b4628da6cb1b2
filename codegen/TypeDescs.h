//===- TypeDescs.h - constants of generated modules -------------*- C++ -*-===//
//
// TypeDescs (runtime/include/sluice/value.h) and strings as internal constants.
// Their names follow from what they are, so that whoever needs one finds it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace sluice {

/// The symbol of the TypeDesc of an SPL type.
std::string typeDescSymbol(mlir::Type type);

/// Makes constants at the front of a module, each once.
class ConstantPool {
public:
  explicit ConstantPool(mlir::ModuleOp module);

  /// The TypeDesc of an SPL type; with it those of its parts.
  mlir::LLVM::GlobalOp typeDesc(mlir::Type type);
  /// Bytes, aligned to 16, not terminated.
  mlir::LLVM::GlobalOp bytes(llvm::StringRef data);
  /// A C string.
  mlir::LLVM::GlobalOp cString(llvm::StringRef text);
  /// An array of constants, a new one each time: `element` builds them.
  mlir::LLVM::GlobalOp array(mlir::Type elementType, unsigned count, llvm::StringRef name,
                             llvm::function_ref<mlir::Value(mlir::OpBuilder &, unsigned)> element);

private:
  mlir::LLVM::GlobalOp find(llvm::StringRef name);
  mlir::LLVM::GlobalOp create(mlir::Type type, llvm::StringRef name, mlir::Attribute value = {});
  mlir::LLVM::GlobalOp fields(mlir::Type type);
  mlir::LLVM::GlobalOp names(mlir::Type type);

  mlir::ModuleOp module;
  llvm::DenseMap<mlir::Type, mlir::LLVM::GlobalOp> descs;
  llvm::StringMap<mlir::LLVM::GlobalOp> strings;
  llvm::StringMap<mlir::LLVM::GlobalOp> globals; // all of the module, by name
  llvm::StringMap<unsigned> numbers;             // of the next array, by name
};

/// The address of a global.
mlir::Value addressOf(mlir::OpBuilder &b, mlir::Location loc, mlir::LLVM::GlobalOp global);

} // namespace sluice
