//===- LowerSegments.cpp - the graph becomes functions --------------------===//
#include "codegen/segments/LowerSegments.h"
#include "codegen/Layout.h"
#include "codegen/Passes.h"
#include "codegen/RuntimeABI.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace sluice;

namespace sluice {
#define GEN_PASS_DEF_LOWERSEGMENTS
#include "codegen/Passes.h.inc"
} // namespace sluice

SegmentLowering::SegmentLowering(ModuleOp module, stream::GraphOp graph)
    : module(module), graph(graph), info(graph), allocation(&info), b(module.getContext()), flow(b),
      ptr(LLVM::LLVMPointerType::get(module.getContext())), i32Type(b.getI32Type()) {}

func::FuncOp SegmentLowering::function(StringRef name, TypeRange args, Location loc,
                                       bool exported) {
  SmallVector<mlir::Type> inputs{ptr};
  llvm::append_range(inputs, args);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(module.getBody());
  auto f = func::FuncOp::create(b, loc, name, b.getFunctionType(inputs, i32Type));
  f.setPrivate();
  if (exported) // its address goes into the program table
    f->setAttr("sluice.exported", b.getUnitAttr());
  return f;
}

mlir::Block *SegmentLowering::begin(func::FuncOp f) {
  Block *entry = f.addEntryBlock();
  b.setInsertionPointToStart(entry);
  return entry;
}

Value SegmentLowering::i32(Location loc, int64_t value) {
  return arith::ConstantIntOp::create(b, loc, value, 32);
}

Value SegmentLowering::i64(Location loc, int64_t value) {
  return arith::ConstantIntOp::create(b, loc, value, 64);
}

Value SegmentLowering::toI64(Value value) {
  return arith::ExtUIOp::create(b, value.getLoc(), b.getI64Type(), value);
}

void SegmentLowering::endOk(Location loc) { flow.ret(i32(loc, 0)); }

Value SegmentLowering::call(Location loc, StringRef function, ValueRange args) {
  return func::CallOp::create(b, loc, function, TypeRange{i32Type}, args).getResult(0);
}

Value SegmentLowering::runtime(Location loc, StringRef name, ValueRange args) {
  LLVM::LLVMFuncOp f = declareRuntime(module, name);
  return callNoUnwind(b, loc, f, args);
}

void SegmentLowering::run() {
  CostEstimate cost(module); // of handlers as they are now
  for (auto &op : info.operators())
    costs.push_back(op->op.isSource() ? cost.ofSource(op->op) : cost(op->op));
  planMoves();
  // Callees need not exist before their callers: calls are by name.
  for (auto &op : info.operators()) {
    for (unsigned port = 0; port < op->op.inputPorts(); ++port) {
      tupleFunction(*op, port);
      punctFunction(*op, port);
      bool heads = op->op.isHead(port);
      auto plan = moves.find(op->firstIn + port);
      if (heads && plan != moves.end()) {
        rowsInPlace(*op, port, *plan->second);
        segmentInPlace(*op, port, *plan->second);
      } else if (heads) {
        segmentFunction(*op, port);
        if (op->op.sharing() == stream::Sharing::ByKey)
          rowsByKey(*op, port);
      }
    }
    for (unsigned port = 0; port < op->op.getOutputs().size(); ++port) {
      stripFunction(*op, port);
      bool outside =
          op->native >= 0 || op->op.inputPorts() == 0; // who submits outside of row loops
      for (unsigned in = 0; in < op->op.inputPorts(); ++in)
        if (Region *punct = op->op.onPunct(in))
          outside |= punct->walk([](stream::SubmitOp) { return WalkResult::interrupt(); })
                         .wasInterrupted();
      if (outside)
        outFunction(*op, port);
      outPunctFunction(*op, port);
      if (op->native >= 0)
        emitFunctions(*op, port);
    }
    if (!op->op.getOutputs().empty())
      finalFunction(*op);
    if (op->native >= 0)
      paramsFunction(*op);
    else if (op->op.inputPorts() == 0 && op->op.onProcess())
      processFunction(*op);
  }
  for (int region = -1; region < int(info.regions().size()); ++region) {
    initFunction(region);
    destroyFunction(region);
  }
  module->setAttr("sluice.table", table());
}

