//===- SplEnums.h - the enumerations of the spl dialect ---------*- C++ -*-===//
#pragma once
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectImplementation.h"

#include "ir/SplEnums.h.inc"
