//===- Params.cpp - parameters by the model's modes -------------===//
#include "frontend/sema/expr/hints/Foreign.h"
#include "frontend/sema/graph/OperatorParts.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

void ParamCheck::params() {
  llvm::StringMap<Range> seen;
  bool anyUnknown = false;
  for (const ast::ParamItem &item : invocation.params) {
    std::optional<Model::Param> param = model.param(item.name.text, ports.size());
    auto [slot, isNew] =
        seen.try_emplace(param ? StringRef(param->name) : item.name.text, item.name.range);
    if (!isNew) {
      auto error = diags.report(item.name.range, Diag::err_param_twice, item.name.text);
      diags.note(error, slot->second, Diag::note_previous_here);
    } else if (!param) {
      auto error =
          diags.report(item.name.range, Diag::err_unknown_param, item.name.text, check.name());
      NearNames near(item.name.text);
      near.offerAll(paramNames());
      StringRef known = sema.modules->hints().param(item.name.text, [&](StringRef ours) {
        return model.param(ours, ports.size()).has_value();
      });
      if (!known.empty())
        diags.note(error, item.name.range, Diag::note_did_you_mean, known);
      else if (!diags.noteNear(error, item.name.range, near))
        noteParams(error, item.name.range);
      anyUnknown = true;
    } else {
      this->param(item, *param);
    }
  }
  for (const Model::Param &param : model.params) {
    if (seen.contains(param.name))
      continue;
    if (param.required && !anyUnknown) // it may be the missing one
      diags.report(invocation.op.range, Diag::err_missing_param, param.name, check.name());
    if (param.isScope)
      applicationScope(param);
    if (!param.textsOf.empty())
      texts(param);
  }
}

std::vector<std::string> ParamCheck::paramNames() const {
  std::vector<std::string> names;
  for (const Model::Param &param : model.params)
    if (param.each)
      for (unsigned port = 0; port < ports.size(); ++port)
        names.push_back(param.name + std::to_string(port));
    else if (!param.planned)
      names.push_back(param.name);
  return names;
}

/// Lists the parameters, if they are few.
void ParamCheck::noteParams(mlir::InFlightDiagnostic &error, Range range) {
  constexpr size_t most = 12;
  std::vector<std::string> names = paramNames();
  if (!names.empty() && names.size() <= most)
    diags.note(error, range, Diag::note_parameters, "`" + llvm::join(names, "`, `") + "`");
}

/// The parameter has the value that the main composite's config says, if that says one.
void ParamCheck::applicationScope(const Model::Param &param) {
  auto [value, at] = graph.applicationScope();
  if (!value)
    return;
  typed::Parameter result;
  result.name = param.name;
  result.range = value->range;
  if (typed::ExprPtr typed = sema.checkExpr(value, *at, param.type))
    result.values.push_back(std::move(typed));
  op.params.push_back(std::move(result));
}

/// What the value takes from the command line is shown nowhere.
static void hide(const typed::Expr &value, typed::Program &program) {
  anyExpr(value, [&](const typed::Expr &part) {
    if (auto *submitted = llvm::dyn_cast<typed::SubmissionValueExpr>(&part))
      program.submissions[submitted->index].isSecret = true;
    return false;
  });
}

/// The parameter has a value for each value of another one: what the program writes there.
void ParamCheck::texts(const Model::Param &param) {
  const typed::Parameter *other = op.param(param.textsOf);
  if (!other)
    return;
  typed::Parameter result;
  result.name = param.name;
  result.range = other->range;
  for (const typed::ExprPtr &value : other->values)
    result.values.push_back(std::make_unique<typed::ConstExpr>(
        sema.types.get(SplType::RString), value->range, diags.text(value->range).str()));
  op.params.push_back(std::move(result));
}

