//===- Reader.cpp - JSON to values ----------------------------------------===//
#include "toolkits/json/native/Reader.h"
#include "toolkits/json/native/Checks.h"
#include "toolkits/json/native/Elements.h"
#include "toolkits/json/native/Scalars.h"
#include "value/Text.h"
#include <cmath>

namespace sluice::json {
namespace {

/// What has become of a part of the text.
enum class Took {
  Yes,
  No, // it is null, or of a type that is left out: the value is as it was
  Failed,
};

class Reader : Checks {
public:
  Reader(std::string_view text, Reading how, Arena &arena, Problem &problem)
      : Checks(text, arena, problem), how(how) {}
  bool run(const Plan &, void *value);

private:
  struct Parser {
    sj::parser parser;
    std::vector<char> padded; // the text; simdjson reads some bytes beyond it
  };
  static Parser &parserOfThread();

  Took value(sj::value, const Plan &, void *);
  Took object(sj::value, const Plan &, void *, bool anew);
  Took array(sj::value, const Plan &, void *);
  Took map(sj::value, const Plan &, void *);
  Took optional(sj::value, const Plan &, void *);
  Took string(sj::value, const Plan &, Str *);
  Took boolean(sj::value, void *);
  Took real(sj::value, const Plan &, void *);
  Took enumerator(sj::value, const Plan &, void *);
  template <typename T> Took integer(sj::value, const Plan &, void *);
  Took number(sj::value, const Plan &, void *);

  /// Of a value that another type than the wanted one has.
  Took other(sj::value, const char *wanted);
  bool find(sj::field &, const Plan &, size_t &next, const Member *&);

  /// Behind what has said why.
  static Took failed(bool) { return Took::Failed; }

