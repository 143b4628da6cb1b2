//===- Kinds.h - the kinds of MLIR's types of values ------------*- C++ -*-===//
//
// The one place that tells SPL's types apart. Code that depends on the kind of a type switches
// over kindOf(), without a `default`, so that the compiler names it when a kind is added.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "ir/Spl.h"
#include "sluice/kinds.h"
#include <optional>

namespace sluice::spl {

/// The kind of a type of values; none for places, checkpoints and types of other dialects.
std::optional<Kind> findKind(mlir::Type type);
/// The kind of a type that is one of values.
Kind kindOf(mlir::Type type);
/// Whether it is a type of values in one of these classes: bits of TypeClass.
bool isIn(mlir::Type type, uint32_t classes);
/// Whether it is a type of values that are passed in a register.
bool isScalar(mlir::Type type);

/// The parts of a value that consists of others: the attributes of a tuple; of an optional, whether
/// it has a value, and the value. None for other types.
llvm::SmallVector<mlir::Type> partsOf(mlir::Type record);

/// Whether each value of a type equals itself: not so NaN, and what contains it. A key that does
/// not is not found again.
bool equalsItself(mlir::Type type);

/// Bytes of a value, without what it points to.
uint64_t bytesOf(mlir::Type type);

/// The type as SPL programs write it: `list<int32>`.
std::string sourceText(mlir::Type type);

/// The most bytes or elements that a value of the type has; 0: any number.
uint32_t boundOf(mlir::Type type);
/// The same type without that bound. Its values lie in memory alike.
mlir::Type unbounded(mlir::Type type);

/// What a list or set consists of, the keys of a map; null for types of all other kinds.
mlir::Type elementOf(mlir::Type collection);

/// The enumeration whose values are the kinds of punctuations that programs may submit, with the
/// numbers of PunctuationKind.
EnumType markerType(mlir::MLIRContext *context);

} // namespace sluice::spl
