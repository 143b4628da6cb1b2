//===- Outputs.h - answers as tuples ----------------------------*- C++ -*-===//
#pragma once
#include "stdlib/native/Params.h"
#include "toolkits/inet/native/Attributes.h"
#include "toolkits/inet/native/Client.h"

namespace sluice::inet {

/// Where the parts of an answer go.
class Outputs {
public:
  /// Finds the attributes that parameters name. Handler return values.
  int32_t open(ParamOp &);
  /// Submits the tuples of an answer: one, or one for each line. Handler return values.
  int32_t submit(ParamOp &, const void *input, const Answer &) const;

private:
  enum class Part { Body, Line, Status, StatusCode, Header, ContentType, Encoding, Diagnostics };
  struct Column {
    const Field *field;
    Part part;
  };
  int32_t add(ParamOp &, const char *parameter, Part);
  void fill(const Answer &, char *tuple, Arena &) const;

  std::vector<Column> columns;
  const Field *line = nullptr; // a tuple for each line
  Copies copies;
};

/// What went wrong with a request, or empty.
std::string diagnosis(const Answer &);

} // namespace sluice::inet
