//===- Outcomes.cpp - what the output of a KafkaProducer tells ------------===//
#include "toolkits/kafka/operators/KafkaProducer/Outcomes.h"
#include "runtime/base/text/Json.h"
#include "sluice/saved.h"
#include <cstring>
#include <utility>

namespace sluice::kafka {

static constexpr const char *kTuple = "tuple"; // of what is kept

/// The type of the description, behind an optional.
static const TypeDesc &textOf(const TypeDesc &type) {
  return type.kind == Kind::Optional ? *type.fields[1].type : type;
}

int32_t Outcomes::open() {
  const TypeDesc &out = *op.desc->outTypes[0];
  errorsOnly = op.flag("outputErrorsOnly", true);
  row.resize(out.size / 8 + 1);
  for (uint32_t i = 0; i < out.count; ++i) {
    const Field &field = out.fields[i];
    const Field *&place = field.type->kind == Kind::Tuple ? tuple : description;
    bool isText = textOf(*field.type).kind == Kind::RString;
    if (place || (field.type->kind != Kind::Tuple && !isText))
      return sl_error(op.ctx, "the output must have an attribute of the input's tuple type, or an "
                              "rstring or optional<rstring>, or one of each");
    place = &field;
  }
  std::vector<char> zero(op.desc->inTypes[0]->size);
  keep(0, zero.data());
  bool fits = !tuple || Loader({kept[0].tuple.data(), kept[0].tuple.size()})
                            .value(kTuple, op.ctx->heap, tuple->type,
                                   reinterpret_cast<char *>(row.data()) + tuple->offset);
  kept.clear();
  return fits ? 0
              : sl_error(op.ctx, "the attribute %s of the output must be of the input's tuple type",
                         tuple->name);
}

void Outcomes::refused(uint64_t set, const char *topic, const char *error, const char *why) {
  os::Held held(lock);
  refusals.push_back({set, topic, error, why});
}

void Outcomes::keep(uint64_t set, const void *given) {
  kept.push_back({set, {}});
  if (tuple)
    Saver(kept.back().tuple).value(kTuple, op.desc->inTypes[0], given);
}

/// Takes them.
std::vector<Outcomes::Refusal> Outcomes::refusalsOf(uint64_t set) {
  os::Held held(lock);
  std::vector<Refusal> result;
  std::erase_if(refusals, [&](const Refusal &refusal) {
    if (refusal.set == set)
      result.push_back(refusal);
    return refusal.set == set;
  });
  return result;
}

int32_t Outcomes::submit(const Confirmations &confirmations) {
  while (!kept.empty() && !confirmations.leftUpTo(kept.front().set)) {
    Kept first = std::move(kept.front());
    kept.pop_front();
    std::vector<Refusal> why = refusalsOf(first.set);
    if (why.empty() && errorsOnly)
      continue;
    if (int32_t result = submit(first, why))
      return result;
  }
  return 0;
}

static std::string describe(const auto &refusals) {
  Json json(Json::Style::Line);
  json.openElement('{');
  json.open("failedTopics", '[');
  for (const auto &refusal : refusals)
    json.element(refusal.topic);
  json.close();
  json.text("lastExceptionType", refusals.back().error);
  json.text("lastFailure", refusals.back().why);
  std::string text = std::move(json).finish();
  text.pop_back(); // the line end
  return text;
}

int32_t Outcomes::submit(const Kept &each, const std::vector<Refusal> &why) {
  auto *bytes = reinterpret_cast<char *>(row.data());
  memset(bytes, 0, op.desc->outTypes[0]->size);
  if (tuple)
    Loader({each.tuple.data(), each.tuple.size()})
        .value(kTuple, op.ctx->heap, tuple->type, bytes + tuple->offset);
  std::string text = why.empty() ? "" : describe(why);
  if (description) {
    char *place = bytes + description->offset;
    const TypeDesc &type = *description->type;
    if (type.kind == Kind::Optional) {
      place[type.fields[0].offset] = !why.empty();
      place += type.fields[1].offset;
    }
    *reinterpret_cast<Str *>(place) = strView(text.data(), text.size());
  }
  int32_t result = op.submit(0, bytes);
  if (tuple)
    sl_destroy(op.ctx, tuple->type, bytes + tuple->offset);
  return result;
}

} // namespace sluice::kafka
