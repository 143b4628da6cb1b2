//===- Recovery.cpp - @consistent, and config about recovery --------------===//
//
// language.md 9.1, 9.3. What is said of one operator or composite; which operators are in a
// consistent region is found when all are known (program/Consistent.cpp).
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/graph/GraphChecks.h"
#include "frontend/sema/graph/GraphSema.h"
#include <cmath>

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

//===--- numbers ------------------------------------------------------------===//

/// The value of a constant number.
static std::optional<double> numberOf(const typed::Expr &e) {
  auto *constant = llvm::dyn_cast<typed::ConstExpr>(&e);
  if (!constant)
    return std::nullopt;
  return constant->type->kind == SplType::Float64 ? constant->real() : double(constant->integer());
}

/// Sets `number` if the annotation has the key: a constant above 0, or a submission-time value that
/// is cast to the key's type. False after an error.
static bool readNumber(GraphSema &graph, Instance &inst, const ast::Annotation &annotation,
                       StringRef key, SplType::Kind kind, typed::StartNumber &number) {
  const ast::Expr *value = valueOf(annotation, key);
  if (!value)
    return true;
  if (llvm::isa<ast::LiteralExpr>(value) && value->kind != ast::ExprKind::Int &&
      value->kind != ast::ExprKind::Float)
    return false; // the keys of annotations are checked apart
  Scope &scope =
      graph.scopes.placeScope(*inst.scope, graph.scopes.newPlace(Place::Constant), inst, {}, {});
  // A literal without a suffix is a number of whatever type is meant.
  bool isPlain = llvm::isa<ast::LiteralExpr>(value) && value->kind == ast::ExprKind::Int;
  typed::ExprPtr e = graph.sema.checkExpr(value, scope, isPlain ? nullptr : graph.types.get(kind));
  if (!e)
    return false;
  auto *cast = llvm::dyn_cast<typed::CastExpr>(e.get());
  auto *submitted =
      cast ? llvm::dyn_cast<typed::SubmissionValueExpr>(cast->operand.get()) : nullptr;
  if (submitted && submitted->type->kind == SplType::RString) {
    number.submission = submitted->index;
    return true;
  }
  std::optional<double> constant = numberOf(*e);
  if (constant && *constant > 0 && std::isfinite(*constant)) {
    number.value = *constant;
    return true;
  }
  graph.diags.report(value->range, Diag::err_consistent_number, key, graph.types.get(kind)->str());
  return false;
}

//===--- @consistent ----------------------------------------------------------===//

std::optional<unsigned> sema::checkConsistent(GraphSema &graph, Instance &inst,
                                              const ast::Annotation &annotation) {
  unsigned before = graph.diags.errors();
  typed::Consistent result;
  result.range = annotation.range;
  const ast::Expr *trigger = valueOf(annotation, "trigger");
  const ast::NameExpr *word = trigger ? plainName(trigger) : nullptr;
  const ast::Expr *period = valueOf(annotation, "period");
  result.isDriven = word && word->name.text == "operatorDriven";
  if (result.isDriven && period)
    graph.diags.report(period->range, Diag::err_consistent_period);
  else if (word && word->name.text == "periodic" && !period)
    graph.diags.report(annotation.range, Diag::err_annotation_key_missing, "period", "consistent");
  struct {
    StringRef key;
    SplType::Kind kind;
    typed::StartNumber &number;
  } keys[] = {{"period", SplType::Float64, result.period},
              {"drainTimeout", SplType::Float64, result.drainTimeout},
              {"resetTimeout", SplType::Float64, result.resetTimeout},
              {"maxConsecutiveResetAttempts", SplType::UInt32, result.resetAttempts}};
  for (auto &[key, kind, number] : keys)
    readNumber(graph, inst, annotation, key, kind, number);
  if (graph.diags.errors() != before)
    return std::nullopt;
  graph.sema.program->marks.push_back(result);
  return unsigned(graph.sema.program->marks.size() - 1);
}

typed::Recovery sema::recoveryInside(const typed::Recovery &outer, const Annotations &annotations) {
  typed::Recovery result = outer;
  result.isMarked = annotations.consistent.has_value();
  if (annotations.consistent)
    result.marks.push_back(*annotations.consistent);
  if (annotations.autonomous)
    result.autonomous = annotations.autonomous;
  if (annotations.config.checkpoint)
    result.checkpoint = annotations.config.checkpoint;
  if (annotations.config.isRestartable)
    result.isRestartable = annotations.config.isRestartable;
  return result;
}

//===--- config ---------------------------------------------------------------===//

/// The value of a setting that takes a boolean; one that is no constant counts as true.
static std::optional<bool> booleanOf(GraphSema &graph, Instance &inst,
                                     const ast::Setting &setting) {
  if (setting.values.size() != 1) {
    graph.diags.report(setting.range, Diag::err_config_value, setting.label.text, "one value");
    return std::nullopt;
  }
  typed::ExprPtr value =
      graph.sema.checkExpr(setting.values.front(), *inst.scope, graph.types.get(SplType::Boolean));
  if (!value)
    return std::nullopt;
  auto *constant = llvm::dyn_cast<typed::ConstExpr>(value.get());
  return !constant || constant->integer();
}

/// periodic(SECONDS) or operatorDriven. False after an error.
static bool checkCheckpoint(GraphSema &graph, Instance &inst, const ast::Setting &setting) {
  const ast::Expr *value = setting.values.size() == 1 ? setting.values.front() : nullptr;
  const ast::NameExpr *name = value ? plainName(value) : nullptr;
  if (name && name->name.text == "operatorDriven")
    return true;
  auto *call = value ? llvm::dyn_cast<ast::CallExpr>(value) : nullptr;
  const ast::NameExpr *callee = call ? plainName(call->callee) : nullptr;
  if (callee && callee->name.text == "periodic" && call->args.size() == 1) {
    typed::ExprPtr seconds =
        graph.sema.checkExpr(call->args[0], *inst.scope, graph.types.get(SplType::Float64));
    if (!seconds)
      return false;
    std::optional<double> constant = numberOf(*seconds);
    if (!constant || *constant > 0)
      return true;
  }
  graph.diags.report(value ? value->range : setting.range, Diag::err_config_value,
                     setting.label.text,
                     "periodic(SECONDS), with a number above 0, or operatorDriven");
  return false;
}

void sema::checkRecoverySettings(GraphSema &graph, Instance &inst,
                                 llvm::ArrayRef<ast::Setting> settings, typed::Recovery &recovery) {
  std::optional<Range> relocatable;
  for (const ast::Setting &setting : settings) {
    StringRef name = setting.label.text;
    if (name == "restartable")
      recovery.isRestartable = booleanOf(graph, inst, setting);
    else if (name == "relocatable" && booleanOf(graph, inst, setting).value_or(false))
      relocatable = setting.range;
    else if (name == "checkpoint" && checkCheckpoint(graph, inst, setting))
      recovery.checkpoint = setting.range;
  }
  if (recovery.isRestartable.value_or(true))
    return;
  if (relocatable)
    graph.diags.report(*relocatable, Diag::err_relocatable);
  if (recovery.checkpoint)
    graph.diags.report(*recovery.checkpoint, Diag::warn_checkpoint_unused);
}
