//===- StateBytes.cpp - how much memory state takes -----------------------===//
#include "runtime/exec/memory/StateBytes.h"
#include "value/Place.h"
#include "value/Table.h"
#include "value/Value.h"
#include "value/blocks/TrackedTable.h"

namespace sluice {

/// Bytes that a place owns.
static uint64_t ownedBytes(const TypeDesc *type, const char *place) {
  if (type->plain)
    return 0;
  switch (storageOf(type->kind)) {
  case Storage::Scalar:
  case Storage::Plain:
    return 0;
  case Storage::Text: {
    uint32_t length = reinterpret_cast<const Str *>(place)->len;
    return length > Str::kInline ? length : 0;
  }
  case Storage::Sequence: {
    const Seq &seq = *reinterpret_cast<const Seq *>(place);
    if (!seq.cap)
      return 0;
    uint64_t bytes = bufferBytes(type, seq.cap);
    if (const SeqHeader *header = isHashed(type) ? tableHeader(&seq) : nullptr)
      bytes += header->index       ? indexBytes(header->mask)
               : isTracked(header) ? indexBytes(trackedIndex(header).mask)
                                   : 0;
    const bool isMap = type->kind == Kind::Map;
    if (type->elem->plain && (!isMap || type->value->plain))
      return bytes;
    for (uint32_t i = 0; i < seq.len; ++i) {
      const char *entry = elementAt(type, &seq, i);
      bytes += ownedBytes(type->elem, entry);
      if (isMap)
        bytes += ownedBytes(type->value, entry + type->valueOffset);
    }
    return bytes;
  }
  case Storage::Parts: {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < type->count; ++i)
      bytes += ownedBytes(type->fields[i].type, place + type->fields[i].offset);
    return bytes;
  }
  }
  return 0;
}

uint64_t stateBytes(const OperatorDesc &op, const char *state) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < op.stateCount; ++i)
    bytes += ownedBytes(op.states[i].type, state + op.states[i].offset);
  return bytes;
}

} // namespace sluice
