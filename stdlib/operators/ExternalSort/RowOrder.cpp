//===- RowOrder.cpp - the order of rows -----------------------------------===//
#include "stdlib/operators/ExternalSort/RowOrder.h"

namespace sluice::external {

static std::vector<Field> fieldsOf(const TypeDesc *tuple, const std::vector<RowOrder::Key> &keys) {
  std::vector<Field> result;
  for (const RowOrder::Key &key : keys)
    result.push_back(tuple->fields[key.attribute]);
  return result;
}

static std::vector<uint8_t> directionsOf(const std::vector<RowOrder::Key> &keys) {
  std::vector<uint8_t> result;
  for (const RowOrder::Key &key : keys)
    result.push_back(key.descending);
  return result;
}

RowOrder::RowOrder(const TypeDesc *type, const std::vector<Key> &by)
    : type(type), fields(fieldsOf(type, by)), descending(directionsOf(by)),
      keys(fields.data(), descending.data(), uint32_t(fields.size())) {
  Kind first = fields[0].type->kind;
  bare = type->count == 1 && (first == Kind::Int64 || first == Kind::UInt64);
  flipped = (descending[0] ? ~uint64_t(0) : 0) ^ (first == Kind::Int64 ? kSign : 0);
  moreThanWord =
      fields.size() > 1 || storageOf(first) == Storage::Text || SortKeys::isTwoWords(first);
}

void RowOrder::copyKeys(Arena *arena, char *to, const char *row) const {
  for (const Field &key : fields)
    sl_copy_to(arena, key.type, to + key.offset, row + key.offset);
}

int RowOrder::compareRest(const char *a, const char *b) const {
  SortKeys::Position at = {};
  for (uint64_t word = keys.word(a, at); keys.advance(word, at);) {
    word = keys.word(a, at);
    if (uint64_t other = keys.word(b, at); word != other)
      return word < other ? -1 : 1;
  }
  return 0;
}

} // namespace sluice::external
