//===- ForwardRows.cpp - submits the rows of a frame ------------------------===//
#include "runtime/exec/dispatch/ForwardRows.h"
#include "runtime/exec/batch/Batches.h"
#include "runtime/exec/state/Program.h"
#include <algorithm>
#include <cstring>

namespace sluice {

static void copyRows(const remote::Schema &schema, const Batch &from, uint32_t first,
                     uint32_t count, Batch *to) {
  for (const remote::Column &column : schema.columns) {
    char *at = reinterpret_cast<char *>(to) + column.offset + uint64_t(to->rows) * column.size;
    memcpy(at, element(&from, column, first), uint64_t(count) * column.size);
    for (uint32_t row = 0; column.far && row < count; ++row)
      sl_batch_keep(to, column.type, at + uint64_t(row) * column.size);
  }
  __atomic_store_n(&to->rows, to->rows + count, __ATOMIC_RELAXED); // as in resetBatch()
}

int32_t forwardRows(Ctx *ctx, uint32_t port, const remote::Schema &schema, const Batch &from) {
  OutPort *ports = ctx->thread->at.ports;
  for (uint32_t row = 0, mark = 0; row < from.rows || mark < from.punctCount;) {
    Batch *to = ports[port].batch;
    for (; mark < from.punctCount && from.puncts[mark].row == row; ++mark)
      addPunct(to, {to->rows, from.puncts[mark].kind, from.puncts[mark].time});
    uint32_t end = mark < from.punctCount ? from.puncts[mark].row : from.rows;
    uint32_t limit = __atomic_load_n(&to->limit, __ATOMIC_RELAXED);
    uint32_t fits = limit > to->rows ? limit - to->rows : 1;
    uint32_t count = std::min(fits, end - row);
    if (count)
      copyRows(schema, from, row, count, to);
    row += count;
    if (int32_t result = sl_forward(ctx, port - ctx->replica->out))
      return result;
  }
  return 0;
}

} // namespace sluice
