//===- Rules.cpp - rules of spl.XML::XMLParse -----------------------------===//
#include "frontend/sema/graph/OperatorRules.h"
#include "stdlib/operators/XMLParse/Path.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;
using typed::Expr;

namespace {
/// Checks one invocation.
class XmlRules {
public:
  explicit XmlRules(OperatorRules &rules)
      : rules(rules), flatten(rules.literalOf("flatten", "none")),
        attributesName(rules.literalOf("attributesName", "_attrs")),
        textName(rules.literalOf("textName", "_text")), flatNames(flag("ignoreNamespaces")),
        mapType(rules.types.map(rules.types.get(SplType::RString),
                                rules.types.get(SplType::RString))) {}

  void run() {
    input();
    triggers();
    for (unsigned port = 0; port < rules.op.outputs.size(); ++port)
      for (auto [value, attribute] :
           llvm::zip(rules.op.outputs[port].values, rules.outputType(port)->attributes))
        if (llvm::isa<typed::SuppliedExpr>(*value))
          supplied(attribute.first, attribute.second, rules.outputRange(port));
        else
          assigned(*value, attribute.first);
  }

private:
  bool flag(StringRef param) const {
    const typed::Parameter *p = rules.op.param(param);
    return p && llvm::cast<typed::ConstExpr>(*p->values.front()).integer();
  }

  void input();
  void triggers();
  xml::Paths paths(const Expr &path, const typed::OutputFnExpr &call, xml::Place);
  void assigned(const Expr &value, StringRef attribute);
  void calls(const Expr &value, StringRef attribute);
  void call(const Expr &value, const typed::OutputFnExpr &, StringRef attribute);
  void elements(const typed::OutputFnExpr &, StringRef attribute);
  void tuple(const Expr &value, const typed::OutputFnExpr &);
  void supplied(StringRef attribute, Type, Range);
  void badType(StringRef attribute, Type type, Range range) {
    rules.report(range, Diag::err_xml_type, attribute, type->str());
  }

  OperatorRules &rules;
  StringRef flatten, attributesName, textName;
  bool flatNames;
  Type mapType;
};
} // namespace

//===--- ports and triggers -------------------------------------------------===//

void XmlRules::input() {
  const auto &attributes = rules.inputs.front().type->attributes;
  const typed::Parameter *given = rules.op.param("xmlInput");
  if (!given && attributes.size() != 1)
    return rules.error(Diag::err_operator_param, "xmlInput", rules.inputs.front().name);
  Type type = attributes.front().second;
  if (given)
    type = rules.inputs.front().type->attribute(
        llvm::cast<typed::ConstExpr>(*given->values.front()).text());
  if (type->isString() || type->kind == SplType::Blob || type->kind == SplType::Xml)
    return;
  Range range = given ? given->values.front()->range : rules.inputs.front().range;
  rules.report(range, Diag::err_xml_input, type->str());
}

void XmlRules::triggers() {
  const typed::Parameter &param = *rules.op.param("trigger");
  if (param.values.size() != rules.op.outputs.size())
    return rules.report(param.range, Diag::err_xml_triggers, param.values.size(),
                        rules.op.outputs.size());
  for (const typed::ExprPtr &value : param.values) {
    auto &text = llvm::cast<typed::ConstExpr>(*value);
    xml::Paths found =
        xml::parsePaths(std::string_view(text.text()), xml::Place::Trigger, flatNames);
    if (!found.problem.empty())
      rules.report(rules.partOf(text, found.at, found.size), Diag::err_xml_trigger, text.text(),
                   found.problem);
  }
}

//===--- assignments --------------------------------------------------------===//

/// A call of an output function that stands for something in the document, or null.
static const typed::OutputFnExpr *pathCall(const Expr &e) {
  auto *call = llvm::dyn_cast<typed::OutputFnExpr>(&e);
  return call && !call->proto->facts.isIdentity ? call : nullptr;
}

/// The same under a cast of a text that is taken out: the operator makes the value of that type.
static const typed::OutputFnExpr *castCall(const Expr &e) {
  auto *cast = llvm::dyn_cast<typed::CastExpr>(&e);
  auto *call = pathCall(cast ? *cast->operand : e);
  return cast && call && call->args.size() > 1 ? nullptr : call;
}

/// The argument of AsIs, or the value itself.
static const Expr &withoutAsIs(const Expr &e) {
  auto *call = llvm::dyn_cast<typed::OutputFnExpr>(&e);
  return call && call->proto->facts.isIdentity ? withoutAsIs(*call->args.front()) : e;
}

