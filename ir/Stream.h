//===- Stream.h - the stream dialect ----------------------------*- C++ -*-===//
#pragma once
#include "ir/Spl.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/IR/RegionKindInterface.h"
#include "sluice/enums.h"

#include "ir/StreamDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/StreamAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "ir/StreamTypes.h.inc"
#define GET_OP_CLASSES
#include "ir/StreamOps.h.inc"
