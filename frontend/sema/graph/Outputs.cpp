//===- Outputs.cpp - output clauses and what they leave out -----===//
#include "frontend/sema/TypeDifference.h"
#include "frontend/sema/graph/OperatorParts.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;
using typed::ExprPtr;

void OutputCheck::outputs() {
  sameTypes();
  Place &place = graph.scopes.newPlace(Place::OutputClause);
  place.outputFunctions = model.functions.empty() ? nullptr : &model.functions;
  Scope &at = graph.scopes.placeScope(*scope, place, inst, ports, check.allPorts());
  check.enterOutputs(at);
  llvm::StringMap<Range> seen;
  bool valid = true;
  for (const ast::OutputItem &item : invocation.outputClause) {
    int port = check.outputPort(item.port);
    valid &= port >= 0;
    if (port < 0)
      continue;
    auto [slot, isNew] = seen.try_emplace(op.outputs[port].name, item.port.range);
    if (!isNew) {
      auto error = diags.report(item.port.range, Diag::err_output_twice, item.port.text);
      diags.note(error, slot->second, Diag::note_previous_here);
    } else if (!model.output(port).assign && !item.assignments.empty()) {
      auto error = diags.report(invocation.op.range, Diag::err_output_not_allowed, check.name(),
                                item.port.text);
      diags.note(error, item.port.range, Diag::note_clause_here);
    } else if (!item.assignments.empty()) {
      valid &= assign(item, port, at);
    }
  }
  for (unsigned port = 0; valid && port < op.outputs.size(); ++port)
    complete(port);
}

/// The first part of the arguments of `outer` that says something about several tuples, or null.
static const typed::OutputFnExpr *summaryInside(const typed::OutputFnExpr &outer) {
  const typed::OutputFnExpr *found = nullptr;
  for (const ExprPtr &argument : outer.args)
    anyExpr(*argument, [&](const typed::Expr &part) {
      auto *call = llvm::dyn_cast<typed::OutputFnExpr>(&part);
      if (!found && call && call->proto->facts.summarises())
        found = call;
      return found != nullptr;
    });
  return found;
}

/// The arguments of an output function that says something about several tuples are evaluated
/// for each of them, so what is known of all is no argument.
static bool checkSummary(Diagnostics &diags, const typed::Expr &value) {
  return !anyExpr(value, [&](const typed::Expr &part) {
    auto *outer = llvm::dyn_cast<typed::OutputFnExpr>(&part);
    auto *inner = outer && outer->proto->facts.summarises() ? summaryInside(*outer) : nullptr;
    if (inner) {
      auto error = diags.report(inner->range, Diag::err_output_fn_nested, inner->proto->name,
                                outer->proto->name);
      diags.note(error, inner->range, Diag::note_compute_before);
    }
    return inner != nullptr;
  });
}

/// An output function that tells of a pane needs one, and does not depend on the tuple.
void OutputCheck::checkPaneFunctions(const typed::Expr &value) {
  auto isPane = [](const typed::OutputFnExpr *call) { return call && call->proto->facts.pane; };
  bool hasPanes = llvm::all_of(op.inputs, [](const typed::InputPort &port) {
    return !port.window || port.window->kind == typed::Window::Kind::Interval;
  });
  anyExpr(value, [&](const typed::Expr &part) {
    auto *call = llvm::dyn_cast<typed::OutputFnExpr>(&part);
    if (isPane(call) && !hasPanes)
      diags.report(call->range, Diag::err_pane_function, call->proto->name);
    for (const ExprPtr &arg : call ? llvm::ArrayRef(call->args) : llvm::ArrayRef<ExprPtr>())
      anyExpr(*arg, [&](const typed::Expr &inner) {
        if (isPane(llvm::dyn_cast<typed::OutputFnExpr>(&inner)))
          diags.report(inner.range, Diag::err_pane_function_argument, call->proto->name);
        return false;
      });
    return false;
  });
}

/// Reports assignments to what is no attribute; false if there are some. A misspelt name is an
/// error of its own. If the others are right, the type of the stream is wrong.
bool OutputCheck::areAttributes(const ast::OutputItem &item, unsigned port) {
  Type tuple = op.outputs[port].stream->type;
  bool all = true;
  std::vector<const ast::Ident *> strange;
  auto report = [&](Range range, const std::string &what) {
    return diags.report(range, Diag::err_unknown_output_attribute, what, item.port.text,
                        tuple->str());
  };
  for (const ast::OutputItem::Assignment &assignment : item.assignments) {
    const ast::Ident &name = assignment.attribute;
    if (tuple->attribute(attributeName(inst, name.text)))
      continue;
    all = false;
    NearNames near = nearAttributes(tuple, name.text);
    if (sema.suspicions.covers({{Doubt::Misspelt, Subject::called(name.text), {}, tuple}})) {
      continue;
    } else if (near.best().empty()) {
      strange.push_back(&name);
    } else {
      for (const std::string &written : near.best())
        sema.suspicions.misspelt(written, name.text);
      auto error = report(name.range, ("attribute `" + name.text + "`").str());
      diags.noteNear(error, name.range, near);
    }
  }
  if (strange.empty())
    return all;
  std::string names = strange.size() == 1 ? "attribute " : "attributes ";
  for (const ast::Ident *name : strange)
    names += ((name == strange.front() ? "`" : ", `") + name->text + "`").str();
  report(strange.front()->range, names);
  leaveTypeOpen(port);
  return false;
}

