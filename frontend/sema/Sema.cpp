//===- Sema.cpp - the entrance to the checks of expressions ---------------===//
#include "frontend/sema/Sema.h"
#include "frontend/sema/expr/Statements.h"
#include "frontend/sema/expr/TypeReader.h"
#include "frontend/sema/expr/hints/ConversionHints.h"
#include "frontend/sema/expr/hints/Names.h"

using namespace sluice;
using namespace sluice::sema;

Sema::Sema(ASTContext &ast, TypeContext &types, Diagnostics &diags, const FrontendOptions &options)
    : ast(ast), types(types), diags(diags), options(options), suspicions(diags),
      impl(std::make_unique<Impl>()) {}
Sema::~Sema() = default;

ExprPtr Sema::checkExpr(const ast::Expr *e, Scope &scope, Type expected, Conversion how) {
  Checker checker(*this, scope);
  ExprPtr result =
      expected ? checker.converted(e, expected, how, Diag::err_expected_type) : checker.value(e);
  if (result)
    checkEffects(*this, *result);
  return result;
}

ExprPtr Sema::checkAttributeValue(const ast::Expr *e, Scope &scope, Type tuple,
                                  llvm::StringRef attribute) {
  Checker checker(*this, scope);
  Type want = tuple->attribute(attribute);
  auto refuse = [&](mlir::InFlightDiagnostic &error, Type have) {
    ConversionHints(checker).noteAttribute(error, tuple, attribute.str(), have);
    std::optional<Range> place = attributePlace(tuple, attribute);
    if (place && want->kind != SplType::Enum) // hardly an enumeration by mistake
      suspicions.doubt(Doubt::RefusedValue, Subject::at(*place));
  };
  ExprPtr result = checker.converted(e, want, Exact, Diag::err_expected_type, refuse);
  if (result)
    checkEffects(*this, *result);
  return result;
}

bool Sema::isDoubtful(Type tuple, llvm::StringRef attribute) {
  std::optional<Range> place = attributePlace(tuple, attribute);
  return place && suspicions.covers({{Doubt::RefusedValue, Subject::at(*place)}});
}

void Sema::noteConversion(mlir::InFlightDiagnostic &d, const typed::Expr &e, Type want,
                          Scope &scope) {
  Checker checker(*this, scope);
  ConversionHints(checker).noteConversion(d, e, want);
}

bool Sema::checkFunctionName(const ast::NameExpr &name, Scope &scope) {
  Checker checker(*this, scope);
  return Names(checker).isFunctionName(name);
}

StmtPtr Sema::checkStmt(const ast::Stmt *s, Scope &scope) {
  Scope inner;
  inner.parent = &scope;
  Checker checker(*this, inner);
  StmtPtr result = Statements(checker).stmt(s);
  if (result)
    checkFlow(*this, *result);
  return result;
}

void Sema::checkState(const ast::DeclStmt *decl, Scope &scope, std::vector<typed::Variable *> &vars,
                      std::vector<ExprPtr> &inits) {
  Checker checker(*this, scope);
  Type type = TypeReader(checker).type(decl->type);
  for (const ast::Declarator &d : decl->declarators) {
    ExprPtr init;
    if (d.init)
      init = checker.initialiser(d, type);
    if (init)
      checkEffects(*this, *init);
    auto &owner = scope.variableOwner();
    owner.push_back({typed::Variable::State, d.name.text.str(), type, decl->isMutable,
                     unsigned(vars.size()), d.name.range});
    if (!Statements(checker).declare(&owner.back()))
      continue;
    vars.push_back(&owner.back());
    inits.push_back(std::move(init));
  }
}

Type Sema::checkType(const ast::TypeNode *t, Scope &scope) {
  Checker checker(*this, scope);
  return TypeReader(checker).type(t);
}

ExprPtr Sema::checkConstant(const ast::Expr *e, Scope &scope, Type expected) {
  ExprPtr result = checkExpr(e, scope, expected, expected ? Numeric : Exact);
  if (!result || isConstant(*result))
    return result;
  diags.report(e->range, Diag::err_not_constant);
  return nullptr;
}

bool Sema::isUnknownIn(Range range, llvm::StringRef name) const {
  const Subject *first = suspicions.firstOf(Doubt::Unknown, Subject::called(name));
  return first && first->place.file == range.file && range.begin <= first->place.begin &&
         first->place.begin < range.end;
}

std::optional<Range> Sema::attributePlace(Type tuple, llvm::StringRef name) const {
  auto known = impl->attributePlaces.find({tuple, name.str()});
  if (known == impl->attributePlaces.end() || known->second.size() != 1)
    return std::nullopt;
  auto [file, begin, end] = *known->second.begin();
  return Range{file, begin, end};
}

unsigned Sema::submission(llvm::StringRef name, bool isList,
                          std::optional<std::string> defaultValue, Scope &scope, Range range) {
  std::string qualified = name.str();
  for (const Scope *s = &scope; s; s = s->parent)
    if (s->composite) {
      qualified = s->composite->definition + "." + qualified;
      break;
    }
  auto &all = program->submissions;
  for (unsigned i = 0; i < all.size(); ++i) {
    if (all[i].name != qualified)
      continue;
    bool conflict = all[i].isList != isList || all[i].hasDefault != defaultValue.has_value() ||
                    (defaultValue && *defaultValue != all[i].defaultValue);
    if (conflict)
      diags.report(range, Diag::err_submission_conflict, qualified);
    return i;
  }
  all.push_back({qualified, isList, defaultValue.has_value(), defaultValue.value_or("")});
  return all.size() - 1;
}
