//===- Expr.cpp - expressions: names, members, subscripts ---*- C++ -*-===//

#include "frontend/sema/expr/Literals.h"
#include "frontend/sema/expr/Operators.h"
#include "frontend/sema/expr/Statements.h"
#include "frontend/sema/expr/call/Calls.h"
#include "frontend/sema/expr/hints/ConversionHints.h"
#include "frontend/sema/expr/hints/Names.h"

using namespace sluice;
using namespace sluice::sema;

//===--- building nodes ---------------------------------------------------===//

ExprPtr CheckerBase::makeInt(int64_t value, Type type, Range range) {
  return std::make_unique<typed::ConstExpr>(type, range, value);
}

ExprPtr CheckerBase::makeText(std::string text, Range range) {
  return std::make_unique<typed::ConstExpr>(types.get(SplType::RString), range, std::move(text));
}

/// The source on one line, at most 60 characters long.
static std::string shorten(llvm::StringRef text) {
  std::string s;
  for (char c : text) {
    bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank)
      s += c;
    else if (!s.empty() && s.back() != ' ')
      s += ' ';
  }
  constexpr size_t limit = 60;
  if (s.size() > limit)
    s.replace(limit - 3, std::string::npos, "...");
  return s;
}

ExprPtr CheckerBase::finish(ExprPtr e) {
  Range range = e->range;
  Folded folded = foldNode(e);
  if (folded.result == Folded::Fails)
    return error(range, Diag::err_constant_fails, folded.why);
  if (folded.result == Folded::Wraps)
    sema.diags.report(range, Diag::warn_constant_wraps, folded.why, e->type->str(),
                      llvm::cast<typed::ConstExpr>(*e).integer());
  if (!llvm::isa<typed::ConstExpr>(*e))
    e->source = shorten(sema.diags.text(range));
  return e;
}

std::nullptr_t CheckerBase::unsupported(Range range, llvm::StringRef what) {
  return error(range, Diag::err_not_supported, what);
}

const ast::Expr *sema::stripParens(const ast::Expr *e) {
  while (auto *paren = llvm::dyn_cast<ast::ParenExpr>(e))
    e = paren->inner;
  return e;
}

//===--- dispatch ---------------------------------------------------------===//

ExprPtr Checker::any(const ast::Expr *e, Type hint, bool init) {
  using K = ast::ExprKind;
  Type valueHint = hint && hint->kind == SplType::Optional ? hint->args[0] : hint;
  switch (e->kind) {
  case K::Int:
  case K::Float:
    return Literals(*this).number(llvm::cast<ast::LiteralExpr>(e), false, e->range);
  case K::Hex:
    return Literals(*this).hex(llvm::cast<ast::LiteralExpr>(e));
  case K::String:
    return Literals(*this).string(llvm::cast<ast::LiteralExpr>(e));
  case K::Xml:
    return Literals(*this).xml(llvm::cast<ast::LiteralExpr>(e));
  case K::True:
  case K::False:
    return makeInt(e->kind == K::True, boolean(), e->range);
  case K::Null:
    return Operators(*this).null(e->range, hint);
  case K::List:
    return Literals(*this).list(llvm::cast<ast::ListExpr>(e), valueHint, init);
  case K::Brace:
    return Literals(*this).brace(llvm::cast<ast::BraceExpr>(e), valueHint, init);
  case K::Name:
    return name(llvm::cast<ast::NameExpr>(e), hint, init);
  case K::Call:
    return Calls(*this).call(llvm::cast<ast::CallExpr>(e));
  case K::Member:
    return member(llvm::cast<ast::MemberExpr>(e));
  case K::Subscript:
    return subscript(llvm::cast<ast::SubscriptExpr>(e));
  case K::Slice:
    return slice(llvm::cast<ast::SliceExpr>(e));
  case K::Unary:
    return Operators(*this).unary(llvm::cast<ast::UnaryExpr>(e));
  case K::Postfix:
    return Operators(*this).postfix(llvm::cast<ast::PostfixExpr>(e));
  case K::Cast:
    return cast(llvm::cast<ast::CastExpr>(e));
  case K::Binary:
    return Operators(*this).binary(llvm::cast<ast::BinaryExpr>(e));
  case K::Assign:
    return Operators(*this).assign(llvm::cast<ast::AssignExpr>(e));
  case K::OrElse:
    return Operators(*this).orElse(llvm::cast<ast::OrElseExpr>(e));
  case K::Conditional:
    return conditional(llvm::cast<ast::ConditionalExpr>(e), hint, init);
  case K::Paren:
    return any(llvm::cast<ast::ParenExpr>(e)->inner, hint, init);
  }
  llvm_unreachable("all kinds of expressions are covered");
}

