//===- Window.cpp - the window clause of an operator ----------------------===//
#include "frontend/emit/BodyEmitter.h"
#include "frontend/emit/GraphEmitter.h"

using namespace sluice;
using namespace sluice::emission;
using typed::Window;

static stream::WindowKind kindOf(Window::Kind kind) {
  switch (kind) {
  case Window::Tumbling:
    return stream::WindowKind::Tumbling;
  case Window::Sliding:
    return stream::WindowKind::Sliding;
  case Window::Interval:
    return stream::WindowKind::Interval;
  }
}

static stream::WindowPolicy policyOf(Window::Policy policy) {
  switch (policy) {
  case Window::Count:
    return stream::WindowPolicy::Count;
  case Window::Delta:
    return stream::WindowPolicy::Delta;
  case Window::Time:
    return stream::WindowPolicy::Time;
  case Window::Punct:
    return stream::WindowPolicy::Punct;
  }
}

static std::optional<stream::PartitionLimit> limitOf(std::optional<Window::Limit> limit) {
  if (!limit)
    return std::nullopt;
  switch (*limit) {
  case Window::Partitions:
    return stream::PartitionLimit::Partitions;
  case Window::Tuples:
    return stream::PartitionLimit::Tuples;
  case Window::Age:
    return stream::PartitionLimit::Age;
  }
}

static stream::BoundAttr boundOf(mlir::MLIRContext *context, const Window::Bound &bound) {
  return stream::BoundAttr::get(context, policyOf(bound.policy),
                                bound.policy == Window::Delta ? int32_t(bound.attribute) : -1);
}

/// In the order of stream.window.
static llvm::SmallVector<const typed::Expr *> sizesOf(const Window &window) {
  llvm::SmallVector<const typed::Expr *> sizes;
  auto add = [&](const typed::ExprPtr &size) {
    if (size)
      sizes.push_back(size.get());
  };
  if (window.kind == Window::Interval) {
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
  auto attr = stream::WindowAttr::get(shared.context, kindOf(window.kind), evict, trigger,
                                      window.partitioned, limitOf(window.limit));
  auto item = stream::WindowOp::create(builder, loc, port, attr, stream::WindowPlanAttr(),
                                       /*closes=*/false);
  BodyEmitter(shared, item.getSizes()).emitYield(sizesOf(window), loc);
  if (window.kind == Kind::Interval)
    BodyEmitter(shared, item.getTime()).emitNanos(*input.eventTime, input.type, input.range);
}
