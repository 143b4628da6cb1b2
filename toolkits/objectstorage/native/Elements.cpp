//===- Elements.cpp - what a server of S3 answers -------------------------===//
#include "toolkits/objectstorage/native/Elements.h"
#include "stdlib/native/xml/Reader.h"

namespace sluice::objectstorage {
namespace {

struct Leaves : xml::Events {
  void begin(const char *name, const char *const *) override {
    open = name;
    text_.clear();
  }
  void text(std::string_view part) override { text_ += part; }
  bool end() override {
    if (!open.empty())
      all.push_back({std::move(open), std::move(text_)});
    open.clear();
    text_.clear();
    return true;
  }
  bool document() override { return true; }

  std::string open, text_; // the element that has begun, if none in it has
  std::vector<Element> all;
};

} // namespace

std::vector<Element> elementsOf(std::string_view document) {
  Leaves leaves;
  xml::Reader reader(leaves, /*isUtf8=*/true);
  return reader.read(document) ? std::move(leaves.all) : std::vector<Element>();
}

std::string textOf(std::string_view document, std::string_view name) {
  for (Element &element : elementsOf(document))
    if (element.name == name)
      return std::move(element.text);
  return "";
}

std::string escaped(std::string_view text) {
  std::string result;
  for (char c : text)
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else
      result += c;
  return result;
}

} // namespace sluice::objectstorage