/// One for one where the only submit stands where control always passes, once: in
/// the first block.
static TuplesOut tuplesOut(Region *onTuple, unsigned port) {
  SmallVector<stream::SubmitOp> submits;
  if (onTuple)
    onTuple->walk([&](stream::SubmitOp submit) {
      if (submit.getPort() == port)
        submits.push_back(submit);
    });
  if (submits.empty())
    return TuplesOut::None;
  bool always = submits.size() == 1 && submits[0]->getBlock() == &onTuple->front();
  return always ? TuplesOut::One : TuplesOut::Unknown;
}

SmallVector<TuplesOut> SegmentLowering::tuplesOut(OpInfo &op) {
  unsigned inputs = op.op.inputPorts(), outputs = op.op.getOutputs().size();
  SmallVector<TuplesOut> result(inputs * outputs, TuplesOut::Unknown);
  for (unsigned out = 0; op.native < 0 && out < outputs; ++out) {
    // Marks may bring forth tuples, and a Final by hand drops those after it.
    bool others = mayClose(op, out);
    for (unsigned in = 0; in < inputs; ++in)
      if (Region *onPunct = op.op.onPunct(in))
        onPunct->walk([&](stream::SubmitOp submit) { others |= submit.getPort() == out; });
    for (unsigned in = 0; !others && in < inputs; ++in)
      result[in * outputs + out] = ::tuplesOut(op.op.onTuple(in), out);
  }
  return result;
}

/// An output port: who gets what from it, and how.
DictionaryAttr SegmentLowering::outputTable(OpInfo &op, unsigned port) {
  SmallVector<Attribute> segments, splits;
  SmallVector<int32_t> consumers;
  bool back = false;
  for (const Consumer &c : info.consumers(op, port)) {
    // What enters @parallel regions: the position of the consumer, and how.
    for (stream::SplitAttr split : c.op->op.splitsOf(c.operand))
      splits.push_back(
          b.getDictionaryAttr({b.getNamedAttr("consumer", b.getI32IntegerAttr(consumers.size())),
                               b.getNamedAttr("split", split)}));
    consumers.push_back(c.op->firstIn + c.port);
    if (c.edge != stream::Edge::Call) {
      segments.push_back(b.getStringAttr(c.op->symbol("seg", c.port)));
      back |= c.edge == stream::Edge::Back;
    }
  }
  return b.getDictionaryAttr(
      {b.getNamedAttr("segments", b.getArrayAttr(segments)),
       b.getNamedAttr("splits", b.getArrayAttr(splits)),
       b.getNamedAttr("consumers", b.getDenseI32ArrayAttr(consumers)),
       b.getNamedAttr("back", b.getBoolAttr(back)),
       b.getNamedAttr("ordered", b.getI32IntegerAttr(int32_t(op.op.order(port))))});
}

ArrayAttr SegmentLowering::regionTable() {
  SmallVector<Attribute> regions;
  for (const RegionInfo &region : info.regions()) {
    NamedAttrList entry;
    entry.append("region", region.desc);
    auto ids = [&](StringRef name, RegionInfo::Ids ids) {
      entry.append(name, b.getDenseI32ArrayAttr({int32_t(ids.first), int32_t(ids.count)}));
    };
    ids("ops", region.ops);
    ids("ins", region.ins);
    ids("outs", region.outs);
    ids("natives", region.natives);
    entry.append("state",
                 b.getDenseI64ArrayAttr({int64_t(region.firstState), int64_t(region.stateBytes)}));
    regions.push_back(entry.getDictionary(b.getContext()));
  }
  return b.getArrayAttr(regions);
}