ExprPtr Checker::value(const ast::Expr *e, Type hint, bool init) {
  if (auto *assignment = llvm::dyn_cast<ast::AssignExpr>(stripParens(e))) {
    auto d = sema.diags.report(e->range, Diag::err_void_value, "an assignment");
    ConversionHints(*this).noteComparison(d, assignment);
    return nullptr;
  }
  ExprPtr result = any(e, hint, init);
  if (!result || isError(result->type))
    return nullptr;
  if (result->type->kind == SplType::Void)
    return Statements(*this).voidUsed(*result);
  return Operators(*this).lifted(std::move(result), hint);
}

ExprPtr Checker::condition(const ast::Expr *e) {
  if (auto *assignment = llvm::dyn_cast<ast::AssignExpr>(stripParens(e))) {
    auto d = sema.diags.report(e->range, Diag::err_condition, "void");
    ConversionHints(*this).noteComparison(d, assignment);
    return nullptr;
  }
  ExprPtr result = any(e);
  if (!result || isError(result->type))
    return nullptr;
  if (result->type == boolean())
    return result;
  auto d = sema.diags.report(e->range, Diag::err_condition, result->type->str());
  ConversionHints(*this).noteTruth(d, *result);
  return nullptr;
}

//===--- names ------------------------------------------------------------===//

const Entity *CheckerBase::lookup(llvm::StringRef name) {
  for (Scope *s = &scope; s; s = s->parent) {
    // The members of an enum enter the scope when its type is resolved.
    for (auto &alias : s->aliases) {
      auto &members = alias.second->type->members;
      if (llvm::any_of(members, [&](const ast::Ident &m) { return m.text == name; }))
        sema.findType(alias.first(), *s);
    }
    if (auto it = s->values.find(name); it != s->values.end())
      return &it->second;
  }
  return nullptr;
}

ExprPtr Checker::name(const ast::NameExpr *e, Type hint, bool init) {
  llvm::StringRef text = e->name.text;
  if (e->path.parts.empty())
    if (const Entity *found = lookup(text))
      return entity(*found, e, hint, init);
  if (auto m = sema.modules->findEnumMember(scope.file(), e->path.str(), text))
    return enumMember(*m, e->range);
  return Names(*this).unknownName(e, /*isTarget=*/false, hint);
}

ExprPtr Checker::enumMember(const Modules::EnumMember &member, Range range) {
  bool isClear =
      !member.unit || !sema.modules->reportSeveral(range, scope.file(), member.unit, member.ns,
                                                   member.name, member.definitions);
  return isClear ? enumMember(member.type, member.index, range) : nullptr;
}

ExprPtr Checker::enumMember(Type type, unsigned index, Range range) {
  return makeInt(index, type, range);
}

ExprPtr Checker::tuple(const Entity &entity, Range range) {
  Type type = entity.kind == Entity::PortTuple ? entity.type : entity.tuple;
  assert(type && "an attribute's entity names the tuple type of its port");
  return std::make_unique<typed::TupleExpr>(type, range, entity.port);
}

ExprPtr Checker::entity(const Entity &found, const ast::NameExpr *e, Type hint, bool init) {
  llvm::StringRef text = e->name.text;
  switch (found.kind) {
  case Entity::None:
    return nullptr; // its definition was in error
  case Entity::Variable:
    if (isError(found.var->type)) {
      sema.diags.withhold();
      return nullptr;
    }
    ++sema.impl->reads[found.var];
    if (sema.suspicions.covers({{Doubt::RefusedValue, Subject::at(found.var->range)}}))
      return nullptr;
    return std::make_unique<typed::VarExpr>(*found.var, e->range);
  case Entity::Attribute:
    if (isError(found.type) ||
        sema.isDoubtful(found.tuple, found.tuple->attributes[found.index].first))
      return nullptr;
    return std::make_unique<typed::FieldExpr>(e->range, tuple(found, e->range), found.index);
  case Entity::PortTuple:
    return isError(found.type) ? nullptr : tuple(found, e->range);
  case Entity::EnumMember:
    return enumMember(found.type, found.index, e->range);
  case Entity::Actual:
    return actual(found, e, hint, init);
  case Entity::InPort:
    return Names(*this).noCurrentTuple(*e);
  case Entity::OutPort:
    return error(e->range, Diag::err_output_port_value, text);
  case Entity::Ambiguous:
    return Names(*this).ambiguousName(*e);
  case Entity::Unknown:
    sema.diags.withhold();
    return nullptr;
  }
  llvm_unreachable("all kinds of entities are covered");
}

