//===- Window.cpp - the window clause of an operator ----------------------===//
#include "frontend/emit/BodyEmitter.h"
#include "frontend/emit/GraphEmitter.h"

using namespace sluice;
using namespace sluice::emission;
using typed::Window;

static stream::BoundAttr boundOf(mlir::MLIRContext *context, const Window::Bound &bound) {
  return stream::BoundAttr::get(
      context, bound.policy, bound.policy == Window::Policy::Delta ? int32_t(bound.attribute) : -1);
}

/// In the order of stream.window.
static llvm::SmallVector<const typed::Expr *> sizesOf(const Window &window) {
  llvm::SmallVector<const typed::Expr *> sizes;
  auto add = [&](const typed::ExprPtr &size) {
    if (size)
      sizes.push_back(size.get());
  };
  if (window.kind == Window::Kind::Interval) {
    const Window::Panes &panes = window.panes;
    sizes = {panes.duration.get(), (panes.period ? panes.period : panes.duration).get(),
             panes.offset.get(), panes.discardAge.get()};
  } else {
    add(window.evict.size);
    add(window.trigger.size);
  }
  add(window.limitSize);
  return sizes;
}

void emission::emitWindow(Shared &shared, mlir::OpBuilder &builder, unsigned port,
                          const typed::InputPort &input) {
  using Kind = Window::Kind;
  const Window &window = *input.window;
  mlir::Location loc = shared.location(window.range);
  stream::BoundAttr evict, trigger;
  if (window.kind != Kind::Interval)
    evict = boundOf(shared.context, window.evict);
  if (window.kind == Kind::Sliding)
    trigger = boundOf(shared.context, window.trigger);
  auto attr = stream::WindowAttr::get(shared.context, window.kind, evict, trigger,
                                      window.partitioned, window.limit);
  auto item = stream::WindowOp::create(builder, loc, port, attr, stream::WindowPlanAttr(),
                                       /*closes=*/false);
  BodyEmitter(shared, item.getSizes()).emitYield(sizesOf(window), loc);
  if (window.kind == Kind::Interval)
    BodyEmitter(shared, item.getTime()).emitNanos(*input.eventTime, input.type, input.range);
}