/// Everything about the graph that the program table needs and that is gone
/// once the graph is.
DictionaryAttr SegmentLowering::table() {
  SmallVector<Attribute> operators;
  int64_t threads = 0; // the most that any @threading asks for
  auto types = [&](bool in, stream::OperatorOp op) {
    SmallVector<Attribute> list;
    for (unsigned i = 0, n = in ? op.inputPorts() : op.getOutputs().size(); i < n; ++i)
      list.push_back(TypeAttr::get(in ? op.inputTuple(i) : op.outputTuple(i)));
    return b.getArrayAttr(list);
  };
  for (auto &op : info.operators()) {
    SmallVector<Attribute> outs;
    SmallVector<int32_t> ins, moved;
    for (unsigned port = 0; port < op->op.getOutputs().size(); ++port)
      outs.push_back(outputTable(*op, port));
    for (unsigned port = 0; port < op->op.inputPorts(); ++port) {
      // A port closes when every producer outside its loops has sent Final.
      int producers = 0;
      for (unsigned i = 0; i < op->op.getInputs().size(); ++i)
        producers += op->op.portOf(i) == port && op->op.edge(i) != stream::Edge::Back;
      ins.push_back(producers);
      auto plan = moves.find(op->firstIn + port);
      moved.push_back(plan == moves.end() ? 0 : plan->second->out + 1);
    }
    bool dedicated = op->op.threadingModel() == stream::ThreadingModel::Dedicated;
    if (auto threading = op->op.getThreading())
      threads = std::max<int64_t>(threads, threading->getThreads());
    SmallVector<int8_t> rows;
    for (TuplesOut r : tuplesOut(*op))
      rows.push_back(int8_t(r));
    operators.push_back(b.getDictionaryAttr(
        {b.getNamedAttr("name", op->op.getNameAttr()),
         b.getNamedAttr("kind", op->op.getKindAttr()),
         b.getNamedAttr("native", b.getI32IntegerAttr(op->native)),
         b.getNamedAttr("catch", b.getBoolAttr(op->op.getIsCatch())),
         b.getNamedAttr("process", b.getBoolAttr(op->native < 0 && op->op.inputPorts() == 0 &&
                                                 op->op.onProcess())),
         b.getNamedAttr("producers", b.getDenseI32ArrayAttr(ins)),
         b.getNamedAttr("moves", b.getDenseI32ArrayAttr(moved)),
         b.getNamedAttr("boundaries", op->op.getBoundariesAttr()),
         b.getNamedAttr("outputs", b.getArrayAttr(outs)),
         b.getNamedAttr("threadedPorts", op->op.getThreadedPorts()),
         b.getNamedAttr("dedicated", b.getBoolAttr(dedicated)),
         b.getNamedAttr("inTypes", types(true, op->op)),
         b.getNamedAttr("outTypes", types(false, op->op)),
         b.getNamedAttr("cost", b.getF64FloatAttr(costs[op->index])),
         b.getNamedAttr("shared", b.getBoolAttr(op->op.getState() &&
                                                op->op.sharing() == stream::Sharing::Any)),
         b.getNamedAttr("single", b.getBoolAttr(op->op.getSingle())),
         b.getNamedAttr("keyed", keyedTable(*op)),
         b.getNamedAttr("stateRange",
                        b.getDenseI64ArrayAttr(
                            {int64_t(op->firstState), int64_t(op->stateEnd - op->firstState)})),
         b.getNamedAttr("rowsOut", b.getDenseI8ArrayAttr(rows)),
         b.getNamedAttr("loc", op->op.getLoc())}));
  }
  return b.getDictionaryAttr({b.getNamedAttr("main", b.getStringAttr(graph.getSymName())),
                              b.getNamedAttr("submissions", graph.getSubmissionsAttr()),
                              b.getNamedAttr("state_bytes", b.getI64IntegerAttr(info.stateBytes)),
                              b.getNamedAttr("threads", b.getI64IntegerAttr(threads)),
                              b.getNamedAttr("operators", b.getArrayAttr(operators)),
                              b.getNamedAttr("regions", regionTable())});
}

namespace {
struct LowerSegments : sluice::impl::LowerSegmentsBase<LowerSegments> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto graphs = llvm::to_vector(module.getOps<stream::GraphOp>());
    for (stream::GraphOp graph : graphs) {
      SegmentLowering(module, graph).run();
      graph.erase();
    }
  }
};
} // namespace
