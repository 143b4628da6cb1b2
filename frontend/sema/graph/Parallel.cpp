//===- Parallel.cpp - @parallel regions ----------------------------------===//
//
// language.md 9.2. A primitive or composite invocation with the annotation is a region: a
// template. When the program starts, the runtime makes as many replicas as the width
// says. Each stream that enters the region is split on its own.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/graph/GraphChecks.h"
#include "frontend/sema/graph/GraphSema.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

static constexpr int64_t kMaxWidth = 4096; // the runtime says the same of submission-time values

//===--- how streams are split -------------------------------------------------===//

/// Reports a string where the name of an attribute or a port is to stand. Whether it is one.
static bool isInQuotes(Diagnostics &diags, const ast::Expr *e, StringRef what) {
  if (e->kind != ast::ExprKind::String)
    return false;
  diags.report(e->range, Diag::err_name_in_quotes, diags.text(e->range).trim("\"'"), what);
  return true;
}

/// The text of an expression in quotes, or what it is if it is long.
static std::string quoted(Diagnostics &diags, const ast::Expr *e) {
  StringRef text = diags.text(e->range);
  bool isLong = text.empty() || text.size() > 40 || text.contains('\n');
  return isLong ? "an expression" : "`" + text.str() + "`";
}

/// The port of which an expression is about: `L.a`, `{port = L}`, or null.
static const ast::NameExpr *portInside(const ast::Expr *e) {
  if (auto *member = llvm::dyn_cast<ast::MemberExpr>(e))
    return plainName(member->base);
  if (auto *tuple = llvm::dyn_cast<ast::BraceExpr>(e); tuple && !tuple->entries.empty()) {
    auto *assign = llvm::dyn_cast<ast::AssignExpr>(tuple->entries[0].key);
    return plainName(assign ? assign->rhs : tuple->entries[0].key);
  }
  return plainName(e);
}

static bool isPort(const ast::NameExpr *name, llvm::ArrayRef<PortView> ports) {
  return name && llvm::any_of(ports, [&](const PortView &port) {
           return llvm::is_contained(port.labels, name->name.text);
         });
}

void sema::unknownInputPort(Diagnostics &diags, const ast::Expr *e,
                            llvm::ArrayRef<PortView> ports) {
  if (const ast::NameExpr *name = plainName(e))
    return unknownInputPort(diags, e->range, name->name.text, ports);
  auto error = diags.report(e->range, Diag::err_port_name_wanted, quoted(diags, e));
  if (const ast::NameExpr *name = portInside(e); isPort(name, ports))
    return diags.note(error, e->range, Diag::note_did_you_mean, name->name.text);
  for (const PortView &port : ports)
    diags.note(error, port.range, Diag::note_input_port, port.name);
}

static void noBroadcastList(Diagnostics &diags, const ast::Expr *e,
                            llvm::ArrayRef<PortView> ports) {
  auto error =
      diags.report(e->range, Diag::err_parallel_split_form, "broadcast", "a list of input ports");
  if (const ast::NameExpr *name = portInside(e); isPort(name, ports))
    diags.note(error, e->range, Diag::note_did_you_mean, "[" + name->name.text.str() + "]");
}

/// The split of the port that `name` denotes; null after an error. A port may be named once.
static typed::Split *portToSplit(GraphSema &graph, const ast::Expr *e,
                                 llvm::ArrayRef<PortView> ports,
                                 std::vector<typed::Split> &splits) {
  if (isInQuotes(graph.diags, e, "port"))
    return nullptr;
  const ast::NameExpr *name = plainName(e);
  auto port = llvm::find_if(ports, [&](const PortView &p) {
    return name && llvm::is_contained(p.labels, name->name.text);
  });
  if (port == ports.end())
    return unknownInputPort(graph.diags, e, ports), nullptr;
  typed::Split &split = splits[port - ports.begin()];
  if (split.by == SplitKind::RoundRobin)
    return &split;
  graph.diags.report(e->range, Diag::err_parallel_port_twice, port->name);
  return nullptr;
}

namespace {
/// One entry of partitionBy: `{port = P, attributes = [a, b]}`.
struct PartitionEntry {
  const ast::Expr *port = nullptr;
  const ast::ListExpr *attributes = nullptr;
};
} // namespace

/// Nothing if the expression has another form.
static std::optional<PartitionEntry> partitionEntry(const ast::Expr *value) {
  auto *tuple = llvm::dyn_cast<ast::BraceExpr>(value);
  if (!tuple)
    return std::nullopt;
  PartitionEntry result;
  for (const ast::BraceExpr::Entry &entry : tuple->entries) {
    auto *assign = llvm::dyn_cast<ast::AssignExpr>(entry.key);
    const ast::NameExpr *key = assign ? plainName(assign->lhs) : nullptr;
    auto *list = assign ? llvm::dyn_cast<ast::ListExpr>(assign->rhs) : nullptr;
    if (key && key->name.text == "port" && !result.port)
      result.port = assign->rhs;
    else if (key && key->name.text == "attributes" && !result.attributes && list)
      result.attributes = list;
    else
      return std::nullopt;
  }
  bool isWhole = result.port && result.attributes && !result.attributes->elements.empty();
  return isWhole ? std::optional(result) : std::nullopt;
}

