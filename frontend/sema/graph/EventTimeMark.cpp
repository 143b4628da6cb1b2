//===- EventTimeMark.cpp - @eventTime -------------------------------------===//
//
// language.md 9.1. The annotation is read before the outputs of the operator are known. An integer
// without a resolution counts milliseconds; a timestamp always counts nanoseconds.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/graph/GraphChecks.h"
#include "frontend/sema/graph/GraphSema.h"

using namespace sluice;
using namespace sluice::sema;
using typed::EventTime;

static constexpr int64_t kLongest = kMostEventTime / 4; // 36 years: sums do not overflow

/// The names of `a.b`, the outermost first; empty if the expression is something else.
static std::vector<std::string> pathOf(const ast::Expr *e) {
  if (auto *member = llvm::dyn_cast<ast::MemberExpr>(e)) {
    std::vector<std::string> path = pathOf(member->base);
    if (!path.empty())
      path.push_back(member->name.text.str());
    return path;
  }
  const ast::NameExpr *name = plainName(e);
  if (!name || !name->path.parts.empty())
    return {};
  return {name->name.text.str()};
}

static EventTime::Resolution resolutionOf(const ast::Expr *e) {
  return llvm::StringSwitch<EventTime::Resolution>(plainName(e)->name.text)
      .Case("Microseconds", EventTime::Microseconds)
      .Case("Nanoseconds", EventTime::Nanoseconds)
      .Default(EventTime::Milliseconds);
}

/// The seconds that a key gives, in nanoseconds; nothing after an error.
static std::optional<int64_t> nanosOf(GraphSema &graph, Instance &inst,
                                      const ast::Annotation &annotation, llvm::StringRef key,
                                      int64_t otherwise) {
  const ast::Expr *e = valueOf(annotation, key);
  if (!e)
    return otherwise;
  Scope &scope =
      graph.scopes.placeScope(*inst.scope, graph.scopes.newPlace(Place::Constant), inst, {}, {});
  typed::ExprPtr value = graph.sema.checkExpr(e, scope, graph.types.get(SplType::Float64));
  if (!value)
    return std::nullopt;
  auto *constant = llvm::dyn_cast<typed::ConstExpr>(value.get());
  if (constant && constant->real() >= 0)
    return std::llround(std::min(constant->real() * 1e9, double(kLongest)));
  bool isSubmitted = anyExpr(
      *value, [](const typed::Expr &part) { return llvm::isa<typed::SubmissionValueExpr>(part); });
  if (isSubmitted)
    graph.diags.report(e->range, Diag::err_not_supported,
                       ("a submission-time value as `" + key + "`").str());
  else
    graph.diags.report(e->range, Diag::err_event_time_seconds, key);
  return std::nullopt;
}

std::optional<EventTimeMark> sema::checkEventTime(GraphSema &graph, Instance &inst,
                                                  const ast::Annotation &annotation) {
  EventTimeMark mark;
  const ast::Expr *attribute = valueOf(annotation, "eventTimeAttribute");
  mark.attribute = attribute->range;
  mark.path = pathOf(attribute);
  if (mark.path.empty()) {
    graph.diags.report(attribute->range, Diag::err_event_time_path);
    return std::nullopt;
  }
  mark.path.front() = attributeName(inst, mark.path.front()).str();
  if (const ast::Expr *resolution = valueOf(annotation, "resolution")) {
    mark.resolution = resolutionOf(resolution);
    mark.resolutionRange = resolution->range;
  }
  std::optional<int64_t> gap = nanosOf(graph, inst, annotation, "minimumGap", 100'000'000);
  std::optional<int64_t> lag = nanosOf(graph, inst, annotation, "lag", 0);
  if (!gap || !lag)
    return std::nullopt;
  mark.watermarks = {*gap, *lag};
  return mark;
}

void sema::markEventTime(Diagnostics &diags, typed::Operator &op, const EventTimeMark &mark) {
  Type wrong = nullptr;
  bool any = false;
  for (typed::OutputPort &port : op.outputs) {
    Type type = EventTime::find(port.stream->type, mark.path);
    bool isTimestamp = type && type->kind == SplType::Timestamp;
    bool isTicks = type && (type->kind == SplType::Int64 || type->kind == SplType::UInt64);
    if (!isTimestamp && !isTicks) {
      wrong = type ? type : wrong;
      continue;
    }
    any = true;
    auto resolution = isTimestamp ? EventTime::Nanoseconds : EventTime::Milliseconds;
    if (isTimestamp && mark.resolution.value_or(resolution) != resolution)
      diags.report(mark.resolutionRange, Diag::err_event_time_resolution);
    port.eventTime = EventTime{mark.path, type, mark.resolution.value_or(resolution)};
    port.watermarks = mark.watermarks;
  }
  if (any)
    return;
  std::string name = llvm::join(mark.path, ".");
  if (wrong) {
    diags.report(mark.attribute, Diag::err_event_time_type, name, wrong->str());
    return;
  }
  auto error = diags.report(mark.attribute, Diag::err_event_time_attribute, op.kind, name);
  for (const typed::OutputPort &port : op.outputs)
    diags.note(error, port.stream->range, Diag::note_output_type, port.name,
               port.stream->type->str());
}
