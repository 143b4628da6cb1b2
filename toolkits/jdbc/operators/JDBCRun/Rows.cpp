//===- Rows.cpp - tuples that are not yet in the database -----------------===//
#include "toolkits/jdbc/operators/JDBCRun/Rows.h"
#include <algorithm>

namespace sluice::jdbc {

Rows::Row &Rows::make(const TypeDesc *type) {
  if (count == list.size())
    list.emplace_back().tuple.resize((type->size + 7) / 8 + 1);
  Row &row = list[count++];
  row.isBad = row.isUnfit = row.isSaid = false;
  row.taken = 0;
  row.results.clear();
  return row;
}

Rows::Row &Rows::add(Ctx *ctx, const TypeDesc *type, const void *tuple) {
  Row &row = make(type);
  sl_assign(ctx, type, row.tuple.data(), tuple);
  return row;
}

void Rows::dropCommitted() {
  if (!committed)
    return;
  std::rotate(list.begin(), list.begin() + ptrdiff_t(committed), list.begin() + ptrdiff_t(count));
  count -= committed;
  ran -= committed;
  said -= std::min(said, committed);
  committed = 0;
}

void Rows::free(Ctx *ctx, const TypeDesc *type) {
  for (Row &row : list)
    sl_destroy(ctx, type, row.tuple.data());
  list.clear();
  count = ran = committed = said = 0;
}

} // namespace sluice::jdbc
