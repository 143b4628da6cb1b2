//===- Producers.h - the operators that make streams ------------*- C++ -*-===//
#pragma once
#include "frontend/sema/typed/Program.h"
#include "llvm/ADT/DenseMap.h"

namespace sluice::sema {

/// An output port.
struct Producer {
  const typed::Operator *op;
  unsigned port;

  const typed::OutputPort &output() const { return op->outputs[port]; }
};
using Producers = llvm::DenseMap<const typed::Stream *, Producer>;

/// Calls f for all submissions in the logic of the operator (Logic.cpp).
void forSubmissions(const typed::Operator &, llvm::function_ref<void(const typed::SubmitExpr &)> f);

/// The output ports of all operators, by their streams.
Producers producersOf(const typed::Composite &main);

} // namespace sluice::sema