void XmlRules::assigned(const Expr &whole, StringRef attribute) {
  const Expr &value = withoutAsIs(whole);
  calls(value, attribute);
  StringRef other; // what the part behind the operator does not have
  anyExpr(value, [&](const Expr &e) {
    auto *read = llvm::dyn_cast<typed::VarExpr>(&e);
    if (read && read->var->kind == typed::Variable::State)
      other = "state";
    else if (llvm::isa<typed::HistoryExpr>(e))
      other = "stream history (`Port[k]`)";
    return false;
  });
  if (!other.empty())
    rules.notYet(value.range,
                 ("assignments of `" + rules.op.kind + "` that depend on " + other).str());
}

/// The calls of output functions in a value.
void XmlRules::calls(const Expr &value, StringRef attribute) {
  if (const typed::OutputFnExpr *found = castCall(value))
    call(value, *found, attribute);
  else
    forEachOperand(value, [&](const Expr &part) { calls(part, attribute); });
}

xml::Paths XmlRules::paths(const Expr &path, const typed::OutputFnExpr &call, xml::Place place) {
  auto *text = llvm::dyn_cast<typed::ConstExpr>(&path);
  if (!text) {
    rules.report(path.range, Diag::err_xml_literal, call.proto->name);
    return {};
  }
  xml::Paths result = xml::parsePaths(std::string_view(text->text()), place, flatNames);
  if (!result.problem.empty())
    rules.report(rules.partOf(*text, result.at, result.size), Diag::err_xml_path, text->text(),
                 call.proto->name, result.problem);
  return result;
}

/// Whether a text of a document becomes such a value.
static bool isOfText(Type type) {
  return type->isString() || type->isNumeric() || type->kind == SplType::Boolean ||
         type->kind == SplType::Enum || type->kind == SplType::Timestamp;
}

/// `value` is the call, maybe under a cast.
void XmlRules::call(const Expr &value, const typed::OutputFnExpr &call, StringRef attribute) {
  if (call.args.size() == 2)
    return elements(call, attribute);
  bool isMap = call.type->kind == SplType::Map;
  Type type = value.type;
  if (call.type->kind == SplType::List && type->kind == SplType::List)
    type = type->args.front();
  if (isMap ? type != mapType : !isOfText(type))
    badType(attribute, value.type, value.range);
  paths(*call.args[0], call, isMap ? xml::Place::Map : xml::Place::Value);
}

/// A call with an expression for the elements at the path.
void XmlRules::elements(const typed::OutputFnExpr &call, StringRef attribute) {
  paths(*call.args[0], call, xml::Place::Element);
  const Expr &each = *call.args[1];
  if (each.type->kind == SplType::Tuple)
    return tuple(each, call);
  const typed::OutputFnExpr *inner = castCall(each);
  if (!inner)
    rules.report(each.range, Diag::err_xml_element, call.proto->name);
  else if (each.type->kind == SplType::Map)
    badType(attribute, call.type, each.range);
  else
    this->call(each, *inner, attribute);
}

void XmlRules::tuple(const Expr &value, const typed::OutputFnExpr &outer) {
  auto *literal = llvm::dyn_cast<typed::AggregateExpr>(&value);
  if (!literal)
    return rules.report(value.range, Diag::err_xml_element, outer.proto->name);
  for (auto [element, attribute] : llvm::zip(literal->elements, value.type->attributes))
    if (const typed::OutputFnExpr *inner = castCall(*element))
      call(*element, *inner, attribute.first);
    else
      rules.report(element->range, Diag::err_xml_element, outer.proto->name);
}

//===--- without an assignment ----------------------------------------------===//

void XmlRules::supplied(StringRef attribute, Type type, Range range) {
  Type each = type->kind == SplType::List ? type->args.front() : type;
  if (each->kind == SplType::Tuple) {
    for (const auto &[name, inner] : each->attributes)
      supplied(name, inner, range);
    return;
  }
  bool isFree = each->isString() || (each->isNumeric() && !each->isComplex());
  StringRef name = attribute;
  name.consume_front(rules.literalOf("ignorePrefix", ""));
  if (flatten != "attributes" && name == attributesName)
    isFree = false;
  else if (flatten != "elements" && name == textName)
    isFree &= each == type;
  bool mayBeMap = flatten != "elements" || name == attributesName;
  if (!isFree && !(type == mapType && mayBeMap))
    badType(attribute, type, range);
}

void sema::xmlParseRules(OperatorRules &rules) { XmlRules(rules).run(); }
