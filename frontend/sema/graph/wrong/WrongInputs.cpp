//===- WrongInputs.cpp - streams for which a composite is not made ---------===//
//
// What a composite reads of its input ports stands in its body. A stream that lacks some of it
// makes an error at each place; one error at the invocation says it all, if the invocation is at
// fault.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/graph/GraphSema.h"
#include "frontend/syntax/ASTWalk.h"
#include "llvm/ADT/MapVector.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

namespace {
/// The attributes that a body reads of one input port, and the first place of each.
struct Reads {
  llvm::MapVector<StringRef, Range> qualified; // Port.attribute
  /// Names alone where the port is the only input. Not all are attributes.
  llvm::MapVector<StringRef, Range> bare;

  /// Whether `type` has all that is surely read, and all other names that `given` has.
  bool fit(Type type, Type given) const {
    return llvm::all_of(qualified, [&](auto &read) { return type->attribute(read.first); }) &&
           llvm::all_of(bare, [&](auto &read) {
             return type->attribute(read.first) || !given->attribute(read.first);
           });
  }
  /// What `given` lacks, with the first place of each; of the bare names those that `type` has.
  llvm::MapVector<StringRef, Range> lacking(Type given, Type type) const {
    llvm::MapVector<StringRef, Range> result;
    for (auto &read : qualified)
      if (!given->attribute(read.first))
        result.insert(read);
    for (auto &read : bare)
      if (!given->attribute(read.first) && type && type->attribute(read.first))
        result.insert(read);
    return result;
  }
};
} // namespace

/// What the statements declare: `found` gets the names.
static void declaredNames(const ast::Stmt *stmt, llvm::StringSet<> &found) {
  if (auto *s = llvm::dyn_cast_or_null<ast::DeclStmt>(stmt)) {
    for (const ast::Declarator &declarator : s->declarators)
      found.insert(declarator.name.text);
  } else if (auto *s = llvm::dyn_cast_or_null<ast::Block>(stmt)) {
    for (const ast::Stmt *inner : s->body)
      declaredNames(inner, found);
  } else if (auto *s = llvm::dyn_cast_or_null<ast::IfStmt>(stmt)) {
    declaredNames(s->then, found);
    declaredNames(s->otherwise, found);
  } else if (auto *s = llvm::dyn_cast_or_null<ast::WhileStmt>(stmt)) {
    declaredNames(s->body, found);
  } else if (auto *s = llvm::dyn_cast_or_null<ast::ForStmt>(stmt)) {
    found.insert(s->name.text);
    declaredNames(s->body, found);
  }
}

/// What `e` assigns to or steps; null if nothing.
static const ast::Expr *writtenBy(const ast::Expr &e) {
  if (auto *assign = llvm::dyn_cast<ast::AssignExpr>(&e))
    return assign->lhs;
  if (auto *step = llvm::dyn_cast<ast::PostfixExpr>(&e))
    return step->op == ast::PostfixOp::Inc || step->op == ast::PostfixOp::Dec ? step->operand
                                                                              : nullptr;
  auto *step = llvm::dyn_cast<ast::UnaryExpr>(&e);
  bool writes = step && (step->op == ast::UnaryOp::PreInc || step->op == ast::UnaryOp::PreDec);
  return writes ? step->operand : nullptr;
}

/// Names that are hardly attributes of an input: variables of the logic, and what is written.
static llvm::StringSet<> variablesOf(const ast::Invocation &invocation) {
  llvm::StringSet<> found;
  for (const ast::LogicItem &item : invocation.logic) {
    for (const ast::DeclStmt *state : item.states)
      declaredNames(state, found);
    declaredNames(item.body, found);
  }
  ast::visitExprs(invocation, [&](const ast::Expr &e) {
    if (auto *name = llvm::dyn_cast_or_null<ast::NameExpr>(writtenBy(e)))
      found.insert(name->name.text);
    return true;
  });
  return found;
}

