//===- GraphText.h - how graphs are put to people ---------------*- C++ -*-===//
#pragma once
#include "passes/analyze/Graph.h"
#include <optional>

namespace sluice {

/// None before phase placed.
std::optional<stream::Edge> edgeOf(const Graph &, const Connection &);
/// Whether each tuple of an output port is handed on at once.
bool isOrdered(stream::OperatorOp, unsigned port);
/// The segments of an operator: of its process, or of its input ports.
llvm::SmallVector<int32_t> segmentsOf(stream::OperatorOp);

/// What the source calls the stream of an output port; `ticks` of a ticker.
llvm::StringRef streamNameOf(stream::OperatorOp, unsigned port);
/// `rstring symbol, float64 price`: the attributes of an output port's stream, without those that
/// expansions add (`$...`).
std::string attributesOf(stream::OperatorOp, unsigned port);
/// Cuts text behind so many characters.
std::string shortened(llvm::StringRef text, size_t most = 32);

/// The width of a region, or the name of the submission-time value that it is.
std::string widthOf(stream::GraphOp, stream::RegionAttr);
/// How a stream goes to the channels of a region that it enters: `by key symbol`.
std::string splitOf(const Graph &, const Connection &, stream::SplitAttr);
/// The same for all regions that it enters, one after the other; empty if it enters none.
std::string splitOf(const Graph &, const Connection &);

} // namespace sluice