/// A formal of a composite. Its actual is checked in the scope where it was written, with the
/// place of the use.
ExprPtr Checker::actual(const Entity &found, const ast::NameExpr *e, Type hint, bool init) {
  assert(found.actual && !found.actual->values.empty() &&
         "formals without a value are refused when they are bound");
  if (const auto &values = found.actual->values; values.size() > 1) {
    auto d = sema.diags.report(e->range, Diag::err_several_values, e->name.text, values.size());
    sema.diags.note(d, values[1]->range, Diag::note_value_here);
    return nullptr;
  }
  Scope there;
  there.parent = found.actualScope;
  there.place = &scope.where();
  there.variables = &scope.variableOwner();
  there.operatorName = scope.operatorName;
  there.isReplicated = scope.isReplicated;
  Checker checker(sema, there);
  const ast::Expr *written = found.actual->values.front();
  auto &uses = sema.impl->formalUses;
  uses.erase(sema.impl->placeOf(written->range));
  ExprPtr result = found.declared ? checker.converted(written, found.declared, Sema::Exact,
                                                      Diag::err_expected_type)
                                  : checker.value(written, hint, init);
  if (result)
    uses[sema.impl->placeOf(result->range)] = e->range;
  return result;
}

//===--- members ----------------------------------------------------------===//

/// A member of an enum, as `Type.member`, `Comp.member` or `Comp.Type.member`; null if `e` is
/// something else, or after an error (`tried`).
ExprPtr Checker::qualifiedEnum(const ast::MemberExpr *e, bool &tried) {
  auto ofType = [&](Type type, llvm::StringRef typeName) -> ExprPtr {
    tried = true;
    if (isError(type))
      return nullptr;
    if (type->kind == SplType::Enum)
      for (unsigned i = 0; i < type->members.size(); ++i)
        if (type->members[i] == e->name.text)
          return enumMember(type, i, e->range);
    auto *stream = llvm::dyn_cast<ast::NameExpr>(e->base);
    if (stream && stream->path.parts.empty() && scope.isStream(typeName))
      return Names(*this).noInput(*stream);
    if (type->kind != SplType::Enum)
      return error(e->base->range, Diag::err_not_a_value, typeName, "a type");
    auto d = sema.diags.report(e->name.range, Diag::err_no_enum_member, typeName, e->name.text);
    NearNames near(e->name.text);
    near.offerAll(type->members);
    sema.diags.noteNear(d, e->name.range, near);
    return nullptr;
  };
  const ast::Unit *file = scope.file();
  if (auto *base = llvm::dyn_cast<ast::NameExpr>(e->base)) {
    std::string ns = base->path.str();
    llvm::StringRef text = base->name.text;
    if (ns.empty() && lookup(text))
      return nullptr; // a value
    std::string qualifier = ns.empty() ? text.str() : ns + "::" + text.str();
    if (auto m = sema.modules->findEnumMember(file, qualifier, e->name.text)) {
      tried = true;
      return enumMember(*m, e->range);
    }
    if (!ns.empty())
      return nullptr;
    if (Type type = sema.findType(text, scope))
      return ofType(type, text);
    return nullptr;
  }
  auto *outer = llvm::dyn_cast<ast::MemberExpr>(e->base);
  auto *composite = outer ? llvm::dyn_cast<ast::NameExpr>(outer->base) : nullptr;
  if (!composite || lookup(composite->name.text))
    return nullptr;
  std::string path = composite->path.str();
  auto def = sema.modules->findType(file, path, composite->name.text, outer->name.text);
  if (def && !def->alias->isStatic) {
    tried = true;
    return error(outer->range, Diag::err_not_static, outer->name.text, composite->name.text);
  }
  return def ? ofType(resolveType(sema, *def), outer->name.text) : nullptr;
}

/// Whether a name with a dot was reported, or one with the same base and another member: that is
/// one mistake.
bool Checker::isKnownMember(const ast::NameExpr &base, const ast::MemberExpr &e) {
  Subject place = Subject::startOf(base.range);
  Suspicion member{Doubt::Unknown, Subject::called(sema.diags.text(e.range)), place};
  if (sema.suspicions.firstOf(member.why, member.about))
    return sema.suspicions.covers(member);
  return sema.suspicions.covers(
      {{Doubt::Unknown, Subject::called(sema.diags.text(base.range)), place}, member});
}

