//===- Placement.cpp - config placement: which PEs operators are in ------===//
//
// language.md 9.3. The placement of the innermost composite or operator that has one holds. What it
// says of hosts is checked and dropped; what it says of partitions, which are processes (PEs), is
// kept for the pass stream-partition.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/graph/GraphChecks.h"
#include "frontend/sema/graph/GraphSema.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;
using Id = typed::Placement::Id;

static StringRef callee(const ast::CallExpr &call) {
  const ast::NameExpr *name = plainName(call.callee);
  return name ? name->name.text : StringRef();
}

static const ast::Expr *withoutParens(const ast::Expr *e) {
  while (auto *paren = llvm::dyn_cast<ast::ParenExpr>(e))
    e = paren->inner;
  return e;
}

/// Whether the value is the number of a channel, as text.
static bool isChannelText(const typed::Expr &e) {
  auto *cast = llvm::dyn_cast<typed::CastExpr>(&e);
  auto *call = cast ? llvm::dyn_cast<typed::NativeCallExpr>(cast->operand.get()) : nullptr;
  return call && call->proto->facts.intrinsic == spl::Intrinsic::channel;
}

/// A constant rstring; `+` may join it with what differs from replica to replica.
static std::optional<Id> placementId(GraphSema &graph, Instance &inst, const ast::Expr *e) {
  e = withoutParens(e);
  if (auto *call = llvm::dyn_cast<ast::CallExpr>(e);
      call && (callee(*call) == "byChannel" || callee(*call) == "byReplica"))
    return Id{"", true};
  if (auto *sum = llvm::dyn_cast<ast::BinaryExpr>(e);
      sum && sum->op == ast::BinaryOp::Add && !sum->dotted) {
    std::optional<Id> left = placementId(graph, inst, sum->lhs),
                      right = placementId(graph, inst, sum->rhs);
    if (!left || !right)
      return std::nullopt;
    return Id{left->text + right->text, left->perReplica || right->perReplica};
  }
  Scope &scope =
      graph.scopes.placeScope(*inst.scope, graph.scopes.newPlace(Place::Constant), inst, {}, {});
  typed::ExprPtr value = graph.sema.checkExpr(e, scope, graph.types.get(SplType::RString));
  if (!value)
    return std::nullopt;
  if (auto *constant = llvm::dyn_cast<typed::ConstExpr>(value.get()))
    return Id{constant->text().str()};
  if (isChannelText(*value))
    return Id{"", true};
  graph.diags.report(e->range, Diag::err_placement_id);
  return std::nullopt;
}

/// Neither a placement, nor one of another toolkit: says which there are.
static void badPlacement(Diagnostics &diags, const ast::Setting &setting, const ast::Expr *value,
                         StringRef word) {
  static constexpr const char *words[] = {
      "partitionIsolation", "partitionColocation(\"id\")", "partitionExlocation(\"id\")",
      "hostIsolation",      "hostColocation(\"id\")",      "hostExlocation(\"id\")",
      "host(\"name\")"};
  auto error = diags.report(value->range, Diag::err_config_value, setting.label.text,
                            llvm::join(llvm::ArrayRef(words), ", "));
  NearNames near(word);
  for (StringRef other : words)
    near.offer(other.take_until([](char c) { return c == '('; }), other);
  diags.noteNear(error, value->range, near);
}

/// A comma list of words and calls.
typed::Placement sema::placementOf(GraphSema &graph, Instance &inst, const ast::Setting &setting) {
  typed::Placement result;
  result.range = setting.range;
  unsigned hosts = 0;
  for (const ast::Expr *value : setting.values) {
    if (const ast::NameExpr *name = plainName(value)) {
      if (name->name.text == "partitionIsolation")
        result.isolation = true;
      else if (name->name.text != "hostIsolation")
        badPlacement(graph.diags, setting, value, name->name.text);
      continue;
    }
    auto *call = llvm::dyn_cast<ast::CallExpr>(value);
    StringRef word = call ? callee(*call) : StringRef();
    if (word == "partitionColocation" || word == "partitionExlocation") {
      if (call->args.size() != 1)
        graph.diags.report(value->range, Diag::err_argument_count, word, "1 argument");
      else if (std::optional<Id> id = placementId(graph, inst, call->args[0]))
        (word == "partitionColocation" ? result.colocation : result.exlocation).push_back(*id);
    } else if (!llvm::is_contained({"host", "hostColocation", "hostExlocation"}, word)) {
      badPlacement(graph.diags, setting, value, word);
    } else if (word == "host" && ++hosts == 2) {
      graph.diags.report(value->range, Diag::err_config_value, setting.label.text,
                         "only one host(...)");
    }
  }
  return result;
}

//===--- contradictions -----------------------------------------------------===//

/// The region of whose replicas each has an id of its own; nothing if all have one id.
static std::optional<int> regionOf(const Id &id, const typed::Operator &op) {
  return id.perReplica ? std::optional(op.region) : std::nullopt;
}

namespace {
/// Operators that ids of partitionColocation put into one PE, transitively.
class Groups {
public:
  void add(const typed::Operator &op) {
    unsigned index = ops.size();
    ops.push_back(&op);
    groups.grow(index + 1);
    for (const Id &id : op.placement.colocation) {
      auto [first, isNew] = firstWith.try_emplace({id.text, regionOf(id, op)}, index);
      if (!isNew)
        groups.join(index, first->second);
    }
  }
  bool together(unsigned a, unsigned b) { return groups.findLeader(a) == groups.findLeader(b); }

  std::vector<const typed::Operator *> ops;

private:
  llvm::IntEqClasses groups;
  std::map<std::pair<std::string, std::optional<int>>, unsigned> firstWith;
};
} // namespace

static void addPlaced(const typed::Composite &composite, Groups &groups) {
  for (const typed::Operator &op : composite.operators)
    if (op.placement.isGiven())
      groups.add(op);
  for (const typed::Composite &inner : composite.composites)
    addPlaced(inner, groups);
}

/// An id that both are to be apart by; null if there is none.
static const Id *apart(const typed::Operator &a, const typed::Operator &b) {
  for (const Id &id : a.placement.exlocation)
    if (llvm::is_contained(b.placement.exlocation, id) && regionOf(id, a) == regionOf(id, b))
      return &id;
  return nullptr;
}

void sema::checkPlacements(GraphSema &graph) {
  Groups groups;
  addPlaced(graph.sema.program->main, groups);
  auto note = [&](auto &&error, const typed::Operator &op) {
    graph.diags.note(error, op.placement.range, Diag::note_placed_here, op.name);
  };
  for (unsigned b = 0; b < groups.ops.size(); ++b)
    for (unsigned a = 0; a < b; ++a) {
      const typed::Operator &one = *groups.ops[a], &other = *groups.ops[b];
      if (!groups.together(a, b))
        continue;
      const Id *id = apart(one, other);
      if (id)
        note(graph.diags.report(other.placement.range, Diag::err_placement_apart, other.name,
                                one.name, id->text),
             one);
      else if (one.placement.isolation || other.placement.isolation)
        note(graph.diags.report(other.placement.range, Diag::err_placement_isolated, other.name,
                                one.name, one.placement.isolation ? one.name : other.name),
             one);
    }
}
