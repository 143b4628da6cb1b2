//===- CompositeDef.cpp - checks of a composite on its own --------------===//
#include "frontend/sema/graph/Formals.h"
#include "frontend/sema/graph/GraphSema.h"
#include "frontend/syntax/ASTWalk.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

namespace {
/// Calls `found` for every name below an expression or a type.
class Names {
public:
  explicit Names(llvm::function_ref<void(const ast::Ident &)> found) : found(found) {}

  void walk(const ast::TypeNode *type) {
    if (!type)
      return;
    if (type->kind == ast::TypeKind::Named)
      found(type->name);
    for (const ast::TypeNode *arg : type->args)
      walk(arg);
    for (const ast::TypeNode *extendee : type->extendees)
      walk(extendee);
    for (const ast::Attribute &attribute : type->attributes)
      walk(attribute.type);
    walk(type->bound);
  }

  void walk(const ast::Expr *e) {
    ast::visitExprs(e, [&](const ast::Expr &part) {
      if (auto *name = llvm::dyn_cast<ast::NameExpr>(&part))
        found(name->name);
      else if (auto *cast = llvm::dyn_cast<ast::CastExpr>(&part))
        walk(cast->type);
      return true;
    });
  }

private:
  llvm::function_ref<void(const ast::Ident &)> found;
};

class DefinitionCheck {
public:
  DefinitionCheck(Diagnostics &diags, const ast::Composite &def) : diags(diags), def(def) {}

  /// False if the formals are wrong: an instance would only repeat the errors.
  bool run() {
    checkClauseOrder(diags, def.clauses, {"param", "type", "graph", "config"});
    plain(def.name);
    ports();
    innerTypes();
    for (const ast::Invocation *invocation : def.graph) {
      for (const ast::OutPort &port : invocation->outputs) {
        plain(port.stream);
        plain(port.alias);
      }
      plain(invocation->alias);
    }
    unsigned before = diags.errors();
    formals();
    return diags.errors() == before;
  }

private:
  /// `$` belongs to formals.
  void plain(const ast::Ident &name) {
    if (name.text.starts_with("$"))
      diags.report(name.range, Diag::err_dollar_name, name.text);
  }
  bool once(llvm::StringMap<Range> &seen, const ast::Ident &name, Diag id) {
    auto [slot, isNew] = seen.try_emplace(name.text, name.range);
    if (isNew)
      return true;
    auto error = diags.report(name.range, id, name.text);
    diags.note(error, slot->second, Diag::note_previous_here);
    return false;
  }

  void ports() {
    llvm::StringMap<Range> inputs, outputs;
    llvm::StringSet<> known;
    for (const ast::PortDecl &port : def.inputs) {
      plain(port.name);
      once(inputs, port.name, Diag::err_port_name_twice);
      known.insert(port.name.text);
    }
    for (const ast::Invocation *invocation : def.graph)
      for (const ast::OutPort &port : invocation->outputs)
        known.insert(port.stream.text);
    for (const ast::PortDecl &port : def.outputs) {
      plain(port.name);
      once(outputs, port.name, Diag::err_port_name_twice);
      if (!known.contains(port.name.text) && !isMisspeltWhereMade(def, port.name.text))
        diags.report(port.name.range, Diag::err_output_port_undefined, port.name.text,
                     def.name.text);
    }
  }

  void formals() {
    llvm::StringMap<Range> seen;
    for (const ast::Formal &formal : def.formals) {
      if (!formal.name.text.starts_with("$"))
        diags.report(formal.name.range, Diag::err_formal_dollar, formal.name.text);
      once(seen, formal.name, Diag::err_formal_twice);
      auto isFormal = [&](const ast::Ident &name) {
        if (name.text.starts_with("$"))
          diags.report(name.range, Diag::err_default_formal, formal.name.text, name.text);
      };
      Names names(isFormal);
      if (!formal.hasDefault)
        continue;
      if (formal.value.values.empty())
        names.walk(formal.value.type);
      for (const ast::Expr *e : formal.value.values)
        names.walk(e);
    }
  }

  void innerTypes() {
    llvm::StringMap<Range> seen;
    llvm::StringSet<> hidden; // what a static type may not mention
    for (const ast::TypeAlias &alias : def.types)
      if (!alias.isStatic)
        hidden.insert(alias.name.text);
    for (const ast::PortDecl &port : def.inputs)
      hidden.insert(port.name.text);
    for (const ast::TypeAlias &alias : def.types) {
      // `type $T = int32 x;` behind a parameter is meant as one.
      if (alias.name.text.starts_with("$") && !def.formals.empty())
        diags.report(alias.name.range, Diag::err_colon, alias.name.text);
      else
        plain(alias.name);
      once(seen, alias.name, Diag::err_type_twice);
      auto mayDiffer = [&](const ast::Ident &name) {
        if (name.text.starts_with("$") || hidden.contains(name.text))
          diags.report(name.range, Diag::err_static_type, alias.name.text, name.text);
      };
      if (alias.isStatic)
        Names(mayDiffer).walk(alias.type);
    }
  }

  Diagnostics &diags;
  const ast::Composite &def;
};
} // namespace

/// `submit(..., NAME)`
static bool isSubmitTo(const ast::Expr &e, StringRef name) {
  auto *call = llvm::dyn_cast<ast::CallExpr>(&e);
  const ast::NameExpr *callee = call && call->args.size() == 2 ? plainName(call->callee) : nullptr;
  const ast::NameExpr *port = callee ? plainName(call->args[1]) : nullptr;
  return port && callee->name.text == "submit" && port->name.text == name;
}

bool sema::isMisspeltWhereMade(const ast::Composite &def, StringRef name) {
  for (const ast::Invocation *invocation : def.graph) {
    auto isPort = [&](const ast::OutPort &port) {
      return port.stream.text == name || port.alias.text == name;
    };
    auto isMeant = [&](const ast::OutputItem &item) { return item.port.text == name; };
    bool isUsed = llvm::any_of(invocation->outputClause, isMeant);
    ast::visitExprs(*invocation, [&](const ast::Expr &e) {
      isUsed |= isSubmitTo(e, name);
      return true;
    });
    if (isUsed && llvm::none_of(invocation->outputs, isPort))
      return true;
  }
  return false;
}

/// How often a name stands in a text.
static unsigned timesIn(llvm::StringRef text, llvm::StringRef name) {
  unsigned times = 0;
  for (size_t at = text.find(name); at != text.npos; at = text.find(name, at + name.size())) {
    llvm::StringRef behind = text.substr(at + name.size());
    times += behind.empty() || !(llvm::isAlnum(behind.front()) || behind.front() == '_');
  }
  return times;
}

/// Names with `$` are for formals only, so that the text tells whether one is used. A comment that
/// mentions it counts, too.
void GraphSema::warnUnreadFormals(const ast::Composite &def) {
  llvm::StringRef text = diags.text(def.range);
  for (const ast::Formal &formal : def.formals)
    if (timesIn(text, formal.name.text) == 1)
      diags.report(formal.name.range, Diag::warn_unread, formal.name.text);
}

bool GraphSema::checkDefinition(const ast::Composite *def) {
  auto [slot, isNew] = checkedDefinitions.try_emplace(def, true);
  if (!isNew)
    return slot->second;
  checkDefinitionAnnotations(def);
  return slot->second = DefinitionCheck(diags, *def).run();
}
