//===- Phases.cpp - the order of all passes -------------------------------===//
#include "codegen/Phases.h"
#include "codegen/Passes.h"
#include "ir/Spl.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "passes/Passes.h"

using namespace mlir;
using namespace sluice;

static void graphToFlat(OpPassManager &manager, const PhaseOptions &options) {
  manager.addPass(createStreamExpandComposites());
  manager.addPass(createStreamMakeWatermarks());
  manager.addPass(createStreamPlanWindows({options.closeWindows}));
  manager.addPass(createStreamExpandOperators());
  manager.addPass(createStreamRouteWatermarks());
  manager.addPass(createStreamKeepHistory());
  manager.addPass(createStreamPrune());
  manager.addPass(createStreamVerifyFlat());
}

static void flatToPlaced(OpPassManager &manager, const PhaseOptions &options) {
  manager.addPass(createStreamFindLoops());
  manager.addPass(createStreamAnalyzeOrder({options.mergeOrder}));
  manager.addPass(createStreamInsertTees({options.mergeOrder}));
  manager.addPass(createStreamPartition({options.pes}));
  manager.addPass(createStreamInsertLinks());
  manager.addPass(createStreamAnalyzeState());
  manager.addPass(createStreamPlaceBoundaries({options.boundaries}));
  manager.addPass(createStreamFormSegments());
  manager.addPass(createStreamRelaxOrder({options.mergeOrder}));
  manager.addPass(createStreamVerifyPlaced());
}

static void placedToLowered(OpPassManager &manager, const PhaseOptions &) {
  manager.addPass(createStreamInsertSavePoints());
  manager.addPass(createLowerSegments());
  // One function after the other: most need one round only, and each round looks at all it is
  // given. SelectToExtUI makes arith.extui of `condition ? 1 : 0`, also for integers with a sign,
  // which arith does not have.
  auto simplify = [] { return createCanonicalizerPass(GreedyRewriteConfig(), {"SelectToExtUI"}); };
  manager.addNestedPass<func::FuncOp>(simplify());
  manager.addNestedPass<spl::FuncOp>(simplify());
  manager.addPass(createBuildListsInScratch());
  manager.addPass(createStreamVerifyLowered());
}

static void loweredToLLVM(OpPassManager &manager, const PhaseOptions &) {
  manager.addPass(createConvertSplToLLVM());
}

static constexpr PhaseInfo kPhases[] = {
    {"graph", "operators and composites as the source has them, typed", nullptr},
    {"flat", "one graph; each operator has handlers or is native", graphToFlat},
    {"placed", "each input port has a boundary and is in a segment", flatToPlaced},
    {"lowered", "functions on values; the graph is calls of them and of the runtime",
     placedToLowered},
    {"llvm", "functions of the llvm dialect", loweredToLLVM},
};
static_assert(std::size(kPhases) == size_t(Phase::LLVM) + 1);

llvm::ArrayRef<PhaseInfo> sluice::phases() { return kPhases; }

std::optional<Phase> sluice::parsePhase(StringRef name) {
  for (auto [index, phase] : llvm::enumerate(kPhases))
    if (phase.name == name)
      return Phase(index);
  return std::nullopt;
}

void sluice::buildPhases(OpPassManager &manager, Phase first, Phase last,
                         const PhaseOptions &options) {
  for (size_t phase = size_t(first) + 1; phase <= size_t(last); ++phase)
    kPhases[phase].build(manager, options);
}

namespace {
struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  Option<BoundaryChoice> boundaries{*this, "boundaries", llvm::cl::desc("none, auto or all"),
                                    llvm::cl::init(BoundaryChoice::Auto),
                                    OptionWords<BoundaryChoice>()};
  Option<MergeOrder> mergeOrder{*this, "merge-order", llvm::cl::desc("exact or any"),
                                llvm::cl::init(MergeOrder::Exact), OptionWords<MergeOrder>()};
  Option<std::string> pes{*this, "pes", llvm::cl::desc("a number, auto or all"),
                          llvm::cl::init("1")};
  Option<bool> closeWindows{*this, "close-windows",
                            llvm::cl::desc("windows fire when their input ends"),
                            llvm::cl::init(false)};
};
} // namespace

void sluice::registerPhases() {
  for (size_t i = 1; i < std::size(kPhases); ++i) {
    auto build = kPhases[i].build;
    PassPipelineRegistration<PipelineOptions>(
        (kPhases[i - 1].name + "-to-" + kPhases[i].name).str(), kPhases[i].meaning,
        [build](OpPassManager &manager, const PipelineOptions &options) {
          build(manager,
                {options.boundaries, options.mergeOrder, options.pes, options.closeWindows});
        });
  }
}
