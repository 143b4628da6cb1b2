//===- Windows.cpp - window clauses ---------------------------------------===//
//
// language.md 10. The words of a window are words only here: variables of the same name
// do not count. Their order is free, with a warning.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/graph/OperatorCheck.h"
#include "llvm/Support/Format.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;
using typed::ExprPtr;
using typed::Window;

namespace {
/// Reads one item.
class WindowReader {
public:
  WindowReader(Sema &sema, Scope &scope, const PortView &port, unsigned portIndex)
      : sema(sema), diags(sema.diags), scope(scope), port(port), portIndex(portIndex) {}
  std::optional<Window> read(const ast::Setting &);

private:
  void word(const ast::Expr *);
  bool bareWord(StringRef);
  void call(const ast::CallExpr *, StringRef name);
  void unknownWord(Range, StringRef text);
  void bound(const ast::CallExpr *, Window::Policy, StringRef name);
  void delta(const ast::CallExpr *, Window::Bound &);
  void limit(const ast::CallExpr *, Window::Limit, StringRef name);
  void pane(const ast::CallExpr *, ExprPtr &, StringRef name);
  ExprPtr size(const ast::Expr *, StringRef word, StringRef cls, SplType::Kind to);
  bool isFixed(const typed::Expr &, const ast::Expr *);
  bool isNegative(const typed::Expr &, const ast::Expr *, StringRef word);
  void checkFires(const Window::Bound &, StringRef what);
  void checkPanes();
  void setKind(Window::Kind, Range);
  void finishInterval(Range);
  void finishSliding(Range);
  void finish(Range);
  /// Where `rank` may stand behind what there was; else a warning.
  void ordered(unsigned rank, Range);

  Sema &sema;
  Diagnostics &diags;
  Scope &scope;
  const PortView &port;
  unsigned portIndex;
  Window window;
  std::vector<std::pair<Window::Bound, Range>> bounds;
  std::optional<Range> limitRange;
  bool hasKind = false, warned = false;
  unsigned last = 0;
};
} // namespace

void WindowReader::ordered(unsigned rank, Range range) {
  if (rank < last && !warned) {
    diags.report(range, Diag::warn_window_order);
    warned = true;
  }
  last = std::max(last, rank);
}

void WindowReader::setKind(Window::Kind kind, Range range) {
  if (hasKind && window.kind != kind)
    diags.report(range, Diag::err_window_kind);
  window.kind = kind;
  hasKind = true;
}

//===--- sizes ----------------------------------------------------------------===//

/// Sizes are evaluated once, at the start.
bool WindowReader::isFixed(const typed::Expr &e, const ast::Expr *at) {
  bool moves = anyExpr(e, [](const typed::Expr &part) {
    return tuplePort(part) || llvm::isa<typed::VarExpr>(part);
  });
  if (moves)
    diags.report(at->range, Diag::err_window_size_fixed);
  return !moves;
}

/// The size behind `word`, of class `cls`, as a value of kind `to`.
ExprPtr WindowReader::size(const ast::Expr *e, StringRef word, StringRef cls, SplType::Kind to) {
  ExprPtr value = sema.checkExpr(e, scope);
  if (!value || !isFixed(*value, e))
    return nullptr;
  if (!value->type->inClass(cls) || value->type->inClass("decimal") ||
      value->type->inClass("complex")) {
    auto error = diags.report(e->range, Diag::err_window_size, word,
                              cls == "integral"  ? "an integer"
                              : cls == "numeric" ? "a number"
                                                 : "a floating-point number",
                              value->type->str());
    sema.noteConversion(error, *value, sema.types.get(to), scope);
    return nullptr;
  }
  value = sema.convert(std::move(value), sema.types.get(to));
  return value && isNegative(*value, e, word) ? nullptr : std::move(value);
}

/// The value of a constant of type float64.
static std::optional<double> constantOf(const ExprPtr &size) {
  auto *constant = size ? llvm::dyn_cast<typed::ConstExpr>(size.get()) : nullptr;
  return constant ? std::optional(constant->real()) : std::nullopt;
}

/// Reports constants out of range. The others are checked at the start (spl.check_size).
void WindowReader::checkPanes() {
  const Window::Panes &panes = window.panes;
  auto duration = constantOf(panes.duration), offset = constantOf(panes.offset);
  for (const ExprPtr *length : {&panes.duration, &panes.period})
    if (auto seconds = constantOf(*length); seconds && !(*seconds >= 1e-9))
      diags.report((*length)->range, Diag::err_window_pane_length,
                   length == &panes.duration ? "intervalDuration" : "creationPeriod");
  if (duration && offset && *duration >= 1e-9 && !(*offset < *duration))
    diags.report(panes.offset->range, Diag::err_window_pane_offset);
}

