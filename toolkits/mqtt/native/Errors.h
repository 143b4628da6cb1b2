//===- Errors.h - the error ports of both operators -------------*- C++ -*-===//
#pragma once
#include "stdlib/native/Params.h"
#include <deque>

namespace sluice::mqtt {

/// Texts for an error port, which the thread of the operator submits.
class Errors {
public:
  /// Finds the attribute of the port, if there is one. Handler return values.
  int32_t open(ParamOp &, uint32_t port);
  /// Any thread, one at a time.
  void add(const std::string &text);
  /// Submits them. Handler return values.
  int32_t submit(ParamOp &);

private:
  static constexpr size_t kMost = 100; // that wait; older ones are dropped
  const Field *field = nullptr;
  uint32_t port = 0;
  std::deque<std::string> texts;
  std::vector<uint64_t> tuple;
};

} // namespace sluice::mqtt
