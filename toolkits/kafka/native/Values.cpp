//===- Values.cpp - attributes as parts of messages -----------------------===//
#include "toolkits/kafka/native/Values.h"
#include <algorithm>
#include <bit>

namespace sluice::kafka {

const Field *fieldOf(const TypeDesc &type, std::string_view name) {
  for (uint32_t i = 0; i < type.count; ++i)
    if (type.fields[i].name == name)
      return &type.fields[i];
  return nullptr;
}

static bool isText(Kind kind) { return kind == Kind::RString || kind == Kind::Blob; }

bool isMessageType(const TypeDesc &type) {
  constexpr Kind kinds[] = {Kind::RString, Kind::Blob,   Kind::Int32,   Kind::UInt32,
                            Kind::Int64,   Kind::UInt64, Kind::Float32, Kind::Float64};
  return std::find(std::begin(kinds), std::end(kinds), type.kind) != std::end(kinds);
}

/// Between the order of this machine and that of the network.
static void copyNumber(char *to, const char *from, uint32_t size) {
  if constexpr (std::endian::native == std::endian::little)
    std::reverse_copy(from, from + size, to);
  else
    std::copy_n(from, size, to);
}

std::string_view bytesOf(const Field &field, const void *tuple, char (&scratch)[8]) {
  const char *value = static_cast<const char *>(tuple) + field.offset;
  if (isText(field.type->kind))
    return viewOf(*reinterpret_cast<const Str *>(value));
  copyNumber(scratch, value, field.type->size);
  return {scratch, field.type->size};
}

bool setBytes(const Field &field, std::string_view bytes, char *tuple) {
  char *value = tuple + field.offset;
  if (isText(field.type->kind)) {
    size_t most = field.type->bound ? field.type->bound : bytes.size();
    *reinterpret_cast<Str *>(value) = strView(bytes.data(), std::min(bytes.size(), most));
    return true;
  }
  if (bytes.size() != field.type->size)
    return false;
  copyNumber(value, bytes.data(), field.type->size);
  return true;
}

void setNumber(const Field &field, int64_t number, char *tuple) {
  if (field.type->size == 4) {
    auto shorter = int32_t(number);
    memcpy(tuple + field.offset, &shorter, sizeof shorter);
  } else {
    memcpy(tuple + field.offset, &number, sizeof number);
  }
}

} // namespace sluice::kafka
