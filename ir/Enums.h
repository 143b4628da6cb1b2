//===- Enums.h - the enumerations of the dialects ---------------*- C++ -*-===//
//
// The frontend uses those of what programs and the toolkit declare.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectImplementation.h"

#include "ir/SplEnums.h.inc"
#include "ir/StreamEnums.h.inc"