/// A float, or a decimal as the nearest one.
static double realOf(const typed::ConstExpr &number) {
  double real = 0;
  if (number.type->isDecimal())
    number.text().getAsDouble(real);
  else
    real = number.real();
  return real;
}

bool sema::isBadSize(Diagnostics &diags, const typed::Expr &value, Range range, StringRef word,
                     bool positive) {
  auto *constant = llvm::dyn_cast<typed::ConstExpr>(&value);
  bool isInteger = value.type->inClass("integral");
  if (!constant || !(isInteger || value.type->inClass("floatingpoint")))
    return false;
  bool isSigned = !isInteger || (value.type->info().classes & type_class::Signed);
  double number = isInteger ? double(constant->integer()) : realOf(*constant);
  if (number > 0 || (isSigned ? number == 0 && !positive : number != 0 || !positive))
    return false;
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.15g", number);
  diags.report(range, Diag::err_bad_size, word, text,
               number < 0    ? "below 0"
               : number == 0 ? "not above 0"
                             : "no number");
  return true;
}

bool WindowReader::isNegative(const typed::Expr &value, const ast::Expr *at, StringRef word) {
  return isBadSize(diags, value, at->range, word, /*positive=*/false);
}

/// A clock that ticks has a period. A count of 0 is never reached.
void WindowReader::checkFires(const Window::Bound &bound, StringRef what) {
  auto *constant = llvm::dyn_cast_or_null<typed::ConstExpr>(bound.size.get());
  if (bound.policy == Window::Policy::Time && constant)
    isBadSize(diags, *constant, constant->range, "time", /*positive=*/true);
  if (bound.policy == Window::Policy::Count && constant && constant->integer() == 0)
    diags.report(constant->range, Diag::warn_window_never, what);
}

//===--- policies ----------------------------------------------------------------===//

/// delta(attribute, distance).
void WindowReader::delta(const ast::CallExpr *call, Window::Bound &bound) {
  ExprPtr attribute = sema.checkExpr(call->args[0], scope);
  if (!attribute)
    return;
  auto *field = llvm::dyn_cast<typed::FieldExpr>(attribute.get());
  auto *tuple = field ? llvm::dyn_cast<typed::TupleExpr>(field->base.get()) : nullptr;
  bool isTime = attribute->type->kind == SplType::Timestamp;
  if (!tuple || tuple->port != portIndex || !(attribute->type->inClass("numeric") || isTime) ||
      attribute->type->inClass("complex")) {
    diags.report(call->args[0]->range, Diag::err_window_delta_attribute, port.name);
    return;
  }
  bound.attribute = field->index;
  Type wanted = isTime ? sema.types.get(SplType::Float64) : attribute->type;
  ExprPtr distance = sema.checkExpr(call->args[1], scope);
  if (!distance || !isFixed(*distance, call->args[1]))
    return;
  if (distance->type != wanted) {
    auto error = diags.report(call->args[1]->range, Diag::err_window_size, "delta",
                              "a `" + wanted->str() + "`", distance->type->str());
    return sema.noteConversion(error, *distance, wanted, scope);
  }
  if (!isNegative(*distance, call->args[1], "delta"))
    bound.size = std::move(distance);
}

void WindowReader::bound(const ast::CallExpr *call, Window::Policy policy, StringRef name) {
  ordered(bounds.empty() ? 1 : 2, call->range);
  size_t wanted = policy == Window::Policy::Delta ? 2 : policy != Window::Policy::Punct;
  if (call->args.size() != wanted) {
    diags.report(call->range, Diag::err_window_arguments, name,
                 policy == Window::Policy::Delta   ? "an attribute and a distance"
                 : policy == Window::Policy::Punct ? "nothing"
                                                   : "a size");
    return;
  }
  Window::Bound bound;
  bound.policy = policy;
  if (policy == Window::Policy::Delta)
    delta(call, bound);
  else if (policy == Window::Policy::Count)
    bound.size = size(call->args[0], name, "integral", SplType::Int64);
  else if (policy == Window::Policy::Time)
    bound.size = size(call->args[0], name, "numeric", SplType::Float64);
  bounds.emplace_back(std::move(bound), call->range);
}