ExprPtr Checker::member(const ast::MemberExpr *e) {
  bool tried = false;
  if (ExprPtr found = qualifiedEnum(e, tried); found || tried)
    return found;
  auto *n = llvm::dyn_cast<ast::NameExpr>(e->base);
  if (n && (!n->path.parts.empty() || !lookup(n->name.text))) {
    if (sema.modules->isExplained(n->range, scope.file(), n->path.str(), n->name.text) ||
        isKnownMember(*n, *e))
      return nullptr;
    auto d = sema.diags.report(e->range, Diag::err_unknown_name, sema.diags.text(e->range));
    Names(*this).noteMember(d, *n, *e);
    return nullptr;
  }
  ExprPtr base = value(e->base);
  if (!base)
    return nullptr;
  if (base->type->kind != SplType::Tuple) {
    auto d =
        sema.diags.report(e->name.range, Diag::err_not_a_tuple, base->type->str(), e->name.text);
    std::string call = foreignMethod(sema.modules->hints(), base->type, e->name.text,
                                     sema.diags.text(e->base->range), {});
    if (!ConversionHints(*this).noteUnwrap(d, *base) && !call.empty())
      sema.diags.note(d, e->name.range, Diag::note_no_methods, call);
    else
      ConversionHints(*this).noteElement(d, base->type, *e);
    return nullptr;
  }
  unsigned index = 0;
  Type type = base->type->attribute(e->name.text, &index);
  if (!type) {
    Subject place = Subject::startOf(e->name.range);
    std::string whole = (base->type->str() + "." + e->name.text).str();
    auto d = sema.suspicions.report(
        {{Doubt::Misspelt, Subject::called(e->name.text), {}, base->type},
         {Doubt::Unknown, Subject::called(whole), place},
         {Doubt::LacksAttribute, place, Subject::of(base->type)}},
        e->name.range, Diag::err_unknown_attribute, e->name.text, base->type->str());
    sema.diags.noteNear(d, e->name.range, nearAttributes(base->type, e->name.text));
    return nullptr;
  }
  if (sema.isDoubtful(base->type, e->name.text))
    return nullptr;
  return finish(std::make_unique<typed::FieldExpr>(e->range, std::move(base), index));
}

//===--- subscripts, conditional ------------------------------------------===//

const Entity *Checker::historyPort(const ast::Expr *base) {
  auto *n = llvm::dyn_cast<ast::NameExpr>(stripParens(base));
  const Entity *found = n && n->path.parts.empty() ? lookup(n->name.text) : nullptr;
  return found && found->kind == Entity::PortTuple ? found : nullptr;
}

std::nullptr_t Checker::historyError(Range range, Diag diag, llvm::StringRef port,
                                     llvm::StringRef found) {
  auto d = sema.diags.report(range, diag, found);
  sema.diags.note(d, range, Diag::note_history, port);
  return nullptr;
}

/// `Port[k]` (language.md 7.4).
ExprPtr Checker::history(const ast::SubscriptExpr *e, const Entity &port) {
  ExprPtr index = value(e->index);
  if (!index || isError(port.type))
    return nullptr;
  if (!index->type->isInteger())
    return error(e->index->range, Diag::err_index_type, index->type->str());
  llvm::StringRef name = sema.diags.text(e->base->range), text = sema.diags.text(e->index->range);
  auto *constant = llvm::dyn_cast<typed::ConstExpr>(index.get());
  if (!constant)
    return historyError(e->index->range, Diag::err_history_constant, name, text);
  if (constant->integer() < 0 || constant->integer() > typed::HistoryExpr::kMost)
    return historyError(e->index->range, Diag::err_history_range, name, text);
  return finish(
      std::make_unique<typed::HistoryExpr>(port.type, e->range, port.port, constant->integer()));
}

