//===- Outputs.h - what JDBCRun submits -------------------------*- C++ -*-===//
#pragma once
#include "memory/Arena.h"
#include "stdlib/native/Params.h"
#include "toolkits/jdbc/native/Session.h"

namespace sluice::jdbc {

/// Makes the tuples of the output ports out of the input, columns and problems.
class Outputs {
public:
  explicit Outputs(ParamOp &op) : op(op) {}
  ~Outputs() { arenaFree(&arena); }
  /// Finds attributes, also those that hasResultSetAttr and sqlStatusAttr name. Handler return
  /// values.
  int32_t layOut(const Library &);

  /// Submits a tuple for each row of the result. False: a column is no value of its attribute, as
  /// the problem says. `failure`: what submit() has returned.
  bool rows(const char *input, const Result &, Problem &, int32_t &failure);
  /// Submits the tuple of a statement that has brought no rows; or the marker behind its rows.
  int32_t done(const char *input, bool hadRows);
  /// Submits the tuple to the error port, if there is one.
  int32_t error(const char *input, const Problem &);

private:
  struct Copy {
    const Field *from;
    uint32_t to; // offset
    uint32_t size;
  };
  /// Where a SQL status goes.
  struct Status {
    const Field *code = nullptr, *state = nullptr, *message = nullptr;
    uint32_t offset = 0; // of the tuple that they are in
  };

  void copies(const TypeDesc &to, uint32_t offset, std::vector<Copy> &);
  int32_t findStatus(uint32_t port, Status &);
  void begin(const char *input, const std::vector<Copy> &, uint32_t port);
  void setStatus(const Status &, const Problem &);

  ParamOp &op;
  const Library *lib = nullptr;
  std::vector<Copy> toData, toError;
  Status dataStatus, errorStatus;
  const Field *hasResult = nullptr;
  std::vector<uint64_t> tuple; // that is submitted
  char *bytes = nullptr;       // of it
  Arena arena = {};
};

} // namespace sluice::jdbc
