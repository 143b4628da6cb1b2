//===- PlanExpand.cpp - what an XMLParse takes out of documents -----------===//
#include "stdlib/operators/XMLParse/PlanExpand.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::xml;
using namespace sluice::stream;

StringRef xml::textOf(Value value) {
  return cast<StringAttr>(cast<spl::ConstOp>(value.getDefiningOp()).getValueAttr()).getValue();
}

spl::OutputFnOp xml::callOf(Value value) {
  auto cast = value.getDefiningOp<spl::CastOp>();
  auto call = (cast ? cast.getOperand() : value).getDefiningOp<spl::OutputFnOp>();
  return cast && call && call.getArgs().size() > 1 ? spl::OutputFnOp() : call;
}

/// The word of a parameter, if it is given.
static std::string given(OperatorOp op, StringRef param, StringRef otherwise) {
  return (op.param(param) ? literalOf(op, param) : otherwise).str();
}

Plan::Plan(OperatorOp op)
    : op(op), flatten(literalOf(op, "flatten")), ignorePrefix(literalOf(op, "ignorePrefix")),
      attributesName(given(op, "attributesName", "_attrs")),
      textName(given(op, "textName", "_text")), flatNames(flagOf(op, "ignoreNamespaces", false)) {
  for (auto [port, value] : llvm::enumerate(yieldOf(*op.param("trigger")).getValues())) {
    std::vector<Steps> &steps = triggers.emplace_back();
    for (Path &path : parsePaths(textOf(value).str(), Place::Trigger, flatNames).paths)
      steps.push_back(std::move(path.steps));
    add(port, {}, steps, "", Take::Trigger);
  }
}

void Plan::add(unsigned port, const Position &at, ArrayRef<Steps> bases, StringRef below, Take take,
               StringRef name) {
  for (const Steps &base : bases) {
    rules.push_back({port, at, base, take, name.str()});
    if (!below.empty())
      rules.back().steps.push_back(below.str());
  }
}

static Plan::Position inside(Plan::Position at, uint32_t index) {
  at.push_back(index);
  return at;
}

//===--- output functions ---------------------------------------------------===//

void Plan::assigned(unsigned port, const Position &at, Value value) {
  assigned(port, at, value, triggers[port]);
}

void Plan::assigned(unsigned port, const Position &at, Value value, ArrayRef<Steps> bases) {
  spl::OutputFnOp call = callOf(value);
  bool hasElements = call.getArgs().size() == 2;
  Place place = hasElements                         ? Place::Element
                : isa<spl::MapType>(call.getType()) ? Place::Map
                                                    : Place::Value;
  std::vector<Steps> ends;
  for (const Path &path : parsePaths(textOf(call.getArgs()[0]).str(), place, flatNames).paths)
    for (Steps steps : bases) {
      steps.insert(steps.end(), path.steps.begin(), path.steps.end());
      add(port, at, steps, "", path.take, path.name);
      ends.push_back(std::move(steps));
    }
  if (!hasElements)
    return;
  Value each = call.getArgs()[1];
  Position eachAt = isa<spl::ListType>(call.getType()) ? inside(at, 0) : at;
  auto tuple = each.getDefiningOp<spl::MakeTupleOp>();
  if (!tuple)
    return assigned(port, eachAt, each, ends);
  for (auto [index, part] : llvm::enumerate(tuple.getValues()))
    assigned(port, inside(eachAt, index), part, ends);
}

void Plan::copied(unsigned port, const Position &at, StringRef name) {
  add(port, at, Steps(), "", Take::Input, name);
}

//===--- by the names of attributes -----------------------------------------===//

void Plan::supplied(unsigned port, const Position &at, StringRef name, mlir::Type type) {
  supplied(port, at, name, type, triggers[port]);
}

/// The name in the document of an attribute in SPL.
static std::string nameInDocument(StringRef name, bool flatNames) {
  std::string result = name.str();
  for (size_t at = 0; (at = result.find("_0x3a_", at)) != result.npos; ++at)
    result.replace(at, 6, ":");
  return std::string(localName(result, flatNames));
}

void Plan::supplied(unsigned port, const Position &at, StringRef attribute, mlir::Type type,
                    ArrayRef<Steps> bases) {
  attribute.consume_front(ignorePrefix);
  std::string name = nameInDocument(attribute, flatNames);
  auto list = dyn_cast<spl::ListType>(type);
  if (auto tuple = dyn_cast<spl::TupleType>(list ? list.getElement() : type)) {
    add(port, at, bases, name, Take::Element);
    std::vector<Steps> below(bases.begin(), bases.end());
    for (Steps &steps : below)
      steps.push_back(name);
    Position each = list ? inside(at, 0) : at;
    for (auto [index, part] : llvm::enumerate(tuple.getNames()))
      supplied(port, inside(each, index), part.getValue(), tuple.getTypes()[index], below);
    return;
  }
  if (flatten != "attributes" && attribute == attributesName)
    add(port, at, bases, "", Take::AllAttributes);
  else if (attribute == textName)
    add(port, at, bases, "", Take::Text);
  else if (flatten == "elements")
    add(port, at, bases, name, Take::Text);
  else if (flatten == "attributes")
    add(port, at, bases, "", Take::Attribute, name);
}

//===--- the parameter ------------------------------------------------------===//

Value Plan::value(OpBuilder &builder, spl::TupleType type, const Rule &rule) {
  Location loc = op.getLoc();
  ArrayRef<mlir::Type> types = type.getTypes();
  auto number = [&](uint32_t n) -> Value {
    return spl::ConstOp::create(builder, loc, types[0], builder.getI64IntegerAttr(n));
  };
  auto text = [&](StringRef s) -> Value {
    return spl::ConstOp::create(builder, loc, types[4], builder.getStringAttr(s));
  };
  auto at = spl::MakeListOp::create(builder, loc, types[1], llvm::map_to_vector(rule.at, number));
  auto steps =
      spl::MakeListOp::create(builder, loc, types[2], llvm::map_to_vector(rule.steps, text));
  SmallVector<Value> parts = {number(rule.port), at, steps, number(uint32_t(rule.take)),
                              text(rule.name)};
  return spl::MakeTupleOp::create(builder, loc, type, parts);
}

void Plan::emit() {
  MLIRContext *context = op.getContext();
  OpBuilder builder = OpBuilder::atBlockEnd(&op.getBody().front());
  mlir::Type number = builder.getIntegerType(32, /*isSigned=*/false);
  mlir::Type text = spl::RStringType::get(context);
  SmallVector<StringAttr> names;
  for (StringRef name : {"port", "at", "steps", "take", "name"})
    names.push_back(builder.getStringAttr(name));
  auto type = spl::TupleType::get(context, names,
                                  {number, spl::ListType::get(context, number),
                                   spl::ListType::get(context, text), number, text});
  auto param = ParamOp::create(builder, op.getLoc(), "$rules");
  builder.createBlock(&param.getBody());
  SmallVector<Value> values;
  for (const Rule &rule : rules)
    values.push_back(value(builder, type, rule));
  YieldOp::create(builder, op.getLoc(), values);
}
