//===- Columns.cpp - the tuples of an InetSource --------------------------===//
#include "toolkits/inet/operators/InetSource/Columns.h"
#include "toolkits/inet/native/Attributes.h"
#include <algorithm>
#include <cstring>
#include <optional>

namespace sluice::inet {

static std::optional<Data> dataOf(const TypeDesc &type) {
  if (type.kind == Kind::List && type.elem->kind == Kind::RString)
    return Data::List;
  for (auto [kind, data] : {std::pair(Kind::RString, Data::Text), std::pair(Kind::Blob, Data::Blob),
                            std::pair(Kind::Xml, Data::Xml)})
    if (kind == type.kind)
      return data;
  return std::nullopt;
}

int32_t Columns::layOut(ParamOp &op) {
  static constexpr std::pair<std::string_view, Part> functions[] = {
      {"TargetURL", Part::Target},  {"EffectiveURL", Part::Effective}, {"ContentType", Part::Type},
      {"FetchTime", Part::Seconds}, {"ResponseCode", Part::Status},
  };
  const TypeDesc &out = *op.desc->outTypes[0];
  for (uint32_t i = 0; i < out.count; ++i) {
    const Field &field = out.fields[i];
    std::string function = op.text("$out." + std::string(field.name), "");
    for (auto [name, part] : functions)
      if (name == function)
        columns.push_back({&field, part});
    if (function.empty() && !texts)
      texts = &field;
  }
  tuple.assign(out.size / sizeof(uint64_t) + 1, 0);
  std::optional<Data> data = texts ? dataOf(*texts->type) : std::nullopt;
  kind = data.value_or(Data::Text);
  if (data)
    return 0;
  return sl_error(op.ctx, "the first attribute without an assignment gets the texts: it must be an "
                          "rstring, a list<rstring>, a blob or an xml");
}

bool Columns::hasStatus() const {
  return std::any_of(columns.begin(), columns.end(),
                     [](const Column &column) { return column.part == Part::Status; });
}

void Columns::put(const Field *field, const void *value, size_t size) {
  memcpy(reinterpret_cast<char *>(tuple.data()) + field->offset, value, size);
}

bool Columns::putRecords(const std::vector<std::string> &records, Arena &arena) {
  if (kind != Data::List) {
    Str text = strView(records[0].data(), records[0].size());
    if (kind == Data::Xml && textValue(texts->type, &text, arena))
      return false;
    put(texts, &text, sizeof text);
    return true;
  }
  auto *list = static_cast<Str *>(arenaAlloc(&arena, records.size() * sizeof(Str), alignof(Str)));
  for (size_t i = 0; i < records.size(); ++i)
    list[i] = strView(records[i].data(), records[i].size());
  Seq all = {uint32_t(records.size()), 0, list};
  put(texts, &all, sizeof all);
  return true;
}

void Columns::put(const Column &column, const Source &source) {
  auto text = [&](const std::string &value) {
    Str view = strView(value.data(), value.size());
    put(column.field, &view, sizeof view);
  };
  auto status = int32_t(source.status);
  switch (column.part) {
  case Part::Target:
    return text(source.target);
  case Part::Effective:
    return text(source.effective);
  case Part::Type:
    return text(source.type);
  case Part::Status:
    return put(column.field, &status, sizeof status);
  case Part::Seconds:
    return put(column.field, &source.seconds, sizeof source.seconds);
  }
}

const void *Columns::fill(const std::vector<std::string> &records, const Source &source,
                          Arena &arena) {
  if (!putRecords(records, arena))
    return nullptr;
  for (const Column &column : columns)
    put(column, source);
  return tuple.data();
}

} // namespace sluice::inet
