//===- Path.h - paths of XMLParse -------------------------------*- C++ -*-===//
//
// The compiler reads paths and gives the runtime their parts: it has no text to parse.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::xml {

/// What a rule takes where its path matches. `Input`: nothing of the document, but an attribute of
/// the input.
enum class Take : uint32_t { Element, Text, Attribute, AllAttributes, Trigger, Input };

struct Path {
  std::vector<std::string> steps; // names of elements, the outermost first
  Take take = Take::Element;
  std::string name; // of the attribute
};

/// Where a path stands, which says what it may end in.
enum class Place {
  Trigger, // from the root of the document to an element; all others begin at one
  Value,   // text() or an attribute
  Map,     // an attribute, or all of them
  Element  // an element
};

/// The paths that `|` joins in one text, or what is wrong with it.
struct Paths {
  std::vector<Path> paths;
  std::string problem;
  size_t at = 0, size = 0; // the part of the text that is wrong
};

inline bool isNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
         static_cast<unsigned char>(c) >= 0x80;
}

inline bool isName(std::string_view text) {
  if (text.empty() || !isNameStart(text[0]))
    return false;
  for (char c : text)
    if (!isNameStart(c) && !(c >= '0' && c <= '9') && c != '-' && c != '.')
      return false;
  return true;
}

/// A name in the document as rules have it.
inline std::string_view localName(std::string_view name, bool ignoreNamespaces) {
  size_t colon = name.rfind(':');
  return ignoreNamespaces && colon != name.npos ? name.substr(colon + 1) : name;
}

namespace detail {
inline bool consume(std::string_view &text, std::string_view prefix) {
  if (!text.starts_with(prefix))
    return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// The last part of a path that does not end in an element; false: it is one.
inline bool takeEnd(std::string_view part, Path &path, bool ignoreNamespaces) {
  if (part == "text()") {
    path.take = Take::Text;
    return true;
  }
  if (!consume(part, "@") && !consume(part, "attribute::"))
    return false;
  path.take = part == "*" ? Take::AllAttributes : Take::Attribute;
  path.name = part == "*" ? "" : localName(part, ignoreNamespaces);
  return part == "*" || isName(part);
}

inline std::string endProblem(const Path &path, Place place) {
  bool isAttribute = path.take == Take::Attribute;
  switch (place) {
  case Place::Trigger:
  case Place::Element:
    return path.take == Take::Element ? "" : "it is the path of an element";
  case Place::Value:
    if (path.take == Take::AllAttributes)
      return "all attributes, `@*`, are a map";
    return path.take == Take::Text || isAttribute ? "" : "it ends in `text()` or `@NAME`";
  case Place::Map:
    return path.take == Take::AllAttributes || isAttribute ? "" : "it ends in `@*` or `@NAME`";
  }
  return "";
}

/// One path, without its slash at the front. Returns what is wrong with it.
/// `at` is then the part of the text that is wrong.
inline std::string parse(std::string_view text, Place place, bool ignoreNamespaces, Path &path,
                         std::string_view &at) {
  at = text;
  if (text.empty())
    return "a path is missing";
  if (text.front() == '/' || text.find("//") != text.npos) {
    at = text.substr(text.front() == '/' ? 0 : text.find("//"), text.front() == '/' ? 1 : 2);
    return "there is no `//` for elements at any depth";
  }
  if (text.back() == '/') {
    at = text.substr(text.size() - 1);
    return "it ends in `/`";
  }
  while (!text.empty()) {
    size_t slash = text.find('/');
    std::string_view part = at = text.substr(0, slash);
    bool isLast = slash == text.npos;
    text.remove_prefix(isLast ? text.size() : slash + 1);
    if (isLast && takeEnd(part, path, ignoreNamespaces))
      break;
    consume(part, "child::");
    if (!isLast && part.starts_with("@"))
      return "an attribute is the last part";
    if (!isName(part))
      return "`" + std::string(part) + "` is no name";
    path.steps.emplace_back(localName(part, ignoreNamespaces));
  }
  return endProblem(path, place);
}
} // namespace detail

inline Paths parsePaths(std::string_view text, Place place, bool ignoreNamespaces) {
  Paths result;
  const char *begin = text.data();
  for (bool more = true; more && result.problem.empty();) {
    size_t bar = text.find('|');
    std::string_view one = text.substr(0, bar);
    more = bar != text.npos;
    text.remove_prefix(more ? bar + 1 : text.size());
    std::string_view at = one;
    bool isAbsolute = detail::consume(one, "/");
    if (isAbsolute && place != Place::Trigger && !one.starts_with("/"))
      result.problem = "it begins at the element of the trigger, without `/`";
    else if (!isAbsolute && place == Place::Trigger)
      result.problem = "it begins with `/`, at the root of the document";
    else
      result.problem = detail::parse(one, place, ignoreNamespaces, result.paths.emplace_back(), at);
    result.at = at.data() - begin, result.size = at.size();
  }
  return result;
}

} // namespace sluice::xml
