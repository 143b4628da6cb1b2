//===- Rows.h - tuples that are not yet in the database ---------*- C++ -*-===//
#pragma once
#include "sluice/native.h"
#include "toolkits/jdbc/native/Session.h"
#include <algorithm>
#include <cstddef>
#include <vector>

namespace sluice::jdbc {

/// The tuples that a transaction may yet need again, in their order: those that were committed,
/// those that were run, those that wait.
class Rows {
public:
  struct Row {
    std::vector<uint64_t> tuple; // a place
    bool isBad = false;          // PostgreSQL has refused it: see the problem
    bool isUnfit = false;        // its result is no tuple, as the problem says
    bool isSaid = false;         // the operator has submitted what is to be said of it
    size_t taken = 0;            // so many rows of its result were submitted
    Problem problem;
    std::vector<Result> results; // that are yet to be submitted

    const char *bytes() const { return reinterpret_cast<const char *>(tuple.data()); }
  };

  /// Copies a tuple behind the others.
  Row &add(Ctx *, const TypeDesc *, const void *tuple);
  /// An empty row behind the others, to be filled.
  Row &make(const TypeDesc *);
  Row &operator[](size_t i) { return list[i]; }
  size_t size() const { return count; }
  size_t waiting() const { return count - ran; }
  /// There is something else to be said of a row.
  void unsay(size_t i) {
    list[i].isSaid = false;
    said = std::min(said, i);
  }
  /// Forgets those that were committed.
  void dropCommitted();
  void free(Ctx *, const TypeDesc *);

  size_t committed = 0; // so many at the beginning
  size_t ran = 0;       // so many at the beginning were run, or are bad
  size_t said = 0;      // all is said of so many at the beginning

private:
  std::vector<Row> list; // those behind `count` are kept to be used again
  size_t count = 0;
};

} // namespace sluice::jdbc
