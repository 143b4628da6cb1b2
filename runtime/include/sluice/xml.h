//===- xml.h - whether a text is a well-formed XML document -----*- C++ -*-===//
//
// The compiler checks literals, the runtime all other documents. Expat reads them. It is loaded
// when it is first needed, as programs for other targets link without that target's copy of it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <dlfcn.h>
#include <optional>
#include <string>
#include <string_view>

namespace sluice {

/// Functions of libexpat.so.1, as expat.h declares them.
struct Expat {
  void *(*create)(const char *encoding);
  int (*parse)(void *parser, const char *text, int size, int isFinal);
  int (*error)(void *parser);
  const char *(*text)(int error);
  unsigned long (*line)(void *parser);
  unsigned long (*column)(void *parser);
  void (*destroy)(void *parser);
  bool isThere;

  Expat() : isThere(true) {
    void *library = dlopen("libexpat.so.1", RTLD_NOW | RTLD_LOCAL);
    find(library, "XML_ParserCreate", create);
    find(library, "XML_Parse", parse);
    find(library, "XML_GetErrorCode", error);
    find(library, "XML_ErrorString", text);
    find(library, "XML_GetCurrentLineNumber", line);
    find(library, "XML_GetCurrentColumnNumber", column);
    find(library, "XML_ParserFree", destroy);
  }

  /// What the parser has found wrong, and where.
  std::string problem(void *parser) const {
    return std::string(text(error(parser))) + " at line " + std::to_string(line(parser)) +
           ", column " + std::to_string(column(parser) + 1);
  }

protected:
  template <typename F> void find(void *library, const char *name, F &function) {
    function = library ? reinterpret_cast<F>(dlsym(library, name)) : nullptr;
    isThere &= function != nullptr;
  }
};

/// What is wrong with a text that is no well-formed document in UTF-8, and where; nothing if it is
/// one, or empty: that is the default value.
inline std::optional<std::string> xmlProblem(std::string_view text) {
  if (text.empty())
    return std::nullopt;
  static const Expat expat;
  if (!expat.isThere)
    return "checking XML needs libexpat.so.1, which this system does not have (install Debian's "
           "package libexpat1)";
  void *parser = expat.create("UTF-8");
  std::optional<std::string> problem;
  constexpr size_t kPart = 1 << 30;
  for (size_t at = 0; at < text.size() && !problem; at += kPart) {
    std::string_view part = text.substr(at, kPart);
    if (!expat.parse(parser, part.data(), int(part.size()), at + kPart >= text.size()))
      problem = expat.problem(parser);
  }
  expat.destroy(parser);
  return problem;
}

} // namespace sluice
