//===- Responses.h - tuples that say what became of a request ---*- C++ -*-===//
//
// The type HTTPResponse, or one that has its attributes among others.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "toolkits/inet/native/Attributes.h"
#include <string>

namespace sluice::inet {

struct Responses {
  /// Finds the attributes. Handler return values.
  int32_t open(Ctx *, const TypeDesc &);
  /// Fills these attributes; they point into this.
  void fill(char *tuple) const;

  std::string body, problem;
  int32_t status = -1; // -1: no answer came

private:
  const Field *data = nullptr, *errorMessage = nullptr, *responseCode = nullptr,
              *dataSize = nullptr;
};

} // namespace sluice::inet
