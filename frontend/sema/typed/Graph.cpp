//===- Graph.cpp - streams, operators and composite instances -------------===//
#include "frontend/sema/typed/Graph.h"

using namespace sluice;
using namespace sluice::typed;

int64_t EventTime::nanosPerTick() const {
  switch (resolution) {
  case Milliseconds:
    return 1'000'000;
  case Microseconds:
    return 1'000;
  case Nanoseconds:
    return 1;
  }
  llvm_unreachable("all resolutions are covered");
}

Type EventTime::find(Type tuple, llvm::ArrayRef<std::string> path) {
  Type type = tuple;
  for (const std::string &name : path)
    type = type && type->kind == SplType::Tuple ? type->attribute(name) : nullptr;
  return type;
}