/// Adds the parts of `e` that name something else than a value: the attributes of a tuple literal,
/// a function.
static void addNoValues(const ast::Expr &e, llvm::SmallPtrSetImpl<const ast::Expr *> &found) {
  if (auto *braces = llvm::dyn_cast<ast::BraceExpr>(&e))
    for (const ast::BraceExpr::Entry &entry : braces->entries)
      if (auto *given = llvm::dyn_cast<ast::AssignExpr>(entry.key); given && !entry.value)
        found.insert(given->lhs);
  if (auto *call = llvm::dyn_cast<ast::CallExpr>(&e))
    found.insert(call->callee);
}

static Reads readsOf(const ast::Composite &def, StringRef port) {
  Reads reads;
  for (const ast::Invocation *invocation : def.graph)
    for (const ast::InPort &input : invocation->inputs) {
      auto isLabel = [&](StringRef name) {
        return name == input.alias.text ||
               llvm::any_of(input.streams, [&](auto &stream) { return stream.text == name; });
      };
      if (!isLabel(port) || port == input.alias.text)
        continue;
      llvm::StringSet<> variables = variablesOf(*invocation);
      llvm::SmallPtrSet<const ast::Expr *, 8> noValues;
      ast::visitExprs(*invocation, [&](const ast::Expr &e) {
        auto *member = llvm::dyn_cast<ast::MemberExpr>(&e);
        auto *base = member ? plainName(member->base) : nullptr;
        auto *name = llvm::dyn_cast<ast::NameExpr>(&e);
        addNoValues(e, noValues);
        if (base && base->path.parts.empty() && isLabel(base->name.text))
          reads.qualified.insert({member->name.text, member->name.range});
        if (name && name->path.parts.empty() && invocation->inputs.size() == 1 &&
            !noValues.contains(name) && !variables.contains(name->name.text))
          reads.bare.insert({name->name.text, name->range});
        return !base; // the name of a port alone is no attribute
      });
    }
  return reads;
}

/// What an instance was given and reads, and what would fit better.
class GraphSema::WrongInputs {
public:
  WrongInputs(GraphSema &graph, Instance &inst) : graph(graph), inst(inst) {
    for (const ast::PortDecl &port : inst.def.composite->inputs)
      reads.push_back(readsOf(*inst.def.composite, port.name.text));
  }

  /// Reports ports whose streams are certainly not those that are meant.
  /// `errors` are the places of those in the body.
  bool report(llvm::ArrayRef<mlir::Location> errors) {
    bool any = false;
    for (unsigned port = 0; port < reads.size(); ++port) {
      if (!isOpen(port) || !isCause(port, errors))
        continue;
      if (std::optional<unsigned> other = swapped(port)) {
        bool isFirst = lacks(port, typeOf(*other));
        reportPort(isFirst ? port : *other, typeOf(isFirst ? *other : port),
                   Diag::note_inputs_swapped, exchanged(port, *other));
        return true;
      }
      auto [stream, type] = better(port);
      if (type)
        reportPort(port, type, Diag::note_did_you_mean, stream.str());
      else if (isStrange(port))
        reportPort(port, nullptr, Diag::note_did_you_mean, "");
      any |= type || isStrange(port);
    }
    return any;
  }

private:
  Type typeOf(unsigned port) const { return inst.ports[port].type; }
  /// Whether the composite leaves the type of the port to its streams.
  bool isOpen(unsigned port) const {
    return !inst.def.composite->inputs[port].type && typeOf(port)->kind == SplType::Tuple;
  }
  /// Whether an error of the body is about what the stream may lack.
  bool isCause(unsigned port, llvm::ArrayRef<mlir::Location> errors) const {
    auto isError = [&](auto &read) {
      return !typeOf(port)->attribute(read.first) &&
             llvm::is_contained(errors, graph.diags.location(read.second));
    };
    return llvm::any_of(reads[port].qualified, isError) || llvm::any_of(reads[port].bare, isError);
  }
  bool lacks(unsigned port, Type other) const {
    return !reads[port].lacking(typeOf(port), other).empty();
  }

