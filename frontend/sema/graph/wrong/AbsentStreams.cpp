//===- AbsentStreams.cpp - streams that an operator reads without having them ---===//
//
// `Sort(Raw)` for `Sort(Clean)`: what stands in the braces is meant for `Clean`. Names of its
// attributes, and rules for the types of the ports, would make further errors of the one mistake.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/graph/GraphChecks.h"
#include "frontend/sema/graph/OperatorCheck.h"
#include "frontend/syntax/ASTWalk.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

/// The stream of that name, if the invocation neither reads nor makes it.
static StreamRef *absentStream(const Instance &inst, const ast::Invocation &invocation,
                               llvm::ArrayRef<PortView> ports, StringRef name) {
  bool isInput = llvm::any_of(
      ports, [&](const PortView &port) { return llvm::is_contained(port.labels, name); });
  bool isOutput = llvm::any_of(invocation.outputs, [&](const ast::OutPort &out) {
    return out.stream.text == name || out.alias.text == name;
  });
  return isInput || isOutput ? nullptr : inst.streams.lookup(name);
}

void GraphSema::findAbsent(Instance &inst, const ast::Invocation &invocation,
                           llvm::ArrayRef<PortView> ports, Scope &scope) {
  auto isOther = [&](StringRef name) { // hides the stream
    return findEntity(scope, name) || !scope.isStream(name) ||
           llvm::any_of(ports, [&](const PortView &port) { return port.type->attribute(name); });
  };
  ast::visitExprs(invocation, [&](const ast::Expr &e) {
    auto *member = llvm::dyn_cast<ast::MemberExpr>(&e);
    const ast::NameExpr *base = member ? plainName(member->base) : nullptr;
    if (!base || !base->path.parts.empty() || isOther(base->name.text))
      return true;
    StreamRef *stream = absentStream(inst, invocation, ports, base->name.text);
    Type type = stream ? typeForReaders(inst, *stream) : nullptr;
    if (type && type->kind == SplType::Tuple && type->attribute(member->name.text))
      scope.absent.push_back({base, type});
    return true;
  });
}

bool OperatorCheck::missesStream() const {
  return llvm::any_of(scope->absent, [&](const AbsentStream &stream) {
    return sema.suspicions.isInDoubt(Doubt::NoInput, Subject::of(stream.use));
  });
}

bool OperatorCheck::isAbsent(const ast::Ident &label) {
  if (!absentStream(inst, invocation, ports, label.text))
    return false;
  sema.suspicions.doubt(Doubt::Label, Subject::of(&op)); // which ports are meant is not known
  if (!sema.suspicions.covers({{Doubt::Label, Subject::of(&op, label.text)}}))
    unknownInputPort(diags, label.range, label.text, ports);
  return true;
}
