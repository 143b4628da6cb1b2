//===- Unsaved.cpp - operators whose state no checkpoint can hold ----------===//
#include "tools/driver/checkpoint/Unsaved.h"
#include "ir/Kinds.h"
#include "passes/analyze/Graph.h"
#include "runtime/value/Value.h"
#include "sluice/native.h"
#include "sluice/recovery.h"
#include "tools/driver/native/NativeCode.h"
#include "llvm/TargetParser/Host.h"
#include <deque>

using namespace sluice;
using namespace sluice::driver;
using Role = stream::RecoveryRole;

namespace {
/// The values of constant parameters, as the runtime has them.
class Constants {
public:
  /// Nothing if it is none, or of a type that no operator asks for.
  std::optional<ParamValue> value(mlir::Value value);

private:
  std::deque<TypeDesc> types;
  std::deque<uint64_t> numbers;
  std::deque<Str> strings;
  std::deque<std::string> texts;
};
} // namespace

std::optional<ParamValue> Constants::value(mlir::Value value) {
  auto constant = value.getDefiningOp<spl::ConstOp>();
  mlir::Attribute attr = constant ? constant.getValueAttr() : mlir::Attribute();
  std::optional<Kind> kind = attr ? spl::findKind(value.getType()) : std::nullopt;
  if (!kind)
    return std::nullopt;
  TypeDesc &type = types.emplace_back(TypeDesc{});
  type.kind = *kind;
  type.size = uint32_t(spl::bytesOf(value.getType()));
  if (auto text = mlir::dyn_cast<mlir::StringAttr>(attr); text && *kind == Kind::RString) {
    const std::string &kept = texts.emplace_back(text.str());
    return ParamValue{&type, &strings.emplace_back(strView(kept.data(), kept.size()))};
  }
  auto number = mlir::dyn_cast<mlir::IntegerAttr>(attr); // little-endian, as both our targets are
  if (!number)
    return std::nullopt;
  return ParamValue{&type, &numbers.emplace_back(number.getValue().getZExtValue())};
}

/// What the operator says of itself; nothing where it is not native.
static std::optional<Saves> savesOf(stream::OperatorOp op, Constants &constants) {
  NativeFactory make = op.getNative() && !op.getLink() ? findNative(op.getKind()) : nullptr;
  if (!make)
    return std::nullopt;
  std::unique_ptr<NativeOp> native(make());
  OperatorDesc desc{};
  desc.inputs = op.inputPorts();
  desc.outputs = op.getNumResults();
  native->desc = &desc;
  for (auto param : op.getBody().getOps<stream::ParamOp>()) {
    Param known{param.getName().str(), {}};
    for (mlir::Value value : param.getBody().front().getTerminator()->getOperands())
      if (std::optional<ParamValue> constant = constants.value(value))
        known.values.push_back(*constant);
    if (!known.values.empty())
      native->params.push_back(std::move(known));
  }
  return native->saves();
}

/// The runtime finds the same (runtime/exec/spool/FindSpools.cpp).
static bool leadsToReplayableStart(const Graph &graph, stream::OperatorOp op) {
  llvm::BitVector reached = graph.reachable(graph.indexOf(op));
  return llvm::any_of(reached.set_bits(), [&](unsigned index) {
    stream::OperatorOp other = graph[index];
    return other.sourceKind() == "spl.utility::ReplayableStart";
  });
}

std::optional<std::vector<Unsaved>> driver::findUnsaved(Compilation &c) {
  if (!c.program->cppOperators.empty() &&
      !loadNative(c, llvm::Triple(llvm::sys::getDefaultTargetTriple())))
    return std::nullopt;
  std::vector<Unsaved> result;
  Constants constants;
  for (auto graph : c.module->getOps<stream::GraphOp>()) {
    const Graph edges(graph, Graph::Links::Streams);
    for (auto op : graph.getOps<stream::OperatorOp>()) {
      bool isAnew = op.is(Role::Autonomous) && !op.is(Role::Checkpointed);
      std::optional<Saves> saves = savesOf(op, constants);
      if (!saves || saves->answer == Saves::State)
        continue;
      if (op.isSource() && leadsToReplayableStart(edges, op))
        result.push_back({op.label(), op.sourceKind().str(), "", /*isLogged=*/true});
      else if (saves->answer == Saves::No && !isAnew)
        result.push_back(
            {op.label(), op.sourceKind().str(),
             saves->why +
                 (op.isSource() ? "; --spool=" + op.label() + " logs what it brings" : "")});
    }
  }
  return result;
}
