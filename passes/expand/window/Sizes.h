//===- Sizes.h - how large a window is --------------------------*- C++ -*-===//
#pragma once
#include "passes/expand/OperatorExpansion.h"
#include "passes/expand/window/Record.h"

namespace sluice::window {

/// The sizes of a window (stream.window). A constant stands in the handlers; what is known at the
/// start only is a state variable that nothing changes.
class Sizes {
public:
  explicit Sizes(stream::WindowOp window);

  /// Counts as ui64, times as nanoseconds (si64), deltas in their type.
  mlir::Value evict(HandlerBuilder &code) const { return get(code, 0, bound.getEvict()); }
  mlir::Value trigger(HandlerBuilder &code) const {
    return get(code, triggerAt, bound.getTrigger());
  }
  mlir::Value limit(HandlerBuilder &code) const;
  /// The lengths of a window of event time, by their numbers among the sizes.
  enum Length : unsigned { Duration, Period, Offset, DiscardAge };
  /// In nanoseconds (si64), at most `kLongest`: sums of a few do not overflow.
  mlir::Value length(HandlerBuilder &code, Length) const;
  static constexpr int64_t kLongest = int64_t(1) << 60; // 36 years
  /// The number if it is a constant count.
  std::optional<int64_t> constantEvict() const { return constant(0); }
  std::optional<int64_t> constantTrigger() const { return constant(triggerAt); }

private:
  mlir::Value get(HandlerBuilder &, unsigned index, stream::BoundAttr) const;
  mlir::Value raw(HandlerBuilder &, unsigned index) const;
  std::optional<int64_t> constant(unsigned index) const;

  stream::WindowAttr bound;
  unsigned triggerAt, limitAt;
  struct Size {
    mlir::Attribute value; // of a constant, or
    mlir::Type type;
    AddedState state; // where it is
  };
  llvm::SmallVector<Size> sizes;
};

/// Seconds (f64) as nanoseconds (si64).
mlir::Value nanoseconds(HandlerBuilder &, mlir::Value seconds);

} // namespace sluice::window