bool OutputCheck::assign(const ast::OutputItem &item, unsigned port, Scope &at) {
  bool areKnown = areAttributes(item, port);
  typed::OutputPort &out = op.outputs[port];
  Type tuple = out.stream->type;
  out.values.resize(tuple->attributes.size());
  for (const ast::OutputItem::Assignment &assignment : item.assignments) {
    unsigned index = 0;
    StringRef name = attributeName(inst, assignment.attribute.text);
    if (!tuple->attribute(name, &index)) {
      sema.checkExpr(assignment.value, at);
      continue;
    }
    auto [slot, isNew] = assigned[port].try_emplace(name, assignment.attribute.range);
    if (!isNew) {
      auto error =
          diags.report(assignment.attribute.range, Diag::err_attribute_assigned_twice, name);
      diags.note(error, slot->second, Diag::note_previous_here);
      continue;
    }
    ExprPtr value = sema.checkAttributeValue(assignment.value, at, tuple, name);
    if (!value || !checkSummary(diags, *value))
      continue;
    checkPaneFunctions(*value);
    out.values[index] = std::move(value);
  }
  return areKnown;
}

/// Gives the attributes without assignment their values, as the model says.
void OutputCheck::complete(unsigned port) {
  const Model::Output &out = model.output(port);
  if (!out.assign && !out.autoAssign)
    return;
  std::vector<ExprPtr> &values = op.outputs[port].values;
  Type tuple = op.outputs[port].stream->type;
  values.resize(tuple->attributes.size());
  std::vector<StringRef> missing;
  bool isExplained = false;
  for (auto [value, attribute] : llvm::zip(values, tuple->attributes)) {
    const auto &[name, type] = attribute;
    if (value || assigned[port].contains(name))
      continue;
    if (out.supplied)
      value = supplied(type);
    else if (out.autoAssign)
      value = autoAssigned(name, type);
    if (!value && out.complete && isConsequence(name))
      isExplained = true;
    else if (!value && out.complete)
      missing.push_back(name);
    else if (!value)
      value = defaultValue(type);
  }
  if (isExplained)
    diags.withhold();
  if (!missing.empty() && !out.same && !check.logicFailed && !check.missesStream())
    outputMissing(port, missing);
}

/// Whether the attribute has no value because of what was reported: the input has it under a
/// misspelt name, or this operator names it, and nothing is called so.
bool OutputCheck::isConsequence(StringRef attribute) const {
  return sema.isUnknownIn(invocation.range, attribute) ||
         llvm::any_of(ports, [&](const PortView &in) {
           return sema.suspicions.isMisspelt(in.type, attribute) ||
                  sema.isUnknownIn(invocation.range, (in.type->str() + "." + attribute).str());
         });
}

void OutputCheck::outputMissing(unsigned port, llvm::ArrayRef<StringRef> missing) {
  Type tuple = op.outputs[port].stream->type;
  const ast::OutPort &out = invocation.outputs[port];
  std::vector<std::string> names;
  for (StringRef name : missing)
    names.push_back(("`" + name + "`").str());
  auto error = diags.report(out.stream.range, Diag::err_output_missing, llvm::join(names, ", "),
                            out.stream.text);
  for (StringRef name : missing) {
    Type type = tuple->attribute(name);
    for (const PortView &in : ports) {
      if (Type have = in.type->attribute(name); have && have != type)
        diags.note(error, in.range, Diag::note_other_type, name, in.name, have->str(), type->str());
      NearNames near(name);
      for (const auto &[other, have] : in.type->attributes)
        if (have == type && !tuple->attribute(other))
          near.offer(other);
      for (const std::string &meant : near.best()) {
        sema.suspicions.misspelt(name, meant);
        diags.note(error, sema.attributePlace(tuple, name).value_or(out.stream.range),
                   Diag::note_near_attribute, in.name, meant);
      }
    }
  }
}

ExprPtr OutputCheck::autoAssigned(StringRef attribute, Type type) {
  for (auto [index, port] : llvm::enumerate(ports)) {
    unsigned position = 0;
    Type have = port.type->attribute(attribute, &position);
    bool lifted = have && type->kind == SplType::Optional && type->args.front() == have;
    if (!have || (have != type && !lifted))
      continue;
    auto tuple = std::make_unique<typed::TupleExpr>(port.type, invocation.op.range, index);
    tuple->source = port.name;
    ExprPtr field =
        std::make_unique<typed::FieldExpr>(invocation.op.range, std::move(tuple), position);
    field->source = attribute.str();
    return lifted ? sema.convert(std::move(field), type) : std::move(field);
  }
  return nullptr;
}

/// What the operator itself gives.
ExprPtr OutputCheck::supplied(Type type) {
  return std::make_unique<typed::SuppliedExpr>(type, invocation.op.range);
}

ExprPtr OutputCheck::defaultValue(Type type) {
  return std::make_unique<typed::ConstExpr>(type, invocation.op.range);
}

/// Those that read the stream do not know its type.
void OutputCheck::leaveTypeOpen(unsigned port) {
  if (StreamRef *ref = inst.streams.lookup(invocation.outputs[port].stream.text))
    ref->type = types.get(SplType::Error);
}

void OutputCheck::sameTypes() {
  for (auto [index, out] : llvm::enumerate(op.outputs))
    if (model.output(index).same && !check.logicFailed && !check.missesStream() &&
        out.stream->type != ports.front().type) {
      Type want = ports.front().type, have = out.stream->type;
      Range range = invocation.outputs[index].type->range;
      auto error = diags.report(range, Diag::err_output_same_type, check.name(), ports.front().name,
                                want->str(), have->str());
      noteDifference(diags, error, range, have, want);
      leaveTypeOpen(index);
    }
}
