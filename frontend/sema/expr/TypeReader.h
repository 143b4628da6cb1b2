//===- TypeReader.h - from type syntax to types --------------------*- C++ -*-===//
#pragma once
#include "frontend/sema/expr/Checker.h"

namespace sluice::sema {

/// Types as they are written. The error type after an error.
class TypeReader : CheckerPart {
public:
  using CheckerPart::CheckerPart;

  Type type(const ast::TypeNode *);

private:
  /// Whether a name or a literal follows, as behind the type of a declaration.
  bool isBeforeOperand(Range) const;
  Type namedType(const ast::TypeNode *);
  Type tupleType(const ast::TypeNode *);
  void rememberPlaces(const ast::TypeNode *, llvm::ArrayRef<Type> parts, Type result);
  Type enumType(const ast::TypeNode *);
  bool boundOf(const ast::TypeNode *, uint32_t &bound);
  void unknownType(const ast::TypeNode *);
};

} // namespace sluice::sema
