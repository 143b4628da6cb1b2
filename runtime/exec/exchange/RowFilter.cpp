//===- RowFilter.cpp - the tuples of a batch that an Import wants ---------===//
#include "runtime/exec/exchange/RowFilter.h"
#include "runtime/exec/batch/Batches.h"
#include "runtime/exec/exchange/Scalar.h"
#include <cstdlib>
#include <cstring>
#include <new>

namespace sluice {

using exchange::Value;

void RowFilter::Memory::operator()(void *memory) const { free(memory); }

RowFilter::RowFilter(const remote::Schema &schema, const TypeDesc *tuple)
    : schema(schema), tuple(tuple) {}

/// How many columns a value has.
static size_t leavesOf(const TypeDesc *type) {
  if (storageOf(type->kind) != Storage::Parts)
    return 1;
  size_t count = 0;
  for (uint32_t i = 0; i < type->count; ++i)
    count += leavesOf(type->fields[i].type);
  return count;
}

std::string RowFilter::parse(const std::string &text) {
  std::string problem = condition.parse(text);
  if (!problem.empty())
    return "its filter cannot be read: " + problem;
  for (const std::string &name : condition.names()) {
    const remote::Column *found = nullptr;
    size_t at = 0;
    for (uint32_t i = 0; i < tuple->count; at += leavesOf(tuple->fields[i++].type))
      if (tuple->fields[i].name == name && exchange::isScalar(tuple->fields[i].type->kind))
        found = &schema.columns[at];
    if (!found)
      return "its filter names " + name + ", which is no attribute that a filter may have";
    columns.push_back(found);
  }
  return "";
}

namespace {
/// The attributes of one row.
class Row : public exchange::Names {
public:
  Row(const Batch &b, const std::vector<const remote::Column *> &columns)
      : b(b), columns(columns) {}
  uint32_t row = 0;

  Value valueOf(uint32_t slot) const override {
    const remote::Column &column = *columns[slot];
    return exchange::scalarAt(column.type->kind, element(&b, column, row));
  }

private:
  const Batch &b;
  const std::vector<const remote::Column *> &columns;
};
} // namespace

void RowFilter::gather(const Batch &from) {
  auto *to = reinterpret_cast<char *>(selected.get());
  for (const remote::Column &column : schema.columns)
    for (size_t i = 0; i < rows.size(); ++i)
      memcpy(to + column.offset + i * column.size, element(&from, column, rows[i]), column.size);
}

const Batch &RowFilter::select(const Batch &from, std::span<const Punctuation> marks) {
  if (!selected) {
    void *memory = aligned_alloc(64, (schema.bytes + 63) / 64 * 64);
    if (!memory)
      throw std::bad_alloc();
    selected.reset(new (memory) Batch());
  }
  rows.clear();
  puncts.clear();
  Row row(from, columns);
  auto mark = marks.begin();
  auto takeMarks = [&] {
    for (; mark != marks.end() && mark->row == row.row; ++mark)
      puncts.push_back({uint32_t(rows.size()), mark->kind, mark->time});
  };
  for (; row.row < from.rows; ++row.row) {
    takeMarks();
    if (condition.holds(row))
      rows.push_back(row.row);
  }
  takeMarks();
  gather(from);
  selected->rows = uint32_t(rows.size());
  selected->capacity = schema.capacity;
  selected->birth = from.birth;
  return *selected;
}

} // namespace sluice
