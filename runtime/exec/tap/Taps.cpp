//===- Taps.cpp - tuples of streams, for who looks ------------------------===//
#include "runtime/exec/tap/Taps.h"
#include "runtime/exec/table/Facts.h"
#include "sluice/columns.h"
#include "value/Text.h"
#include "value/Value.h"
#include <algorithm>
#include <cstring>
#include <utility>

namespace sluice {

static constexpr size_t kMostPrinted = 64 << 10; // bytes and elements of an attribute
static constexpr std::string_view kHidden = "(hidden)", kLong = "(too long)";

//===--- what is shown of a value -----------------------------------------------===//

static bool isAny(const std::vector<std::string> &names, const char *name) {
  return std::ranges::find(names, name) != names.end();
}

/// Whether a value of the type has an attribute of these names in it.
static bool hasAny(const TypeDesc *type, const std::vector<std::string> &names) {
  if ((type->elem && hasAny(type->elem, names)) || (type->value && hasAny(type->value, names)))
    return true;
  for (uint32_t i = 0; type->fields && i < type->count; ++i) {
    const Field &field = type->fields[i];
    if ((type->kind == Kind::Tuple && isAny(names, field.name)) || hasAny(field.type, names))
      return true;
  }
  return false;
}

/// Takes bytes and elements of a value from `left`. False: there are more.
static bool isShort(const TypeDesc *type, const char *place, size_t &left) {
  auto take = [&](size_t count) {
    bool fits = count <= left;
    left -= fits ? count : left;
    return fits;
  };
  switch (storageOf(type->kind)) {
  case Storage::Scalar:
  case Storage::Plain:
    return take(1);
  case Storage::Text:
    return take(reinterpret_cast<const Str *>(place)->len);
  case Storage::Sequence: {
    const Seq &seq = *reinterpret_cast<const Seq *>(place);
    if (!take(seq.len))
      return false;
    for (uint32_t i = 0; i < seq.len; ++i) {
      const char *entry = elementAt(type, &seq, i);
      if (!isShort(type->elem, entry, left) ||
          (type->kind == Kind::Map && !isShort(type->value, entry + type->valueOffset, left)))
        return false;
    }
    return true;
  }
  case Storage::Parts:
    for (uint32_t i = 0; i < type->count; ++i)
      if (!isShort(type->fields[i].type, place + type->fields[i].offset, left))
        return false;
  }
  return true;
}

/// How a text looks inside a quoted string, or in a blob.
static std::string printedAs(Kind kind, const std::string &text) {
  TypeDesc type = {};
  type.kind = kind;
  Str value = strView(text.data(), text.size());
  TextOut out;
  printValue(out, &type, &value, /*quoteTopString=*/true);
  std::string_view all = out.view();
  return std::string(kind == Kind::Blob ? all : all.substr(1, all.size() - 2));
}

//===--- taps -------------------------------------------------------------------===//

Taps::Taps(const ProgramDesc &desc, std::vector<std::string> hidden,
           const std::vector<std::string> &texts)
    : desc(desc), hidden(std::move(hidden)) {
  for (const std::string &text : texts)
    if (!text.empty())
      secrets.insert(secrets.end(), {printedAs(Kind::RString, text), printedAs(Kind::Blob, text)});
}

Taps::Tap::Tap(const TypeDesc *tuple, uint32_t capacity)
    : tuple(tuple), schema(tuple, capacity), memory(new char[tuple->size + 64]()) {}

Taps::Place *Taps::find(uint32_t port) {
  for (Place &place : places)
    if (place.port.load(std::memory_order_relaxed) == port)
      return &place;
  return nullptr;
}

std::string Taps::begin(uint32_t port) {
  if (port >= desc.inPortCount)
    return "there is no such stream";
  if (find(port))
    return "";
  Place *free = find(~0u);
  if (!free)
    return std::to_string(kMost) + " streams are looked at already, which is as many as may be";
  const OutPortDesc *producer = nullptr;
  forEachEdge(desc, [&](uint32_t out, uint32_t consumer, uint32_t in) {
    if (in == port && consumer < batchedConsumers(desc.outPorts[out]))
      producer = &desc.outPorts[out];
  });
  const OperatorDesc &op = desc.operators[desc.inPorts[port].op];
  if (!producer)
    return "each tuple of it is a call that is compiled into its producer: --boundaries=all makes "
           "it "
           "a stream of batches";
  auto tap = std::make_unique<Tap>(op.inTypes[port - op.firstIn], producer->batchCapacity);
  if (tap->schema.bytes > producer->batchBytes)
    return "its batches are laid out in another way";
  for (uint32_t i = 0; i < tap->tuple->count; ++i) {
    const Field &field = tap->tuple->fields[i];
    tap->isHidden.push_back(isAny(hidden, field.name) || hasAny(field.type, hidden));
  }
  {
    os::Held held(free->lock);
    free->tap = std::move(tap);
  }
  free->port.store(port, std::memory_order_relaxed);
  begun.fetch_add(1, std::memory_order_relaxed);
  return "";
}

void Taps::end(uint32_t port) {
  Place *place = find(port);
  if (!place)
    return;
  place->port.store(~0u, std::memory_order_relaxed);
  begun.fetch_sub(1, std::memory_order_relaxed);
  os::Held held(place->lock);
  place->tap.reset();
}

std::vector<std::string> Taps::take(uint32_t port) {
  Place *place = find(port);
  if (!place)
    return {};
  os::Held held(place->lock);
  return std::exchange(place->tap->rows, {});
}

/// The tuple in `memory`.
std::string Taps::textOf(const Tap &tap) const {
  std::string text = "{";
  for (uint32_t i = 0; i < tap.tuple->count && text.size() <= kRowBytes; ++i) {
    const Field &field = tap.tuple->fields[i];
    text += (i ? "," : "") + std::string(field.name) + "=";
    const char *place = tap.memory.get() + field.offset;
    size_t left = kMostPrinted;
    if (tap.isHidden[i] || !isShort(field.type, place, left)) {
      text += tap.isHidden[i] ? kHidden : kLong;
      continue;
    }
    TextOut out;
    printValue(out, field.type, place, /*quoteTopString=*/true);
    bool isSecret = std::ranges::any_of(
        secrets, [&](const std::string &s) { return out.view().find(s) != out.view().npos; });
    text += isSecret ? kHidden : out.view();
  }
  if (text.size() < kRowBytes)
    return text + "}";
  text.resize(kRowBytes);
  while (!text.empty() && (uint8_t(text.back()) & 0xc0) == 0x80)
    text.pop_back(); // of a character that may be cut
  if (!text.empty() && uint8_t(text.back()) >= 0xc0)
    text.pop_back();
  return text + "...";
}

void Taps::lookAt(uint32_t port, const Batch *b) {
  Place *place = find(port);
  if (!place || !b->rows)
    return;
  os::Held held(place->lock);
  Tap *tap = place->tap.get();
  if (!tap || place->port.load(std::memory_order_relaxed) != port)
    return;
  if (int64_t now = os::now(); now - tap->second >= os::kNanos) {
    tap->second = now;
    tap->left = kRows;
  }
  for (uint32_t row = 0; row < b->rows && tap->left && tap->rows.size() < 2 * kRows; ++row) {
    --tap->left;
    auto column = tap->schema.columns.begin();
    eachColumn(tap->tuple, [&](uint32_t offset, const TypeDesc *type) {
      memcpy(tap->memory.get() + offset,
             reinterpret_cast<const char *>(b) + column->offset + uint64_t(row) * column->size,
             type->size);
      ++column;
    });
    tap->rows.push_back(textOf(*tap));
  }
}

} // namespace sluice
