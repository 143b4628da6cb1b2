//===- Messages.cpp - what jobs say to each other -------------------------===//
#include "runtime/exchange/Messages.h"
#include <cstring>
#include <type_traits>

namespace sluice::exchange {

static constexpr uint32_t kMagic = 0x58455453; // "STEX"
static constexpr uint32_t kVersion = 3;
enum class Message : uint32_t { Ask = 1, Request, Report, Answer };

namespace {
//===--- the fields of each struct, in the order in which they are sent -------===//

template <typename T, typename S>
concept Is = std::is_same_v<std::remove_const_t<T>, S>;

template <typename Coder, Is<Property> T> void fields(Coder &c, T &x) { c(x.name, x.value); }
template <typename Coder, Is<Offer> T> void fields(Coder &c, T &x) {
  c(x.stream, x.id, x.scope, x.properties, x.type, x.schema, x.allowsFilter, x.waits, x.ended);
}
template <typename Coder, Is<Importing> T> void fields(Coder &c, T &x) {
  c(x.name, x.wants, x.filter, x.type);
}
template <typename Coder, Is<Taker> T> void fields(Coder &c, T &x) {
  c(x.offer, x.job, x.import_, x.process, x.tuples);
}
template <typename Coder, Is<Request> T> void fields(Coder &c, T &x) {
  c(x.offer, x.type, x.schema, x.filter, x.job, x.import_);
}
template <typename Coder, Is<Report> T> void fields(Coder &c, T &x) {
  c(x.application, x.pe, x.parent, x.offers, x.imports, x.takers);
}

//===--- coders ---------------------------------------------------------------===//

/// Numbers are little-endian, texts and lists have their length in front.
class Encoder {
public:
  explicit Encoder(Message kind) { (*this)(uint32_t(0), kMagic, kVersion, uint32_t(kind)); }
  template <typename... T> void operator()(const T &...all) { (put(all), ...); }
  std::string finish() {
    uint32_t length = uint32_t(bytes.size() - sizeof(uint32_t));
    memcpy(bytes.data(), &length, sizeof length);
    return std::move(bytes);
  }

private:
  template <typename T> void put(const T &x) {
    if constexpr (std::is_arithmetic_v<T>)
      bytes.append(reinterpret_cast<const char *>(&x), sizeof x);
    else
      fields(*this, x);
  }
  void put(const std::string &text) {
    put(uint32_t(text.size()));
    bytes += text;
  }
  void put(const std::optional<std::string> &text) { (*this)(text.has_value(), text.value_or("")); }
  void put(const Owned &x) {
    // The integers of properties have 64 bits.
    (*this)(uint8_t(x.kind), int64_t(x.integer), x.number, x.text, x.list);
  }
  template <typename T> void put(const std::vector<T> &all) {
    put(uint32_t(all.size()));
    for (const T &each : all)
      put(each);
  }

  std::string bytes;
};

/// After the first thing that is wrong, everything is empty.
class Decoder {
public:
  Decoder(std::string_view bytes, Message kind) : rest(bytes) {
    uint32_t magic = 0, version = 0, is = 0;
    (*this)(magic, version, is);
    if (magic != kMagic || version != kVersion || is != uint32_t(kind))
      wrong();
  }
  template <typename... T> void operator()(T &...all) { (get(all), ...); }
  /// Whether all was as it should be, and nothing is left.
  bool finish() const { return fine && rest.empty(); }

private:
  template <typename T> void get(T &x) {
    if constexpr (!std::is_arithmetic_v<T>)
      return fields(*this, x);
    else {
      x = {};
      if (rest.size() < sizeof x)
        return wrong();
      memcpy(&x, rest.data(), sizeof x);
      rest.remove_prefix(sizeof x);
    }
  }
  void get(bool &x) {
    uint8_t byte = 0;
    get(byte);
    x = byte == 1;
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
  void get(std::optional<std::string> &x) {
    bool isThere = false;
    std::string text;
    (*this)(isThere, text);
    if (isThere)
      x = text;
  }
  void get(Owned &x) { getValue(x, /*mayBeList=*/true); }
  /// Nothing has less than a byte, so there is no more room taken than was received (times the
  /// size of a struct).
  template <typename T> void get(std::vector<T> &all) {
    uint32_t count = 0;
    get(count);
    if (count > rest.size())
      return wrong();
    for (uint32_t i = 0; i < count && fine; ++i)
      get(all.emplace_back());
  }
  /// Elements of lists are no lists.
  void getValue(Owned &x, bool mayBeList) {
    uint8_t kind = 0;
    uint32_t count = 0;
    int64_t integer = 0;
    (*this)(kind, integer, x.number, x.text, count);
    x.integer = integer;
    x.kind = Value::Kind(kind);
    bool isList = x.kind == Value::Kind::List;
    if (kind > uint8_t(Value::Kind::List) || x.kind == Value::Kind::Boolean ||
        (isList && !mayBeList) || (count && !isList) || count > rest.size())
      return wrong();
    for (uint32_t i = 0; i < count && fine; ++i)
      getValue(x.list.emplace_back(), /*mayBeList=*/false);
  }
  void wrong() {
    fine = false;
    rest = {};
  }

  std::string_view rest;
  bool fine = true;
};

template <typename T> std::string encoded(Message kind, const T &x) {
  Encoder e(kind);
  e(x);
  return e.finish();
}

template <typename T> std::optional<T> decoded(Message kind, std::string_view bytes) {
  Decoder d(bytes, kind);
  T x;
  d(x);
  return d.finish() ? std::optional(std::move(x)) : std::nullopt;
}
} // namespace

std::string encodeAsk() { return Encoder(Message::Ask).finish(); }
std::string encode(const Request &request) { return encoded(Message::Request, request); }
std::string encode(const Report &report) { return encoded(Message::Report, report); }
std::string encodeAnswer(const std::string &refusal) { return encoded(Message::Answer, refusal); }

bool isAsk(std::string_view bytes) { return Decoder(bytes, Message::Ask).finish(); }
std::optional<Request> decodeRequest(std::string_view bytes) {
  return decoded<Request>(Message::Request, bytes);
}
std::optional<Report> decodeReport(std::string_view bytes) {
  return decoded<Report>(Message::Report, bytes);
}
std::optional<std::string> decodeAnswer(std::string_view bytes) {
  return decoded<std::string>(Message::Answer, bytes);
}

} // namespace sluice::exchange
