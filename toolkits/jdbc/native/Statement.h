//===- Statement.h - SQL with question marks --------------------*- C++ -*-===//
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::jdbc {

/// A statement as Java's drivers take it, for libpq.
struct Statement {
  /// Each `?` outside of texts, names and comments becomes $1, $2, ...; `??` becomes `?`. Comments
  /// become blanks.
  static Statement parse(std::string_view sql);

  std::string sql;
  uint32_t parameters = 0;
  /// It changes rows: it is worth a transaction of its own.
  bool isChange = false;
  /// Of `INSERT INTO t(a, b) VALUES (?, ?)`, and nothing else: the table and the columns, as they
  /// are written. Empty for all others.
  std::string table;
  std::vector<std::string> columns;

  /// What does the same for many rows.
  std::string copy() const;
};

} // namespace sluice::jdbc