ExprPtr Checker::subscript(const ast::SubscriptExpr *e) {
  if (const Entity *port = historyPort(e->base))
    return history(e, *port);
  ExprPtr base = value(e->base);
  Type hint = base && base->type->kind == SplType::Map ? base->type->args[0] : nullptr;
  ExprPtr index = value(e->index, hint);
  if (!base || !index)
    return nullptr;
  Type type = base->type, element = nullptr;
  if (type->kind == SplType::Map) {
    element = type->args[1];
    if (index->type != type->args[0]) {
      auto d = sema.diags.report(e->index->range, Diag::err_map_index, type->args[0]->str(),
                                 index->type->str());
      ConversionHints(*this).noteConversion(d, *index, type->args[0]);
      return nullptr;
    }
  } else if (type->kind == SplType::List || type->kind == SplType::Blob || type->isString()) {
    element = type->isString()              ? type
              : type->kind == SplType::Blob ? types.get(SplType::UInt8)
                                            : type->args[0];
    if (!index->type->isInteger())
      return error(e->index->range, Diag::err_index_type, index->type->str());
    auto *constant = llvm::dyn_cast<typed::ConstExpr>(index.get());
    if (constant && index->type->isSigned() && constant->integer() < 0)
      return ConversionHints(*this).negativeIndex(e, type, constant->integer());
  } else {
    auto d = sema.diags.report(e->base->range, Diag::err_no_subscript, type->str());
    auto *name = llvm::dyn_cast<typed::ConstExpr>(index.get()); // `row["id"]`
    if (type->kind == SplType::Tuple && name && name->type->isString() &&
        type->attribute(name->text()))
      sema.diags.note(d, e->range, Diag::note_did_you_mean,
                      (sema.diags.text(e->base->range) + "." + name->text()).str());
    ConversionHints(*this).noteUnwrap(d, *base);
    return nullptr;
  }
  return finish(
      std::make_unique<typed::IndexExpr>(element, e->range, std::move(base), std::move(index)));
}

ExprPtr Checker::slice(const ast::SliceExpr *e) {
  if (historyPort(e->base))
    return historyError(e->range, Diag::err_history_slice, sema.diags.text(e->base->range));
  ExprPtr base = value(e->base), lo, hi;
  bool ok = bool(base);
  if (base && base->type->kind != SplType::List && base->type->kind != SplType::Blob &&
      !base->type->isString())
    return error(e->base->range, Diag::err_no_slice, base->type->str());
  auto bound = [&](const ast::Expr *b, ExprPtr &out) {
    if (!b)
      return;
    out = value(b);
    ok &= bool(out);
    auto *constant = llvm::dyn_cast_or_null<typed::ConstExpr>(out.get());
    if (out && !out->type->isInteger()) {
      error(b->range, Diag::err_index_type, out->type->str());
      ok = false;
    } else if (b == e->hi && constant && out->type->isSigned() && constant->integer() < 0) {
      sema.diags.report(b->range, Diag::warn_negative_bound, sema.diags.text(b->range));
    }
  };
  bound(e->lo, lo);
  bound(e->hi, hi);
  if (!ok)
    return nullptr;
  if (lo && hi && lo->type != hi->type)
    return error(e->range, Diag::err_slice_bounds, lo->type->str(), hi->type->str());
  return finish(
      std::make_unique<typed::SliceExpr>(e->range, std::move(base), std::move(lo), std::move(hi)));
}

ExprPtr Checker::conditional(const ast::ConditionalExpr *e, Type hint, bool init) {
  ExprPtr cond = condition(e->cond), then, otherwise;
  // A branch that is an empty literal takes the type of the other one; beside null that is
  // optional.
  bool isFirst = takesItsType(e->then);
  ExprPtr &one = isFirst ? otherwise : then, &other = isFirst ? then : otherwise;
  const ast::Expr *writtenOther = isFirst ? e->then : e->otherwise;
  one = value(isFirst ? e->otherwise : e->then, hint, init);
  if (!hint && one && isNull(writtenOther)) {
    Type optional = Operators(*this).nullable(one->type);
    one = Operators(*this).lifted(std::move(one), optional);
  }
  if (one)
    other = value(writtenOther, hint ? hint : one->type, init);
  else if (!takesItsType(writtenOther)) // that it is void as well need not be said
    other = any(writtenOther, hint, init);
  if (!cond || !then || !otherwise)
    return nullptr;
  if (then->type != otherwise->type) {
    auto d =
        sema.diags.report(e->range, Diag::err_branches, then->type->str(), otherwise->type->str());
    otherwise->type == hint ? ConversionHints(*this).noteConversion(d, *then, hint)
                            : ConversionHints(*this).noteConversion(d, *otherwise, then->type);
    return nullptr;
  }
  return finish(std::make_unique<typed::ConditionalExpr>(e->range, std::move(cond), std::move(then),
                                                         std::move(otherwise)));
}
