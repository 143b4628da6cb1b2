//===- AbiEnums.cpp - the dialects' numbers are those of the ABI ----------===//
//
// Enumerations that the program table takes over from the IR have the numbers that the runtime
// reads. The header of the ABI is the source.
//
//===----------------------------------------------------------------------===//
#include "ir/Stream.h"
#include "sluice/enums.h"

using namespace sluice;

template <typename Ours, typename Abi> static constexpr bool same(Ours ours, Abi abi) {
  return uint32_t(ours) == uint32_t(abi);
}

static_assert(same(stream::RowsOut::None, RowsOut::None) &&
              same(stream::RowsOut::One, RowsOut::One) &&
              same(stream::RowsOut::Unknown, RowsOut::Unknown));
static_assert(same(stream::Boundary::Direct, BoundaryKind::Direct) &&
              same(stream::Boundary::Switchable, BoundaryKind::Switchable) &&
              same(stream::Boundary::Queue, BoundaryKind::Queue) &&
              same(stream::Boundary::Exclusive, BoundaryKind::Exclusive));
static_assert(same(stream::SplitBy::Row, SplitKind::RoundRobin) &&
              same(stream::SplitBy::Key, SplitKind::ByKey) &&
              same(stream::SplitBy::All, SplitKind::ToAll));
static_assert(same(stream::Congestion::Wait, QueuePolicy::Wait) &&
              same(stream::Congestion::DropFirst, QueuePolicy::DropFirst) &&
              same(stream::Congestion::DropLast, QueuePolicy::DropLast));
static_assert(same(stream::Order::None, OrderKind::None) &&
              same(stream::Order::All, OrderKind::All) &&
              same(stream::Order::Puncts, OrderKind::Puncts));