  Reading how;
};

Reader::Parser &Reader::parserOfThread() {
  static thread_local Parser parser;
  return parser;
}

//===--- the text -------------------------------------------------------------===//

bool Reader::run(const Plan &plan, void *to) {
  Parser &p = parserOfThread();
  if (p.padded.size() < text.size() + simdjson::SIMDJSON_PADDING)
    p.padded.resize(2 * text.size() + simdjson::SIMDJSON_PADDING);
  if (!text.empty())
    memcpy(p.padded.data(), text.data(), text.size());
  // Behind the last token simdjson looks at what is there.
  memset(p.padded.data() + text.size(), 0, simdjson::SIMDJSON_PADDING);
  begin = p.padded.data();
  sj::document document;
  sj::value root;
  if (auto error = p.parser.iterate(begin, text.size(), p.padded.size()).get(document))
    return syntax(error);
  if (auto error = document.get_value().get(root)) {
    if (error != simdjson::SCALAR_DOCUMENT_AS_VALUE)
      return syntax(error);
    Fault fault = findFault(text);
    return bad(text.substr(fault.offset, 0), fault.status == ParseStatus::Parsed
                                                 ? "neither an object nor an array"
                                                 : std::string(textOf(fault.status)));
  }
  bool isTuple = plan.type->kind == Kind::Tuple;
  Took took = isTuple ? object(root, plan, to, /*anew=*/false) : value(root, plan, to);
  if (took == Took::No) // of another type than the whole text
    return bad(text.substr(0, 0), isTuple ? "an object is expected" : "an array is expected");
  if (took == Took::Failed)
    return false;
  if (!document.current_location().error()) // it does not stand at the end
    return syntax(simdjson::TRAILING_CONTENT);
  return true;
}

/// A string as a value of the type: a view, with no more than its bound.
static Str bounded(const TypeDesc *type, std::string_view text) {
  bool isLong = type->bound && text.size() > type->bound;
  return strView(text.data(), isLong ? type->bound : text.size());
}

Took Reader::string(sj::value value, const Plan &plan, Str *to) {
  std::string_view here = token(value), result;
  char first = here.empty() ? 0 : here.front();
  if (first == '"') {
    if (!unescaped(value, here, result))
      return Took::Failed;
  } else if (how == Reading::Match || first == 'n') {
    return other(value, "a string");
  } else {
    bool isNested = first == '{' || first == '[';
    if (!check(value))
      return Took::Failed;
    const char *next;
    if (isNested && !value.current_location().get(next)) // behind it, and blanks
      here = trimmed({here.data(), size_t(next - here.data())});
    result = origin(here);
  }
  *to = bounded(plan.type, result);
  return Took::Yes;
}

//===--- scalars --------------------------------------------------------------===//

Took Reader::other(sj::value value, const char *wanted) {
  std::string_view here = token(value);
  if (here == "null" || how == Reading::Match)
    return check(value) ? Took::No : Took::Failed;
  if (!check(value)) // what it is matters less than that it is none
    return Took::Failed;
  return failed(bad(here, std::string(wanted) + " is expected"));
}

template <typename T> Took Reader::integer(sj::value value, const Plan &plan, void *to) {
  std::conditional_t<std::is_same_v<T, uint64_t>, uint64_t, int64_t> n;
  simdjson::error_code error;
  if constexpr (std::is_same_v<T, uint64_t>)
    error = value.get_uint64().get(n);
  else
    error = value.get_int64().get(n);
  if (__builtin_expect(error != 0, 0))
    return number(value, plan, to);
  if (n < std::numeric_limits<T>::min() || n > std::numeric_limits<T>::max())
    return failed(bad(token(value), outOfRange(plan.type->kind)));
  store(to, T(n));
  return Took::Yes;
}

/// Any number, by its text.
Took Reader::number(sj::value value, const Plan &plan, void *to) {
  std::string_view here = token(value), text = here;
  char first = here.empty() ? 0 : here.front();
  bool isString = first == '"';
  bool isNumber = first == '-' || (first >= '0' && first <= '9');
  if (!isNumber && !(isString && how == Reading::Convert))
    return other(value, "a number");
  if (isString && !unescaped(value, text))
    return Took::Failed;
  if (findFault(text).status != ParseStatus::Parsed)
    return failed(isNumber ? syntax(simdjson::NUMBER_ERROR, here)
                           : bad(here, "a number is expected"));
  switch (readNumber(text, plan.type->kind, to)) {
  case NumberIs::Good:
    return Took::Yes;
  case NumberIs::OutOfRange:
    return failed(bad(here, outOfRange(plan.type->kind)));
  case NumberIs::None:
    break;
  }
  return failed(bad(here, "a number is expected"));
}

Took Reader::boolean(sj::value value, void *to) {
  bool flag;
  if (!value.get_bool().get(flag)) {
    store(to, uint8_t(flag));
    return Took::Yes;
  }
  std::string_view here = token(value), text;
  if (how == Reading::Match || here.empty() || here.front() != '"')
    return other(value, "true or false");
  if (!unescaped(value, text))
    return Took::Failed;
  store(to, uint8_t(text.size() == 4 && (text[0] | 32) == 't' && (text[1] | 32) == 'r' &&
                    (text[2] | 32) == 'u' && (text[3] | 32) == 'e'));
  return Took::Yes;
}

Took Reader::real(sj::value value, const Plan &plan, void *to) {
  double d;
  if (value.get_double().get(d))
    return number(value, plan, to);
  if (plan.type->kind == Kind::Float64) {
    store(to, d);
    return Took::Yes;
  }
  if (std::isinf(float(d)))
    return failed(bad(token(value), outOfRange(plan.type->kind)));
  store(to, float(d));
  return Took::Yes;
}

Took Reader::enumerator(sj::value value, const Plan &plan, void *to) {
  std::string_view here = token(value), text;
  if (here.empty() || here.front() != '"')
    return other(value, "a string");
  if (!unescaped(value, text))
    return Took::Failed;
  for (uint32_t i = 0; i < plan.type->count; ++i)
    if (text == plan.type->names[i]) {
      store(to, i);
      return Took::Yes;
    }
  return how == Reading::Match ? Took::No
                               : failed(bad(here, "a member of the enumeration is expected"));
}

//===--- composites -----------------------------------------------------------===//

/// The member that the field is of, or null: in most texts the one behind that found last.
bool Reader::find(sj::field &field, const Plan &plan, size_t &next, const Member *&found) {
  const char *key = field.key().raw();
  size_t most = size_t(begin + text.size() - key), count = plan.members.size();
  for (size_t tried = 0; tried < count; ++tried) {
    found = &plan.members[next];
    next = next + 1 == count ? 0 : next + 1;
    if (found->isAt(key, most))
      return true;
  }
  std::string_view plain;
  found = nullptr;
  if (!unescapedKey(field, plain))
    return false;
  for (const Member &member : plan.members)
    if (member.name() == plain)
      found = &member;
  return true;
}

Took Reader::object(sj::value value, const Plan &plan, void *to, bool anew) {
  sj::object object;
  if (value.get_object().get(object))
    return other(value, "an object");
  Nested nested(depth);
  if (anew)
    memset(to, 0, plan.type->size);
  size_t next = 0;
  for (auto each : object) {
    sj::field field;
    const Member *member;
    if (auto error = std::move(each).get(field))
      return failed(syntax(error));
    if (!find(field, plan, next, member))
      return Took::Failed;
    bool isRead = member && member->plan.isRead;
    if (isRead ? this->value(field.value(), member->plan,
                             static_cast<char *>(to) + member->offset) != Took::Failed
               : check(field.value()))
      continue;
    if (isRead && problem.member.empty())
      problem.member = member->name();
    return Took::Failed;
  }
  return Took::Yes;
}

Took Reader::array(sj::value value, const Plan &plan, void *to) {
  sj::array array;
  if (value.get_array().get(array))
    return other(value, "an array");
  Nested nested(depth);
  Elements elements(arena, plan.type->stride);
  for (auto each : array) {
    sj::value element;
    if (auto error = std::move(each).get(element))
      return failed(syntax(error));
    switch (this->value(element, *plan.inner, elements.next())) {
    case Took::Yes:
      break;
    case Took::No:
      elements.drop();
      break;
    case Took::Failed:
      return Took::Failed;
    }
  }
  *static_cast<Seq *>(to) = elements.collect(plan.type);
  return Took::Yes;
}

Took Reader::map(sj::value value, const Plan &plan, void *to) {
  sj::object object;
  if (value.get_object().get(object))
    return other(value, "an object");
  Nested nested(depth);
  Elements entries(arena, plan.type->stride);
  for (auto each : object) {
    sj::field field;
    std::string_view key;
    if (auto error = std::move(each).get(field))
      return failed(syntax(error));
    if (!unescapedKey(field, key))
      return Took::Failed;
    char *entry = entries.next();
    auto *name = reinterpret_cast<Str *>(entry);
    *name = bounded(plan.type->elem, key);
    switch (this->value(field.value(), *plan.inner, entry + plan.type->valueOffset)) {
    case Took::Yes:
      break;
    case Took::No:
      entries.drop();
      break;
    case Took::Failed:
      return Took::Failed;
    }
  }
  *static_cast<Seq *>(to) = entries.collect(plan.type);
  return Took::Yes;
}

Took Reader::optional(sj::value value, const Plan &plan, void *to) {
  if (token(value) == "null") {
    if (!check(value))
      return Took::Failed;
    memset(to, 0, plan.type->size);
    return Took::Yes;
  }
  const Field &field = plan.type->fields[1];
  auto *inner = static_cast<char *>(to) + field.offset;
  if (!load<uint8_t>(to))
    memset(to, 0, plan.type->size);
  Took took = this->value(value, *plan.inner, inner);
  if (took == Took::Yes)
    store(to, uint8_t(1));
  return took;
}

Took Reader::value(sj::value value, const Plan &plan, void *to) {
  switch (plan.type->kind) {
  case Kind::Boolean:
    return boolean(value, to);
  case Kind::Int8:
    return integer<int8_t>(value, plan, to);
  case Kind::Int16:
    return integer<int16_t>(value, plan, to);
  case Kind::Int32:
    return integer<int32_t>(value, plan, to);
  case Kind::Int64:
    return integer<int64_t>(value, plan, to);
  case Kind::UInt8:
    return integer<uint8_t>(value, plan, to);
  case Kind::UInt16:
    return integer<uint16_t>(value, plan, to);
  case Kind::UInt32:
    return integer<uint32_t>(value, plan, to);
  case Kind::UInt64:
    return integer<uint64_t>(value, plan, to);
  case Kind::RString:
  case Kind::UString:
    return string(value, plan, static_cast<Str *>(to));
  case Kind::List:
  case Kind::Set:
    return array(value, plan, to);
  case Kind::Map:
    return map(value, plan, to);
  case Kind::Tuple:
    return object(value, plan, to, /*anew=*/how == Reading::Convert);
  case Kind::Optional:
    return optional(value, plan, to);
  case Kind::Float32:
  case Kind::Float64:
    return real(value, plan, to);
  case Kind::Decimal32:
  case Kind::Decimal64:
  case Kind::Decimal128:
  case Kind::Timestamp:
    return number(value, plan, to);
  case Kind::Enum:
    return enumerator(value, plan, to);
  case Kind::Blob:
  case Kind::Complex32:
  case Kind::Complex64:
  case Kind::Xml: // a plan says that it is not read
    break;
  }
  __builtin_unreachable();
}

} // namespace

bool read(std::string_view text, const Plan &plan, Reading how, Arena &arena, void *value,
          Problem &problem) {
  return Reader(text, how, arena, problem).run(plan, value);
}

} // namespace sluice::json
