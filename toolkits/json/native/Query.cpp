//===- Query.cpp - a value of a text, by its path -------------------------===//
#include "toolkits/json/native/Query.h"
#include "toolkits/json/native/Elements.h"
#include "toolkits/json/native/Scalars.h"
#include "value/Text.h"
#include <charconv>

namespace sluice::json {

namespace dom = simdjson::dom;

//===--- paths ----------------------------------------------------------------===//

/// A name of a path without its escapes, ~0 and ~1.
static bool unescape(std::string_view part, std::string &name) {
  name.clear();
  for (size_t at = 0; at < part.size(); ++at) {
    if (part[at] != '~') {
      name += part[at];
      continue;
    }
    if (++at == part.size() || (part[at] != '0' && part[at] != '1'))
      return false;
    name += part[at] == '0' ? '~' : '/';
  }
  return true;
}

static QueryStatus step(dom::element &at, const std::string &name) {
  dom::object object;
  dom::array array;
  dom::element next;
  if (!at.get_object().get(object)) {
    if (object.at_key(name).get(next))
      return QueryStatus::NotFound;
  } else if (!at.get_array().get(array)) {
    size_t index = 0;
    auto [last, error] = std::from_chars(name.data(), name.data() + name.size(), index);
    bool isIndex = error == std::errc() && last == name.data() + name.size() &&
                   (name == "0" || name.front() != '0');
    if (!isIndex || array.at(index).get(next))
      return QueryStatus::NotFound;
  } else {
    return QueryStatus::NotFound;
  }
  at = next;
  return QueryStatus::Found;
}

static QueryStatus follow(dom::element &at, std::string_view path) {
  std::string name;
  QueryStatus status = QueryStatus::Found;
  while (!path.empty()) {
    if (path.front() != '/')
      return QueryStatus::PathMustBeginWithSlash;
    path.remove_prefix(1);
    std::string_view part = path.substr(0, path.find('/'));
    path.remove_prefix(part.size());
    if (!unescape(part, name))
      return QueryStatus::InvalidEscape;
    if (status == QueryStatus::Found) // else the rest of the path is looked at only
      status = step(at, name);
  }
  return status;
}

//===--- values ---------------------------------------------------------------===//

namespace {
class Converter {
public:
  explicit Converter(Arena &arena) : arena(arena) {}
  QueryStatus value(dom::element, const TypeDesc *, void *to);

private:
  QueryStatus boolean(dom::element, void *to);
  QueryStatus number(dom::element, const TypeDesc *, void *to);
  QueryStatus string(dom::element, const TypeDesc *, void *to);

  Arena &arena;
};
} // namespace

/// A number, as JSON writes it.
static void print(dom::element element, TextOut &out) {
  int64_t integer;
  uint64_t natural;
  double real;
  out.floats = FloatText::Shortest;
  if (!element.get_int64().get(integer))
    printInteger(out, integer);
  else if (!element.get_uint64().get(natural))
    printInteger(out, natural);
  else if (!element.get_double().get(real))
    printFloat(out, real);
}

QueryStatus Converter::boolean(dom::element element, void *to) {
  bool flag;
  std::string_view text;
  if (!element.get_bool().get(flag)) {
    store(to, uint8_t(flag));
    return QueryStatus::Found;
  }
  if (element.get_string().get(text))
    return QueryStatus::FoundWrongType;
  bool isTrue = text == "true" || text == "1";
  if (!isTrue && text != "false" && text != "0")
    return QueryStatus::FoundWrongType;
  store(to, uint8_t(isTrue));
  return QueryStatus::FoundCast;
}

QueryStatus Converter::number(dom::element element, const TypeDesc *type, void *to) {
  std::string_view text;
  TextOut printed(&arena);
  bool isString = !element.get_string().get(text);
  if (!isString) {
    if (!element.is_number())
      return QueryStatus::FoundWrongType;
    print(element, printed);
    text = printed.view();
  } else if (text.find_first_not_of("0123456789+-.eE") != text.npos) {
    return QueryStatus::FoundWrongType;
  }
  if (readNumber(text, type->kind, to) != NumberIs::Good)
    return QueryStatus::FoundWrongType;
  return isString ? QueryStatus::FoundCast : QueryStatus::Found;
}

QueryStatus Converter::string(dom::element element, const TypeDesc *type, void *to) {
  std::string_view text;
  bool flag;
  TextOut printed;
  QueryStatus status = QueryStatus::FoundCast;
  if (!element.get_string().get(text)) {
    status = QueryStatus::Found;
  } else if (!element.get_bool().get(flag)) {
    text = flag ? "true" : "false";
  } else if (element.is_number()) {
    print(element, printed);
    text = printed.view();
  } else {
    return QueryStatus::FoundWrongType;
  }
  auto *copy = static_cast<char *>(arenaAlloc(&arena, text.size(), 1));
  memcpy(copy, text.data(), text.size());
  auto *result = static_cast<Str *>(to);
  *result = strView(copy, text.size());
  textValue(type, result, arena); // its bound
  return status;
}

QueryStatus Converter::value(dom::element element, const TypeDesc *type, void *to) {
  if (element.is_null())
    return QueryStatus::FoundNull;
  if (type->kind == Kind::Boolean)
    return boolean(element, to);
  if (type->kind == Kind::RString || type->kind == Kind::UString)
    return string(element, type, to);
  using namespace type_class;
  return isIn(type->kind, Integral | Float | Decimal) ? number(element, type, to)
                                                      : QueryStatus::FoundWrongType;
}

QueryResult query(dom::element at, std::string_view path, const TypeDesc *type, Arena &arena,
                  void *to) {
  QueryStatus status = follow(at, path);
  if (status != QueryStatus::Found)
    return {status, false};
  Converter converter(arena);
  dom::array array;
  if (type->kind != Kind::List || at.get_array().get(array)) {
    status = converter.value(at, type, to);
    return {status, status == QueryStatus::Found || status == QueryStatus::FoundCast};
  }
  Elements elements(arena, type->stride);
  for (dom::element each : array) {
    QueryStatus one = converter.value(each, type->elem, elements.next());
    if (one != QueryStatus::Found)
      elements.drop();
    status = std::max(status, one);
  }
  *static_cast<Seq *>(to) = elements.collect(type);
  return {status, true};
}

} // namespace sluice::json
