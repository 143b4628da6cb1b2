//===- RowFilter.h - the tuples of a batch that an Import wants --*- C++ -*-===//
#pragma once
#include "runtime/exchange/Condition.h"
#include "runtime/remote/frame/Schema.h"
#include <memory>

namespace sluice {

/// Selects rows of batches by a condition over their attributes.
class RowFilter {
public:
  /// The schema must outlive it. `tuple`: the type of the rows, whose leaves the columns are.
  RowFilter(const remote::Schema &, const TypeDesc *tuple);
  /// What is wrong with the condition; empty: nothing.
  std::string parse(const std::string &condition);
  bool isAlways() const { return condition.isAlways(); }

  /// The rows for which it holds, and the punctuation where it is among them. It lies in memory of
  /// the filter, and points to the payload of `from`, until the next call.
  const Batch &select(const Batch &from, std::span<const Punctuation>);
  std::span<const Punctuation> punctuation() const { return puncts; }

private:
  struct Memory {
    void operator()(void *) const;
  };
  void gather(const Batch &from);

  const remote::Schema &schema;
  const TypeDesc *tuple;
  exchange::Condition condition;
  std::vector<const remote::Column *> columns; // by name of the condition
  std::vector<uint32_t> rows;                  // that are selected
  std::vector<Punctuation> puncts;
  std::unique_ptr<Batch, Memory> selected;
};

} // namespace sluice
