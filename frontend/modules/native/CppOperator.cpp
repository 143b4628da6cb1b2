//===- CppOperator.cpp - operators that a toolkit has in C++ -----------------===//
#include "frontend/modules/native/CppOperator.h"
#include "frontend/modules/Xml.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

/// Writes the declaration, line by line.
class Declaration {
public:
  Declaration(StringRef xml, CppOperatorModel &model) : xml(xml), model(model) {}

  void write(pugi::xml_node root, StringRef name) {
    pugi::xml_node cpp = xmlChild(root, "cppOperatorModel");
    line(cpp, "public operator " + name + " {");
    ports(xmlChild(cpp, "inputPorts"), /*isInput=*/true);
    ports(xmlChild(cpp, "outputPorts"), /*isInput=*/false);
    readLiterals(xmlChild(xmlChild(cpp, "context"), "customLiterals"));
    bool first = true;
    for (pugi::xml_node node : xmlChild(cpp, "parameters").children())
      if (xmlName(node) == "parameter") {
        line(node, std::string(first ? "  param " : "    ") + parameter(node) + ";");
        first = false;
      }
    bool batches = isTrue(xmlChild(cpp, "context"), "batches");
    line(cpp, std::string("  config handlers : none; code : native") +
                  (batches ? ", batches;" : ";") + " consistent : trigger;");
    line(cpp, "}");
  }

private:
  void line(pugi::xml_node from, const llvm::Twine &text) {
    model.declaration += text.str() + "\n";
    model.lines.push_back(1 +
                          xml.take_front(std::max<ptrdiff_t>(from.offset_debug(), 0)).count('\n'));
  }
  static bool isTrue(pugi::xml_node node, StringRef name) { return xmlText(node, name) == "true"; }

  void ports(pugi::xml_node all, bool isInput) {
    unsigned count = 0;
    for (pugi::xml_node set : all.children()) {
      bool isOpen = xmlName(set).ends_with("PortOpenSet");
      if (!isOpen && !xmlName(set).ends_with("PortSet"))
        continue;
      unsigned number = 1;
      StringRef(xmlText(set, "cardinality")).getAsInteger(10, number);
      for (unsigned i = 0; i < (isOpen ? 1 : number); ++i) {
        std::string text = count ? "         " : isInput ? "  input " : "  output ";
        text += (isInput ? "In" : "Out") + std::to_string(count++) + " : ";
        text += isOpen ? "open" : isTrue(set, "optional") ? "optional" : "one";
        line(set, text + ", " + (isInput ? inputMode(set) : outputMode(set)) + ";");
      }
    }
  }

  std::string inputMode(pugi::xml_node set) {
    if (std::string window = xmlText(set, "windowingMode");
        !window.empty() && window != "NonWindowed")
      model.refusal = "its ports have windows, which operators in C++ cannot have yet";
    std::string mode = llvm::StringSwitch<std::string>(xmlText(set, "windowPunctuationInputMode"))
                           .Case("Expecting", "expecting")
                           .Case("WindowBound", "windowBound")
                           .Default("oblivious");
    return isTrue(set, "controlPort") ? mode + ", control" : mode;
  }
  std::string outputMode(pugi::xml_node set) {
    return llvm::StringSwitch<std::string>(xmlText(set, "windowPunctuationOutputMode"))
        .Case("Generating", "generating")
        .Case("Preserving", "preserving")
        .Default("free");
  }

  /// Of parameters in mode CustomLiteral, whose type is the name of an enumeration.
  void readLiterals(pugi::xml_node all) {
    for (pugi::xml_node one : all.children()) {
      std::string &list = literals.emplace_back(xmlText(one, "name"), "").second;
      for (pugi::xml_node value : one.children())
        if (xmlName(value) == "value")
          list += (list.empty() ? "" : ", ") + StringRef(value.text().get()).trim().str();
    }
  }

  std::string parameter(pugi::xml_node node) {
    std::string type = xmlText(node, "type"), mode = xmlText(node, "expressionMode");
    std::string result = xmlText(node, "name") + " : ";
    if (mode == "CustomLiteral") {
      auto found = llvm::find_if(literals, [&](auto &entry) { return entry.first == type; });
      result += "literal{" + (found == literals.end() ? "" : found->second) + "}";
    } else {
      // Expressions are evaluated once, at the start.
      result += mode == "Attribute"  ? "attribute"
                : mode == "Constant" ? "constant"
                                     : "attributeFree";
      if (!type.empty())
        result += "<" + type + ">";
    }
    int most = 1;
    StringRef(xmlText(node, "cardinality")).getAsInteger(10, most);
    if (most != 1)
      result += ", many";
    if (!isTrue(node, "optional"))
      result += ", required";
    return result;
  }

  StringRef xml;
  CppOperatorModel &model;
  std::vector<std::pair<std::string, std::string>> literals;
};

} // namespace

CppOperatorModel sluice::sema::readCppOperator(StringRef xml, StringRef file, StringRef name,
                                               StringRef toolkit) {
  CppOperatorModel model;
  pugi::xml_document document;
  if (auto result = document.load_buffer(xml.data(), xml.size()); !result) {
    model.problem = {result.description(), uint32_t(std::min<size_t>(result.offset, xml.size()))};
    return model;
  }
  pugi::xml_node root = document.document_element();
  auto beside = [&](const llvm::Twine &ending) {
    llvm::SmallString<256> result(path::parent_path(file));
    path::append(result, name + ending);
    return result.str().str();
  };
  pugi::xml_node context = xmlChild(xmlChild(root, "cppOperatorModel"), "context");
  NativeSet set = nativeSet(toolkit, path::parent_path(file));
  addLibraries(xmlChild(context, "libraryDependencies"), path::parent_path(file), set);
  model.code = {std::make_shared<NativeSet>(std::move(set)), beside(".cpp"),
                bool(xmlChild(context, "stateless")) && xmlText(context, "stateless") != "false"};
  Declaration(xml, model).write(root, name);
  bool isHere = fs::exists(model.code.source);
  if (xmlChild(root, "javaOperatorModel"))
    model.refusal = "it is written in Java";
  else if (!isHere && fs::exists(beside("_cpp.cgt")))
    model.refusal =
        (name + "_cpp.cgt is a template of IBM's code generator; write the operator in " + name +
         ".cpp beside it (docs/native.md), or as a composite")
            .str();
  else if (!isHere)
    model.refusal = "`" + model.code.source + "` is not there";
  return model;
}