/// partitionAge(seconds), partitionCount(n), tupleCount(n).
void WindowReader::limit(const ast::CallExpr *call, Window::Limit limit, StringRef name) {
  ordered(4, call->range);
  if (limitRange) {
    auto error = diags.report(call->range, Diag::err_window_limit_twice);
    diags.note(error, *limitRange, Diag::note_previous_here);
    return;
  }
  limitRange = call->range;
  window.limit = limit;
  if (call->args.size() != 1) {
    diags.report(call->range, Diag::err_window_arguments, name, "a size");
    return;
  }
  bool isAge = limit == Window::Limit::Age;
  window.limitSize = size(call->args[0], name, isAge ? "floatingpoint" : "integral",
                          isAge ? SplType::Float64 : SplType::Int64);
  auto *constant = llvm::dyn_cast_or_null<typed::ConstExpr>(window.limitSize.get());
  if (!isAge && constant && constant->integer() == 0)
    diags.report(constant->range, Diag::warn_window_limit, name);
}

/// A length of timeInterval.
void WindowReader::pane(const ast::CallExpr *call, ExprPtr &slot, StringRef name) {
  ordered(1, call->range);
  if (slot || call->args.size() != 1) {
    diags.report(call->range, Diag::err_window_arguments, name, "one length, once");
    return;
  }
  slot = size(call->args[0], name, "floatingpoint", SplType::Float64);
}

//===--- words -------------------------------------------------------------------===//

bool WindowReader::bareWord(StringRef name) {
  if (name == "partitioned") {
    window.partitioned = true;
    return true;
  }
  return name == "tumbling" || name == "sliding" || name == "timeInterval";
}

void WindowReader::call(const ast::CallExpr *call, StringRef name) {
  ExprPtr *length = llvm::StringSwitch<ExprPtr *>(name)
                        .Case("intervalDuration", &window.panes.duration)
                        .Case("creationPeriod", &window.panes.period)
                        .Case("intervalOffset", &window.panes.offset)
                        .Case("discardAge", &window.panes.discardAge)
                        .Default(nullptr);
  if (length)
    return pane(call, *length, name);
  if (auto policy = stream::symbolizeWindowPolicy(name)) // which has the words of the language
    return bound(call, *policy, name);
  auto partitions = llvm::StringSwitch<std::optional<Window::Limit>>(name)
                        .Case("partitionCount", Window::Limit::Partitions)
                        .Case("tupleCount", Window::Limit::Tuples)
                        .Case("partitionAge", Window::Limit::Age)
                        .Default(std::nullopt);
  if (partitions)
    return limit(call, *partitions, name);
  unknownWord(call->range, name);
}

/// What somebody means who has left out the argument of a word, or has given one to another.
static StringRef completeWord(StringRef text) {
  return llvm::StringSwitch<StringRef>(text.take_while([](char c) { return llvm::isAlpha(c); }))
      .Cases({"tumbling", "tumble"}, "tumbling, count(n)")
      .Cases({"sliding", "hopping", "hop"}, "sliding, count(n), count(m)")
      .Cases({"count", "rows"}, "count(n)")
      .Case("time", "time(seconds)")
      .Case("delta", "delta(attribute, d)")
      .Case("punct", "punct()")
      .Case("", "count(n)") // a number alone
      .Default("");
}

void WindowReader::unknownWord(Range range, StringRef text) {
  if (text == "timeInterval" || text == "partitioned")
    return (void)diags.report(range, Diag::err_window_value, text);
  auto error = diags.report(range, Diag::err_window_word, text);
  if (StringRef complete = completeWord(text); !complete.empty())
    return diags.note(error, range, Diag::note_did_you_mean, complete);
  NearNames near(text);
  for (const char *word : {"tumbling", "sliding", "partitioned", "count", "time", "delta", "punct",
                           "partitionCount", "tupleCount", "partitionAge", "timeInterval",
                           "intervalDuration", "creationPeriod", "intervalOffset", "discardAge"})
    near.offer(word);
  diags.noteNear(error, range, near);
}

void WindowReader::word(const ast::Expr *e) {
  auto *called = llvm::dyn_cast<ast::CallExpr>(e);
  const ast::NameExpr *name = plainName(called ? called->callee : e);
  StringRef text = name ? name->name.text : StringRef();
  if (called && name)
    return call(called, text);
  if (!name || !bareWord(text)) {
    unknownWord(e->range, diags.text(e->range));
    return;
  }
  if (text == "partitioned")
    return ordered(3, e->range);
  ordered(0, e->range);
  setKind(text == "tumbling"  ? Window::Kind::Tumbling
          : text == "sliding" ? Window::Kind::Sliding
                              : Window::Kind::Interval,
          e->range);
}

//===--- all of it ------------------------------------------------------------------===//

