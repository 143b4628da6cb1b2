//===- NativeModel.cpp - functions that a toolkit has in C++ -----------------===//
#include "frontend/modules/native/NativeModel.h"
#include "frontend/modules/Xml.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;
namespace path = llvm::sys::path;

/// A path of the model, which is relative to the model's directory.
static std::string resolved(StringRef directory, StringRef name) {
  llvm::SmallString<256> result(path::is_absolute(name) ? StringRef() : directory);
  path::append(result, name);
  path::remove_dots(result, /*remove_dot_dot=*/true);
  return result.str().str();
}

static std::string cppNamespace(StringRef ns) { return llvm::join(llvm::split(ns, '.'), "::"); }

NativeSet sluice::sema::nativeSet(StringRef toolkit, StringRef directory) {
  NativeSet set;
  set.toolkit = toolkit.str();
  set.includeDirs = {resolved(toolkit, "impl/include"), directory.str()};
  return set;
}

void sluice::sema::addLibraries(pugi::xml_node dependencies, StringRef directory, NativeSet &set) {
  for (pugi::xml_node library : dependencies.children())
    for (pugi::xml_node part : xmlChild(library, "managedLibrary").children()) {
      StringRef tag = xmlName(part), value = StringRef(part.text().get()).trim();
      if (value.empty())
        continue;
      if (tag == "lib")
        set.libraries.push_back(value.str());
      else if (tag == "libPath")
        set.libraryDirs.push_back(resolved(directory, value));
      else if (tag == "includePath")
        set.includeDirs.push_back(resolved(directory, value));
    }
}

static NativeSet readSet(pugi::xml_node node, StringRef directory, StringRef ns,
                         StringRef toolkit) {
  NativeSet set = nativeSet(toolkit, directory);
  set.header = xmlText(node, "headerFileName");
  pugi::xml_node cpp = xmlChild(node, "cppNamespaceName");
  set.ns = cpp ? xmlText(node, "cppNamespaceName") : cppNamespace(ns);
  addLibraries(xmlChild(node, "dependencies"), directory, set);
  return set;
}

/// Where the content of a text node stands in the XML. `<` of other nodes and the end of CDATA end
/// it.
static StringRef rawText(pugi::xml_node node, StringRef xml) {
  StringRef rest = xml.drop_front(node.offset_debug());
  return rest.take_front(rest.find(node.type() == pugi::node_cdata ? "]]>" : "<"));
}

/// Copies a prototype to where it stands. What XML spells `&lt;` and `&gt;` has blanks behind it.
static void copyPrototype(StringRef raw, bool isCdata, char *to) {
  for (; !raw.empty(); raw = raw.drop_front(), ++to) {
    *to = raw[0];
    for (auto [entity, c] : {std::pair("&lt;", '<'), std::pair("&gt;", '>')})
      if (!isCdata && raw.starts_with(entity)) {
        *to = c;
        raw = raw.drop_front(3);
        to += 3;
        break;
      }
  }
}

NativeModel sluice::sema::readNativeModel(StringRef xml, StringRef file, StringRef ns,
                                          StringRef toolkit) {
  NativeModel model;
  model.text.assign(xml.size(), ' ');
  for (size_t at = xml.find('\n'); at != StringRef::npos; at = xml.find('\n', at + 1))
    model.text[at] = '\n';
  pugi::xml_document document;
  if (auto result = document.load_buffer(xml.data(), xml.size()); !result) {
    model.problem = {result.description(), uint32_t(std::min<size_t>(result.offset, xml.size()))};
    return model;
  }
  for (pugi::xml_node node : document.document_element().children()) {
    if (xmlName(node) != "functionSet")
      continue;
    auto set = std::make_shared<NativeSet>(readSet(node, path::parent_path(file), ns, toolkit));
    for (pugi::xml_node function : xmlChild(node, "functions").children()) {
      pugi::xml_node prototype = xmlChild(function, "prototype");
      uint32_t begin = xml.size(), end = 0;
      for (pugi::xml_node part : prototype.children()) {
        StringRef raw = rawText(part, xml);
        uint32_t at = raw.data() - xml.data();
        copyPrototype(raw, part.type() == pugi::node_cdata, model.text.data() + at);
        begin = std::min(begin, at);
        end = std::max<uint32_t>(end, at + raw.size());
      }
      if (end == 0 || StringRef(model.text).slice(begin, end).trim().empty())
        continue;
      if (!StringRef(model.text).slice(begin, end).trim().ends_with(";"))
        model.text[end] = ';'; // the `<` or `]` behind it
      model.entries.push_back({begin, end, {set, xmlText(function, "cppName")}});
    }
  }
  return model;
}