  std::optional<unsigned> swapped(unsigned port) const {
    for (unsigned other = 0; other < reads.size(); ++other) {
      Type one = typeOf(port), two = typeOf(other);
      if (other != port && isOpen(other) && reads[port].fit(two, one) &&
          reads[other].fit(one, two) && (lacks(port, two) || lacks(other, one)))
        return other;
    }
    return std::nullopt;
  }

  /// A stream beside the invocation that has all, and is no input already.
  std::pair<StringRef, Type> better(unsigned port) const {
    const ast::Composite *outer = inst.parent->def.composite;
    auto fits = [&](StringRef name) -> Type {
      StreamRef *stream = inst.parent->streams.lookup(name);
      bool isGiven = llvm::any_of(inst.ports, [&](const PortView &view) {
        return llvm::is_contained(view.streams, stream);
      });
      bool isOwn = llvm::any_of(inst.at->outputs,
                                [&](const ast::OutPort &out) { return out.stream.text == name; });
      if (!stream || isGiven || isOwn)
        return nullptr;
      Type type = graph.typeForReaders(*inst.parent, *stream);
      bool isFit = type->kind == SplType::Tuple && reads[port].fit(type, typeOf(port));
      return isFit && lacks(port, type) ? type : nullptr;
    };
    for (const ast::PortDecl &input : outer->inputs)
      if (Type type = fits(input.name.text))
        return {input.name.text, type};
    for (const ast::Invocation *invocation : outer->graph)
      for (const ast::OutPort &output : invocation->outputs)
        if (Type type = fits(output.stream.text))
          return {output.stream.text, type};
    return {};
  }

  /// Whether the stream has none of several attributes: no slip of the pen in the composite.
  bool isStrange(unsigned port) const {
    size_t lacking = reads[port].lacking(typeOf(port), nullptr).size();
    return lacking > 1 && lacking == reads[port].qualified.size();
  }

  /// The head of the invocation with two inputs exchanged.
  std::string exchanged(unsigned one, unsigned other) const {
    std::vector<StringRef> inputs;
    for (const ast::InPort &input : inst.at->inputs)
      inputs.push_back(graph.diags.text(input.range));
    std::swap(inputs[one], inputs[other]);
    return (inst.at->op.text + "(" + llvm::join(inputs, "; ") + ")").str();
  }

  void reportPort(unsigned port, Type fitting, Diag hint, const std::string &instead) {
    auto lacking = reads[port].lacking(typeOf(port), fitting);
    std::vector<std::string> names;
    for (auto &[name, range] : lacking)
      names.push_back(("`" + name + "`").str());
    auto error = graph.diags.report(
        inst.ports[port].range, Diag::err_input_lacks, inst.def.composite->inputs[port].name.text,
        inst.def.composite->name.text,
        (names.size() == 1 ? "attribute " : "attributes ") + llvm::join(names, ", "));
    if (!instead.empty())
      graph.diags.note(error, inst.ports[port].range, hint, instead);
    graph.diags.note(error, lacking.front().second, Diag::note_attribute_read,
                     lacking.front().first);
  }

  GraphSema &graph;
  Instance &inst;
  std::vector<Reads> reads; // by input port
};

bool GraphSema::checkInstance(Instance &inst) {
  struct Held {
    mlir::Diagnostic diagnostic;
    std::vector<Instance *> trail;
  };
  std::vector<Held> all;
  unsigned before = diags.errors();
  {
    mlir::ScopedDiagnosticHandler holder(diags.context(), [&](mlir::Diagnostic &diagnostic) {
      all.push_back({std::move(diagnostic), expanding});
    });
    checkBody(inst);
  }
  std::vector<mlir::Location> errors;
  for (const Held &held : all)
    if (held.diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
      errors.push_back(held.diagnostic.getLocation());
  if (diags.errors() != before && WrongInputs(*this, inst).report(errors))
    return false;
  for (Held &held : all) {
    std::swap(expanding, held.trail);
    diags.context()->getDiagEngine().emit(std::move(held.diagnostic));
    std::swap(expanding, held.trail);
  }
  return true;
}