/// A timeInterval window.
void WindowReader::finishInterval(Range range) {
  if (!bounds.empty())
    diags.report(bounds[0].second, Diag::err_window_panes, "has no other policies");
  else if (!window.panes.duration)
    diags.report(range, Diag::err_window_panes, "needs intervalDuration(seconds)");
  else if (limitRange)
    diags.report(*limitRange, Diag::err_window_panes, "does not evict partitions");
  checkPanes();
  for (ExprPtr *length : {&window.panes.offset, &window.panes.discardAge})
    if (!*length)
      *length = std::make_unique<typed::ConstExpr>(sema.types.get(SplType::Float64), range, 0.0);
}

/// A sliding window, with its trigger policy or the one that it has without.
void WindowReader::finishSliding(Range range) {
  for (const auto &[bound, at] : bounds)
    if (bound.policy == Window::Policy::Punct)
      diags.report(at, Diag::err_window_punct);
  if (bounds.size() == 2)
    window.trigger = std::move(bounds[1].first);
  else // count(1)
    window.trigger.size =
        std::make_unique<typed::ConstExpr>(sema.types.get(SplType::Int64), range, int64_t(1));
  checkFires(window.trigger, "trigger");
}

/// What goes together, once all words are known.
void WindowReader::finish(Range range) {
  if (limitRange && !window.partitioned)
    diags.report(*limitRange, Diag::err_window_limit_unpartitioned,
                 window.limit == Window::Limit::Age          ? "partitionAge"
                 : window.limit == Window::Limit::Partitions ? "partitionCount"
                                                             : "tupleCount");
  const Window::Panes &panes = window.panes;
  bool hasPanes = panes.duration || panes.period || panes.offset || panes.discardAge;
  if (window.kind == Window::Kind::Interval)
    return finishInterval(range);
  if (hasPanes) {
    diags.report(range, Diag::err_window_kind);
    return;
  }
  if (!hasKind)
    window.kind = bounds.size() == 2 ? Window::Kind::Sliding : Window::Kind::Tumbling;
  bool sliding = window.kind == Window::Kind::Sliding;
  if (bounds.empty() || bounds.size() > (sliding ? 2 : 1)) {
    diags.report(bounds.empty() ? range : bounds.back().second, Diag::err_window_policies,
                 sliding ? "sliding" : "tumbling",
                 sliding ? "an eviction policy and at most one trigger policy" : "one policy",
                 sliding ? "" : ", or punct()");
    return;
  }
  window.evict = std::move(bounds[0].first);
  sliding ? finishSliding(range) : checkFires(window.evict, "tumbling window");
}

std::optional<Window> WindowReader::read(const ast::Setting &setting) {
  unsigned before = diags.errors();
  window.range = setting.range;
  for (const ast::Expr *value : setting.values)
    word(value);
  if (diags.errors() == before)
    finish(setting.range);
  if (diags.errors() != before)
    return std::nullopt;
  return std::move(window);
}

//===--- the clause -------------------------------------------------------------------===//

std::optional<Window> OperatorCheck::window(const ast::Setting &setting, unsigned port) {
  Place &place = graph.scopes.newPlace(Place::PerTupleParam);
  Scope &at = graph.scopes.placeScope(*scope, place, inst, ports, {port});
  return WindowReader(sema, at, ports[port], port).read(setting);
}

void OperatorCheck::windows() {
  llvm::StringMap<Range> seen;
  unsigned before = diags.errors();
  for (const ast::Setting &item : invocation.window) {
    int port = inputPort(item.label);
    if (port < 0)
      continue;
    auto [slot, isNew] = seen.try_emplace(op.inputs[port].name, item.label.range);
    if (!isNew) {
      auto error = diags.report(item.label.range, Diag::err_window_twice, item.label.text);
      diags.note(error, slot->second, Diag::note_previous_here);
    } else if (model.input(port).window == Model::Window::None) {
      auto error = diags.report(invocation.op.range, Diag::err_window_not_allowed, name());
      diags.note(error, item.label.range, Diag::note_clause_here);
    } else {
      auto &read = op.inputs[port].window = window(item, port);
      if (read && read->kind == Window::Kind::Interval && !model.input(port).mayBeInterval) {
        diags.report(read->range, Diag::err_window_interval, name());
        read.reset();
      }
      if (read && read->kind == Window::Kind::Tumbling &&
          read->evict.policy == Window::Policy::Punct)
        op.inputs[port].needsPunct = op.inputs[port].range;
    }
  }
  for (auto [index, port] : llvm::enumerate(op.inputs))
    if (model.input(index).window == Model::Window::Required && !seen.contains(port.name) &&
        diags.errors() == before) {
      auto error = diags.report(invocation.op.range, Diag::err_window_missing, name(), port.name);
      diags.note(error, port.range, Diag::note_window_example, port.name,
                 model.input(index).onlySliding ? "sliding, count(100)" : "tumbling, count(100)");
    }
}