void ParamCheck::param(const ast::ParamItem &item, const Model::Param &param) {
  static const Place::Kind kinds[] = {Place::PerTupleParam, Place::StartParam, Place::Constant,
                                      Place::PerTupleParam, Place::Constant,   Place::StartParam};
  Place &place = graph.scopes.newPlace(kinds[unsigned(param.mode)]);
  place.submissionAllowed =
      param.mode != Model::Mode::Constant && param.mode != Model::Mode::Literal;
  std::vector<unsigned> visible = check.allPorts();
  if (param.port) {
    if (*param.port >= ports.size()) {
      diags.report(item.name.range, Diag::err_param_port, param.name, *param.port, check.name());
      return;
    }
    visible = {*param.port};
  }
  Scope *at = &graph.scopes.placeScope(*scope, place, inst, ports, visible);
  check.enterOutputs(*at);
  if (item.value.values.empty()) {
    if (param.mode == Model::Mode::Literal) // `format : xml`
      unknownLiteral(item.value.range, param);
    else
      diags.report(item.value.range, Diag::err_param_not_value, param.name);
    return;
  }
  std::vector<const ast::Expr *> values = expandActual(item.value, at);
  const ast::NameExpr *formal = values.size() == 1 ? plainName(values.front()) : nullptr;
  const Entity *entity = formal ? findEntity(*at, formal->name.text) : nullptr;
  if (entity && entity->kind == Entity::Unknown)
    return diags.withhold();
  if (values.size() > 1 && !param.many) {
    diags.report(item.value.values.size() > 1 ? values[1]->range : item.value.range,
                 Diag::err_param_one_value, param.name, check.name());
    return;
  }
  typed::Parameter result;
  result.name = param.name;
  result.range = item.name.range;
  if (param.mode == Model::Mode::Condition)
    result.values = condition(values.front(), *at, param);
  else
    for (const ast::Expr *value : values)
      if (typed::ExprPtr typed = paramValue(value, *at, param))
        result.values.push_back(std::move(typed));
  auto reads = [](const typed::ExprPtr &value) { return readsTuple(*value); };
  result.perTuple = model.facts.is(stream::OperatorTrait::native)
                        ? param.carried && llvm::any_of(result.values, reads)
                        : param.mode == Model::Mode::Expression;
  for (const typed::ExprPtr &value : result.values)
    if (param.secret && value)
      hide(*value, *sema.program);
  if (param.planned)
    check.notYet(item.name.range,
                 llvm::formatv("parameter `{0}` of `{1}`", param.name, check.name()).str());
  op.params.push_back(std::move(result));
}

/// The first of names that are joined by `.` and `/`, as in `data/orders.csv`; else null.
static const ast::NameExpr *firstOfPath(const ast::Expr *e) {
  if (auto *member = llvm::dyn_cast<ast::MemberExpr>(e))
    return firstOfPath(member->base);
  auto *quotient = llvm::dyn_cast<ast::BinaryExpr>(e);
  if (quotient && quotient->op == ast::BinaryOp::Div && firstOfPath(quotient->rhs))
    return firstOfPath(quotient->lhs);
  return plainName(e);
}

/// The name of a file without quotes, of which nothing is known as a name.
bool ParamCheck::isBareText(const ast::Expr *e, Scope &at) {
  const ast::NameExpr *first = plainName(e) ? nullptr : firstOfPath(e);
  return first && !findEntity(at, first->name.text) && !sema.findType(first->name.text, at) &&
         !sema.modules->findType(at.file(), "", "", first->name.text);
}

typed::ExprPtr ParamCheck::paramValue(const ast::Expr *e, Scope &at, const Model::Param &param) {
  if (param.mode == Model::Mode::Literal)
    return literal(e, param);
  if (param.type && param.type->isString() && isBareText(e, at)) {
    diags.report(e->range, Diag::err_bare_text, diags.text(e->range));
    return nullptr;
  }
  typed::ExprPtr value = typedValue(e, at, param);
  if (!value)
    return nullptr;
  if (param.mode == Model::Mode::AttributeFree && readsTuple(*value)) {
    diags.report(e->range, Diag::err_param_attribute_free, param.name);
    return nullptr;
  }
  if (param.mode == Model::Mode::Attribute) {
    auto *field = llvm::dyn_cast<typed::FieldExpr>(value.get());
    if (field && llvm::isa<typed::TupleExpr>(*field->base))
      return text(field->base->type->attributes[field->index].first, e->range);
    diags.report(e->range, Diag::err_param_not_attribute, param.name);
    return nullptr;
  }
  if (param.mode == Model::Mode::Constant && !isConstant(*value)) {
    diags.report(e->range, Diag::err_param_not_constant, param.name);
    return nullptr;
  }
  return value;
}