static void unknownKey(Diagnostics &diags, const ast::Expr *key, const PortView &port) {
  if (const ast::NameExpr *name = plainName(key)) {
    StringRef text = name->name.text;
    auto error = diags.report(key->range, Diag::err_partition_attribute, text, port.name);
    diags.noteNear(error, key->range, nearAttributes(port.type, text));
    return;
  }
  auto error =
      diags.report(key->range, Diag::err_attribute_name_wanted, port.name, quoted(diags, key));
  auto *member = llvm::dyn_cast<ast::MemberExpr>(key);
  const ast::NameExpr *of = member ? plainName(member->base) : nullptr;
  if (of && llvm::is_contained(port.labels, of->name.text) &&
      port.type->attribute(member->name.text))
    diags.note(error, key->range, Diag::note_did_you_mean, member->name.text);
  else if (!llvm::isa<ast::LiteralExpr>(key))
    diags.note(error, key->range, Diag::note_key_computed);
}

/// One entry of partitionBy, or a list of such.
static void checkPartition(GraphSema &graph, Instance &inst, const ast::Expr *value,
                           llvm::ArrayRef<PortView> ports, std::vector<typed::Split> &splits) {
  if (auto *list = llvm::dyn_cast<ast::ListExpr>(value)) {
    for (const ast::Expr *element : list->elements)
      checkPartition(graph, inst, element, ports, splits);
    return;
  }
  std::optional<PartitionEntry> entry = partitionEntry(value);
  if (!entry) {
    graph.diags.report(value->range, Diag::err_parallel_split_form, "partitionBy",
                       "a list of `{port = P, attributes = [a, b]}`");
    return;
  }
  typed::Split *split = portToSplit(graph, entry->port, ports, splits);
  if (!split)
    return;
  const PortView &port = ports[split - splits.data()];
  if (port.type->kind == SplType::Error)
    return graph.diags.withhold();
  for (const ast::Expr *element : entry->attributes->elements) {
    const ast::NameExpr *name = plainName(element);
    unsigned index = 0;
    const Entity *formal = name ? findEntity(*inst.scope, name->name.text) : nullptr;
    if (name && port.type->attribute(attributeName(inst, name->name.text), &index))
      split->keys.push_back(index);
    else if (formal && formal->kind == Entity::Unknown)
      graph.diags.withhold();
    else if (!isInQuotes(graph.diags, element, "attribute"))
      unknownKey(graph.diags, element, port);
  }
  split->by = SplitKind::ByKey;
}

//===--- the width ------------------------------------------------------------===//

/// False for literals that are no integers: checkKeys reports them.
static bool isIntegerOrComputed(const ast::Expr *e) {
  return !llvm::isa<ast::LiteralExpr>(e) || e->kind == ast::ExprKind::Int ||
         e->kind == ast::ExprKind::Hex;
}

/// A constant, or a submission-time value cast to int32.
static bool setWidth(Diagnostics &diags, typed::Region &region, const typed::Expr &e, Range range) {
  auto *cast = llvm::dyn_cast<typed::CastExpr>(&e);
  auto *submitted =
      cast ? llvm::dyn_cast<typed::SubmissionValueExpr>(cast->operand.get()) : nullptr;
  if (submitted && submitted->type->kind == SplType::RString) {
    region.submission = submitted->index;
    return true;
  }
  auto *constant = llvm::dyn_cast<typed::ConstExpr>(&e);
  if (!constant) {
    diags.report(range, Diag::err_parallel_width_form);
    return false;
  }
  region.width = constant->integer();
  if (region.width < 1)
    diags.report(range, Diag::err_parallel_width);
  else if (region.width > kMaxWidth)
    diags.report(range, Diag::err_parallel_width_large, kMaxWidth);
  return region.width >= 1 && region.width <= kMaxWidth;
}

void sema::checkParallel(GraphSema &graph, Instance &inst, const ast::Invocation &invocation,
                         const ast::Annotation &annotation, llvm::ArrayRef<PortView> ports,
                         Annotations &result) {
  unsigned before = graph.diags.errors();
  typed::Region region;
  region.path = graph.instanceName(invocation);
  region.kind = invocation.op.text.str();
  region.parent = inst.region;
  region.range = annotation.range;
  std::vector<typed::Split> splits(ports.size());
  if (const ast::Expr *width = valueOf(annotation, "width"); width && isIntegerOrComputed(width)) {
    Scope &scope =
        graph.scopes.placeScope(*inst.scope, graph.scopes.newPlace(Place::Constant), inst, {}, {});
    if (typed::ExprPtr value = graph.sema.checkExpr(width, scope, graph.types.get(SplType::Int32)))
      setWidth(graph.diags, region, *value, width->range);
  }
  if (const ast::Expr *partition = valueOf(annotation, "partitionBy"))
    checkPartition(graph, inst, partition, ports, splits);
  if (const ast::Expr *broadcast = valueOf(annotation, "broadcast")) {
    auto *list = llvm::dyn_cast<ast::ListExpr>(broadcast);
    if (!list)
      noBroadcastList(graph.diags, broadcast, ports);
    for (const ast::Expr *name : list ? list->elements : decltype(list->elements)())
      if (typed::Split *split = portToSplit(graph, name, ports, splits))
        split->by = SplitKind::ToAll;
  }
  if (graph.diags.errors() != before)
    return;
  result.region = int(graph.sema.program->regions.size());
  for (typed::Split &split : splits)
    split.region = unsigned(result.region);
  graph.sema.program->regions.push_back(std::move(region));
  result.splits = std::move(splits);
}
