//===- Record.h - a tuple type that is put together -------------*- C++ -*-===//
#pragma once
#include "passes/expand/HandlerBuilder.h"

namespace sluice::window {

/// The attributes of a tuple that an expansion keeps, gathered before the type is made.
class Record {
public:
  explicit Record(mlir::MLIRContext *context) : owner(context) {}
  mlir::MLIRContext *context() const { return owner; }
  /// Returns the attribute's index.
  unsigned add(llvm::StringRef name, mlir::Type type) {
    names.push_back(mlir::StringAttr::get(type.getContext(), name + llvm::Twine(names.size())));
    types.push_back(type);
    return types.size() - 1;
  }
  spl::TupleType type() const { return spl::TupleType::get(owner, names, types); }

private:
  mlir::MLIRContext *owner;
  llvm::SmallVector<mlir::StringAttr> names;
  llvm::SmallVector<mlir::Type> types;
};

/// The integers that windows count with.
inline mlir::Type ui64(mlir::MLIRContext *context) {
  return mlir::IntegerType::get(context, 64, mlir::IntegerType::Unsigned);
}
inline mlir::Type si64(mlir::MLIRContext *context) {
  return mlir::IntegerType::get(context, 64, mlir::IntegerType::Signed);
}

} // namespace sluice::window
