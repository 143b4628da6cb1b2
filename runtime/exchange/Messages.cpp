//===- Messages.cpp - what jobs say to each other -------------------------===//
#include "runtime/exchange/Messages.h"
#include <cstring>
#include <type_traits>

namespace sluice::exchange {

static constexpr uint32_t kMagic = 0x58455453; // "STEX"
static constexpr uint32_t kVersion = 1;
enum class Message : uint32_t { Ask = 1, Request, Report, Answer };

namespace {
/// Numbers are little-endian, texts and lists have their length in front.
class Encoder {
public:
  explicit Encoder(Message kind) {
    put(uint32_t(0)); // the length
    put(kMagic);
    put(kVersion);
    put(uint32_t(kind));
  }
  template <typename T>
    requires std::is_arithmetic_v<T>
  void put(T value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
  }
  void put(const std::string &text) {
    put(uint32_t(text.size()));
    bytes += text;
  }
  void put(const Owned &value) {
    put(uint8_t(value.kind));
    put(int64_t(value.integer)); // those of properties have 64 bits
    put(value.number);
    put(value.text);
    putAll(value.list);
  }
  void put(const Property &property) {
    put(property.name);
    put(property.value);
  }
  void put(const Offer &offer) {
    put(offer.stream);
    put(uint8_t(offer.id.has_value()));
    put(offer.id.value_or(""));
    putAll(offer.properties);
    put(offer.type);
    put(offer.schema);
    put(uint8_t(offer.allowsFilter));
    put(uint8_t(offer.waits));
    put(uint8_t(offer.ended));
  }
  void put(const Importing &i) {
    for (const std::string *text : {&i.name, &i.wants, &i.filter, &i.type})
      put(*text);
  }
  void put(const Taker &taker) {
    put(taker.offer);
    put(taker.job);
    put(taker.import_);
    put(taker.process);
    put(taker.tuples);
  }
  template <typename T> void putAll(const std::vector<T> &all) {
    put(uint32_t(all.size()));
    for (const T &each : all)
      put(each);
  }
  std::string finish() {
    uint32_t length = uint32_t(bytes.size() - sizeof(uint32_t));
    memcpy(bytes.data(), &length, sizeof length);
    return std::move(bytes);
  }

private:
  std::string bytes;
};

/// After the first thing that is wrong, everything is empty.
class Decoder {
public:
  Decoder(std::string_view bytes, Message kind) : rest(bytes) {
    uint32_t magic = 0, version = 0, is = 0;
    get(magic);
    get(version);
    get(is);
    if (magic != kMagic || version != kVersion || is != uint32_t(kind))
      wrong();
  }
  /// Whether all was as it should be, and nothing is left.
  bool finish() const { return fine && rest.empty(); }

  template <typename T>
    requires std::is_arithmetic_v<T>
  void get(T &value) {
    value = {};
    if (rest.size() < sizeof value)
      return wrong();
    memcpy(&value, rest.data(), sizeof value);
    rest.remove_prefix(sizeof value);
  }
  void get(bool &value) {
    uint8_t byte = 0;
    get(byte);
    value = byte == 1;
    if (byte > 1)
      wrong();
  }
  void get(std::string &text) {
    uint32_t length = 0;
    get(length);
    if (length > rest.size())
      return wrong();
    text = rest.substr(0, length);
    rest.remove_prefix(length);
  }
  void get(Owned &value) { getValue(value, /*mayBeList=*/true); }
  void get(Property &property) {
    get(property.name);
    get(property.value);
  }
  void get(Offer &offer) {
    bool hasId = false;
    std::string id;
    get(offer.stream);
    get(hasId);
    get(id);
    if (hasId)
      offer.id = id;
    getAll(offer.properties);
    get(offer.type);
    get(offer.schema);
    get(offer.allowsFilter);
    get(offer.waits);
    get(offer.ended);
  }
  void get(Importing &i) {
    for (std::string *text : {&i.name, &i.wants, &i.filter, &i.type})
      get(*text);
  }
  void get(Taker &taker) {
    get(taker.offer);
    get(taker.job);
    get(taker.import_);
    get(taker.process);
    get(taker.tuples);
  }
  /// Nothing has less than a byte, so there is no more room taken than was received (times the
  /// size of a struct).
  template <typename T> void getAll(std::vector<T> &all) {
    uint32_t count = 0;
    get(count);
    if (count > rest.size())
      return wrong();
    for (uint32_t i = 0; i < count && fine; ++i)
      get(all.emplace_back());
  }

private:
  /// Elements of lists are no lists.
  void getValue(Owned &value, bool mayBeList) {
    uint8_t kind = 0;
    uint32_t count = 0;
    int64_t integer = 0;
    get(kind);
    get(integer);
    value.integer = integer;
    get(value.number);
    get(value.text);
    get(count);
    value.kind = Value::Kind(kind);
    bool isList = value.kind == Value::Kind::List;
    if (kind > uint8_t(Value::Kind::List) || value.kind == Value::Kind::Boolean ||
        (isList && !mayBeList) || (count && !isList) || count > rest.size())
      return wrong();
    for (uint32_t i = 0; i < count && fine; ++i)
      getValue(value.list.emplace_back(), /*mayBeList=*/false);
  }
  void wrong() {
    fine = false;
    rest = {};
  }

  std::string_view rest;
  bool fine = true;
};
} // namespace

//===--- encoding -------------------------------------------------------------===//

std::string encodeAsk() { return Encoder(Message::Ask).finish(); }

std::string encode(const Request &request) {
  Encoder e(Message::Request);
  e.put(request.offer);
  e.put(request.type);
  e.put(request.schema);
  for (const std::string *text : {&request.filter, &request.job, &request.import_})
    e.put(*text);
  return e.finish();
}

std::string encode(const Report &report) {
  Encoder e(Message::Report);
  e.put(report.application);
  e.put(report.pe);
  e.put(report.parent);
  e.putAll(report.offers);
  e.putAll(report.imports);
  e.putAll(report.takers);
  return e.finish();
}

std::string encodeAnswer(const std::string &refusal) {
  Encoder e(Message::Answer);
  e.put(refusal);
  return e.finish();
}

//===--- decoding -------------------------------------------------------------===//

bool isAsk(std::string_view bytes) { return Decoder(bytes, Message::Ask).finish(); }

std::optional<Request> decodeRequest(std::string_view bytes) {
  Decoder d(bytes, Message::Request);
  Request request;
  d.get(request.offer);
  d.get(request.type);
  d.get(request.schema);
  for (std::string *text : {&request.filter, &request.job, &request.import_})
    d.get(*text);
  return d.finish() ? std::optional(std::move(request)) : std::nullopt;
}

std::optional<Report> decodeReport(std::string_view bytes) {
  Decoder d(bytes, Message::Report);
  Report report;
  d.get(report.application);
  d.get(report.pe);
  d.get(report.parent);
  d.getAll(report.offers);
  d.getAll(report.imports);
  d.getAll(report.takers);
  return d.finish() ? std::optional(std::move(report)) : std::nullopt;
}

std::optional<std::string> decodeAnswer(std::string_view bytes) {
  Decoder d(bytes, Message::Answer);
  std::string refusal;
  d.get(refusal);
  return d.finish() ? std::optional(std::move(refusal)) : std::nullopt;
}

} // namespace sluice::exchange
