//===- Threading.cpp - @threading and config threadedPort ----------------===//
//
// language.md 9.2, 9.3. The annotation of the innermost composite holds. One at an
// invocation takes precedence over one at the definition.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/graph/GraphChecks.h"
#include "frontend/sema/graph/GraphSema.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

static constexpr int64_t kMaxThreads = 4096; // the runtime's own limit for --threads

/// A positive constant below `most`, or nothing after an error.
static std::optional<int64_t> positive(Sema &sema, Scope &scope, const ast::Expr *e, int64_t most,
                                       StringRef what) {
  typed::ExprPtr value = sema.checkExpr(e, scope, sema.types.get(SplType::Int32));
  if (!value)
    return {};
  auto *constant = llvm::dyn_cast<typed::ConstExpr>(value.get());
  if (constant && constant->integer() >= 1 && constant->integer() <= most)
    return constant->integer();
  sema.diags.report(e->range, Diag::err_positive_constant, what, most);
  return {};
}

//===--- @threading ------------------------------------------------------------===//

void sema::checkThreadingKeys(Diagnostics &diags, const ast::Annotation &annotation) {
  const ast::Expr *value = valueOf(annotation, "model");
  const ast::NameExpr *model = value ? plainName(value) : nullptr;
  for (StringRef key : {"threads", "elastic"})
    if (const ast::Expr *value = valueOf(annotation, key);
        value && model && model->name.text != "dynamic")
      diags.report(value->range, Diag::err_threading_key, key);
}

typed::Threading sema::threadingOf(GraphSema &graph, Instance &inst,
                                   const ast::Annotation &annotation) {
  typed::Threading result;
  const ast::Expr *value = valueOf(annotation, "model");
  if (const ast::NameExpr *model = value ? plainName(value) : nullptr)
    result.model = stream::symbolizeThreadingModel(model->name.text);
  Scope &scope =
      graph.scopes.placeScope(*inst.scope, graph.scopes.newPlace(Place::Constant), inst, {}, {});
  const ast::Expr *threads = valueOf(annotation, "threads");
  if (threads && (!llvm::isa<ast::LiteralExpr>(threads) || threads->kind == ast::ExprKind::Int))
    result.threads =
        positive(graph.sema, scope, threads, kMaxThreads, "the number of threads").value_or(0);
  if (const ast::Expr *elastic = valueOf(annotation, "elastic"))
    if (typed::ExprPtr on =
            graph.sema.checkExpr(elastic, scope, graph.types.get(SplType::Boolean))) {
      auto *constant = llvm::dyn_cast<typed::ConstExpr>(on.get());
      result.elastic = !constant || constant->integer();
    }
  return result;
}

typed::Threading sema::threadingInside(GraphSema &graph, Instance &inst,
                                       const typed::Threading &outer) {
  for (const ast::Annotation &annotation : inst.def.composite->annotations)
    if (annotation.name.text == "threading")
      return threadingOf(graph, inst, annotation);
  return outer;
}

//===--- config threadedPort -----------------------------------------------------===//

/// Sys.Wait, Sys.DropFirst or Sys.DropLast, or a parameter of the composite that is one of them.
static std::optional<QueuePolicy> queuePolicy(Sema &sema, Scope &scope, const ast::Expr *e) {
  static constexpr std::pair<StringRef, QueuePolicy> policies[] = {
      {"Wait", QueuePolicy::Wait},
      {"DropFirst", QueuePolicy::DropFirst},
      {"DropLast", QueuePolicy::DropLast}};
  StringRef name;
  if (auto *member = llvm::dyn_cast<ast::MemberExpr>(e)) {
    name = member->name.text;
  } else if (const ast::NameExpr *formal = plainName(e);
             formal && formal->name.text.starts_with("$")) {
    typed::ExprPtr value = sema.checkExpr(e, scope);
    if (!value)
      return QueuePolicy::Wait; // it is reported
    auto *constant = llvm::dyn_cast<typed::ConstExpr>(value.get());
    if (constant && value->type->kind == SplType::Enum)
      name = value->type->members[constant->integer()];
  }
  auto found = llvm::find_if(policies, [&](const auto &policy) { return policy.first == name; });
  if (found != std::end(policies))
    return found->second;
  sema.diags.report(e->range, Diag::err_config_value, "queue",
                    "Sys.Wait, Sys.DropFirst or Sys.DropLast");
  return std::nullopt;
}

/// queue(Port, Sys.Wait [, size]).
void sema::checkThreadedPort(GraphSema &graph, Instance &inst, const ast::Setting &setting,
                             llvm::ArrayRef<PortView> ports, typed::Operator &op) {
  for (const ast::Expr *value : setting.values) {
    auto *call = llvm::dyn_cast<ast::CallExpr>(value);
    const ast::NameExpr *callee = call ? plainName(call->callee) : nullptr;
    if (!callee || callee->name.text != "queue" || call->args.size() < 2 || call->args.size() > 3) {
      graph.diags.report(value->range, Diag::err_config_value, setting.label.text,
                         "queue(Port, Sys.Wait, size)");
      continue;
    }
    const ast::NameExpr *name = plainName(call->args[0]);
    auto port = llvm::find_if(ports, [&](const PortView &p) {
      return name && llvm::is_contained(p.labels, name->name.text);
    });
    if (port == ports.end())
      unknownInputPort(graph.diags, call->args[0], ports);
    typed::ThreadedPort threaded;
    Scope &scope =
        graph.scopes.placeScope(*inst.scope, graph.scopes.newPlace(Place::Constant), inst, {}, {});
    threaded.policy = queuePolicy(graph.sema, scope, call->args[1]).value_or(threaded.policy);
    if (call->args.size() == 3)
      threaded.size = positive(graph.sema, scope, call->args[2], INT32_MAX, "the size of a queue")
                          .value_or(threaded.size);
    if (port != ports.end() && !op.threadedPorts.try_emplace(port - ports.begin(), threaded).second)
      graph.diags.report(call->args[0]->range, Diag::warn_threaded_port_twice, port->name);
  }
}