typed::ExprPtr ParamCheck::typedValue(const ast::Expr *e, Scope &at, const Model::Param &param) {
  Type type = param.type;
  if (param.tupleOf)
    type = param.tupleOf->isOutput ? op.outputs[param.tupleOf->index].stream->type
                                   : ports[param.tupleOf->index].type;
  typed::ExprPtr value =
      type && type->kind != SplType::Error
          ? sema.checkExpr(e, at, type, type->isInteger() ? Sema::Numeric : Sema::Exact)
          : sema.checkExpr(e, at);
  if (value && param.sign != Model::Param::Any)
    value = inRange(std::move(value), e->range, param);
  if (!value)
    return nullptr;
  if (!param.cls.empty() && !value->type->inClass(param.cls)) {
    auto error =
        diags.report(e->range, Diag::err_param_class, param.name, param.cls, value->type->str());
    StringRef written = diags.text(e->range), text = written.trim("\"'");
    if (double number; text != written && !text.getAsDouble(number))
      diags.note(error, e->range, Diag::note_no_quotes, text);
    return nullptr;
  }
  return param.convertTo ? sema.convert(std::move(value), param.convertTo) : std::move(value);
}

/// The number, if it is not known to be out of range; the start checks what it evaluates. What may
/// differ from tuple to tuple is left to the operator.
typed::ExprPtr ParamCheck::inRange(typed::ExprPtr number, Range range, const Model::Param &param) {
  bool positive = param.sign == Model::Param::Positive;
  if (isBadSize(diags, *number, range, param.name, positive))
    return nullptr;
  bool isSigned =
      number->type->inClass("floatingpoint") ||
      (number->type->inClass("integral") && (number->type->info().classes & type_class::Signed));
  if (isConstant(*number) || !isSigned || param.mode != Model::Mode::AttributeFree)
    return number;
  return std::make_unique<typed::InRangeExpr>(param.name, positive, std::move(number));
}

/// Names the value that was meant, or all that this release has.
void ParamCheck::unknownLiteral(Range range, const Model::Param &param) {
  std::vector<StringRef> have;
  for (StringRef literal : param.literals)
    if (!llvm::is_contained(param.plannedLiterals, literal))
      have.push_back(literal);
  StringRef written = diags.text(range), text = written.trim("\"'");
  auto error = diags.report(range, Diag::err_unknown_literal, param.name, llvm::join(have, ", "));
  Range whole = invocation.range;
  bool isOfFormal = range.file != whole.file || range.begin < whole.begin || range.end > whole.end;
  if (isOfFormal)
    diags.note(error, invocation.op.range, Diag::note_parameter_here, param.name, check.name());
  else if (text != written && llvm::is_contained(have, text))
    return diags.note(error, range, Diag::note_no_quotes, text);
  NearNames near(text);
  near.offerAll(have);
  if (diags.noteNear(error, range, near))
    return;
  auto isMeant = [&](StringRef literal) {
    return text.size() > 1 &&
           (literal.starts_with_insensitive(text) || text.ends_with_insensitive(literal));
  };
  if (llvm::count_if(have, isMeant) == 1)
    diags.note(error, range, Diag::note_did_you_mean, *llvm::find_if(have, isMeant));
}

/// `csv` or `FileSink.csv`.
typed::ExprPtr ParamCheck::literal(const ast::Expr *e, const Model::Param &param) {
  const ast::NameExpr *base = plainName(e);
  StringRef text = base ? base->name.text : StringRef();
  if (auto *member = llvm::dyn_cast<ast::MemberExpr>(e)) {
    base = plainName(member->base);
    text = base && base->name.text == model.name ? member->name.text : StringRef();
  }
  if (!llvm::is_contained(param.literals, text)) {
    unknownLiteral(e->range, param);
    return nullptr;
  }
  if (llvm::is_contained(param.plannedLiterals, text))
    check.notYet(e->range,
                 llvm::formatv("`{0} : {1}` of `{2}`", param.name, text, check.name()).str());
  return this->text(text, e->range);
}

typed::ExprPtr ParamCheck::text(StringRef text, Range range) {
  return std::make_unique<typed::ConstExpr>(types.get(SplType::RString), range, text.str());
}
