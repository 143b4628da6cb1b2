//===- Xml.h - reading the models of toolkits -------------------*- C++ -*-===//
//
// Whatever prefixes the namespaces of XML have: nodes are found by what stands behind them.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "llvm/ADT/StringRef.h"
#include <pugixml.hpp>
#include <string>

namespace sluice::sema {

/// The name of a node without its prefix.
inline llvm::StringRef xmlName(pugi::xml_node node) {
  llvm::StringRef tag = node.name();
  return tag.substr(tag.find(':') + 1);
}

/// The first child of that name, or an empty node.
inline pugi::xml_node xmlChild(pugi::xml_node node, llvm::StringRef name) {
  return node.find_child([&](pugi::xml_node other) { return xmlName(other) == name; });
}

/// The text of that child without blanks around it; empty if it is not there.
inline std::string xmlText(pugi::xml_node node, llvm::StringRef name) {
  return llvm::StringRef(xmlChild(node, name).text().get()).trim().str();
}

} // namespace sluice::sema
