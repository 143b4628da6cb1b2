//===- Elements.h - what a server of S3 answers -----------------*- C++ -*-===//
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace sluice::objectstorage {

/// An element of XML that has only a text.
struct Element {
  std::string name, text;
};

/// Those of a document, in their order; none, if it is no XML.
std::vector<Element> elementsOf(std::string_view document);
/// The text of the first one of that name, or "".
std::string textOf(std::string_view document, std::string_view name);
/// The text with &, < and > as XML writes them.
std::string escaped(std::string_view);

} // namespace sluice::objectstorage
