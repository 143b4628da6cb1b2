//===- Graph.h - hand-built programs for tests of exec ----------*- C++ -*-===//
//
// What the compiler would emit, written as C++ functions: streams of one int64
// column, segments that log what they see.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/native.h"
#include <deque>
#include <gtest/gtest.h>
#include <mutex>
#include <string>
#include <vector>

namespace sluice::test {

inline int64_t *column(Batch *b) {
  return reinterpret_cast<int64_t *>(reinterpret_cast<char *>(b) + kBatchHeader);
}

/// What generated code does to submit a row. The timer reads rows and writes
/// limit: plain accesses in generated code, said to be so for ThreadSanitizer.
inline int32_t append(Ctx *ctx, uint32_t port, int64_t value) {
  Batch *b = ctx->ports[port].batch;
  column(b)[b->rows] = value;
  __atomic_store_n(&b->rows, b->rows + 1, __ATOMIC_RELAXED);
  return b->rows >= __atomic_load_n(&b->limit, __ATOMIC_RELAXED) ? sl_forward(ctx, port) : 0;
}

inline std::vector<std::string> events; // of the run
inline void note(std::string text) {
  static std::mutex lock; // sources may run at once
  std::lock_guard<std::mutex> held(lock);
  events.push_back(std::move(text));
}

/// Runs `row` and `punct` over a batch, in order.
template <typename Row, typename OnPunct> int32_t each(Ctx *ctx, Batch *b, Row row, OnPunct punct) {
  uint32_t m = 0;
  for (uint32_t r = 0; r <= b->rows; ++r) {
    for (; m < b->punctCount && b->puncts[m].row == r; ++m)
      if (int32_t result = punct(b->puncts[m].kind))
        return result;
    if (r < b->rows)
      if (int32_t result = row(column(b)[r])) {
        ctx->failedRow = r;
        return result;
      }
  }
  return 0;
}

/// Owns the tables. Operators get one input and one output port where asked.
struct Graph {
  std::deque<std::string> names;
  std::vector<OperatorDesc> operators;
  std::vector<InPortDesc> inPorts;
  std::vector<OutPortDesc> outPorts;
  std::deque<std::vector<SegmentFn>> segments;
  std::deque<std::vector<uint32_t>> consumers;
  std::vector<Site> sites{{"Main.spl", "l[n]", 7, 9}};
  std::vector<SubmissionDesc> submissions;
  HandlerFn init = nullptr, destroy = nullptr;
  uint32_t natives = 0;
  std::vector<RegionDesc> regions;
  std::deque<std::vector<SplitDesc>> splits;
  std::vector<PeDesc> pes;
  TypeDesc int64 = {Kind::Int64, 8, 8, 1, {}, {}, 0, 0, 0, 0, {}, {}};
  ColumnDesc number = {kBatchHeader, 8, &int64};
  ProgramDesc desc = {};

  uint32_t op(const char *name, uint32_t inputs, uint32_t outputs, HandlerFn process = nullptr) {
    OperatorDesc o = {};
    o.name = name;
    o.kind = "spl.utility::Custom";
    o.file = "Main.spl";
    o.line = 3;
    o.column = 5;
    o.inputs = inputs;
    o.outputs = outputs;
    o.firstIn = uint32_t(inPorts.size());
    o.firstOut = uint32_t(outPorts.size());
    o.native = -1;
    o.link = -1;
    o.process = process;
    uint32_t index = uint32_t(operators.size());
    operators.push_back(o);
    for (uint32_t i = 0; i < inputs; ++i) {
      InPortDesc in = {};
      in.op = index;
      inPorts.push_back(in);
    }
    for (uint32_t i = 0; i < outputs; ++i) {
      OutPortDesc out = {};
      out.op = index;
      out.batchBytes = kBatchHeader + 8 * kBatchRows;
      out.batchCapacity = kBatchRows;
      outPorts.push_back(out);
      segments.emplace_back();
      consumers.emplace_back();
      splits.emplace_back();
    }
    return index;
  }
  /// Makes the operators from `first` on a region.
  uint32_t region(const char *path, uint32_t first, uint32_t width, int32_t parent = -1) {
    RegionDesc r = {};
    r.path = path;
    r.file = "Main.spl";
    r.line = 2;
    r.parent = parent;
    r.width = width;
    r.firstOp = first;
    r.firstIn = operators[first].firstIn;
    r.firstOut = operators[first].firstOut;
    r.ops = uint32_t(operators.size()) - first;
    r.ins = uint32_t(inPorts.size()) - r.firstIn;
    r.outs = uint32_t(outPorts.size()) - r.firstOut;
    r.stateBytes = 16;
    regions.push_back(r);
    return uint32_t(regions.size()) - 1;
  }
  /// The last consumer that was connected stands in a region that the port is not in.
  void split(uint32_t out, uint32_t region, SplitKind kind) {
    splits[out].push_back({uint32_t(consumers[out].size()) - 1, region, kind, 0, nullptr});
  }
  uint32_t native(const char *name, const char *kind, uint32_t inputs, uint32_t outputs,
                  const EmitFn *emit = nullptr, const EmitPunctFn *punct = nullptr) {
    uint32_t index = op(name, inputs, outputs);
    operators[index].kind = operators[index].nativeClass = kind;
    operators[index].native = int32_t(natives++);
    operators[index].emit = emit;
    operators[index].emitPunct = punct;
    return index;
  }
  void connect(uint32_t out, uint32_t in, SegmentFn segment, bool back = false) {
    segments[out].push_back(segment);
    consumers[out].push_back(in);
    if (back) {
      outPorts[out].backEdge = 1;
      outPorts[out].ordered = OrderKind::All;
      return;
    }
    ++inPorts[in].producers;
  }
  const ProgramDesc *build() {
    for (size_t i = 0; i < outPorts.size(); ++i) {
      outPorts[i].segments = segments[i].data();
      outPorts[i].segmentCount = uint32_t(segments[i].size());
      outPorts[i].consumers = consumers[i].data();
      outPorts[i].consumerCount = uint32_t(consumers[i].size());
      outPorts[i].splits = splits[i].data();
      outPorts[i].splitCount = uint32_t(splits[i].size());
      outPorts[i].columns = &number;
      outPorts[i].columnCount = 1;
    }
    desc = {kMagic,
            kAbiVersion,
            "Main",
            "Main.spl",
            "/app",
            64,
            uint32_t(operators.size()),
            uint32_t(inPorts.size()),
            uint32_t(outPorts.size()),
            uint32_t(sites.size()),
            uint32_t(submissions.size()),
            natives,
            operators.data(),
            inPorts.data(),
            outPorts.data(),
            sites.data(),
            submissions.data(),
            init,
            destroy,
            regions.data(),
            uint32_t(regions.size()),
            0,
            0,
            uint32_t(pes.size()),
            pes.data(),
            nullptr,
            0};
    return &desc;
  }
  /// The exit code of a run with these arguments.
  int run(std::vector<const char *> args = {}) {
    events.clear();
    args.insert(args.begin(), "main");
    return sl_main(build(), int(args.size()), const_cast<char **>(args.data()));
  }
};

/// The end of a process: Final on the output port.
inline int32_t finish(Ctx *ctx, uint32_t port) {
  return sl_out_close(ctx, port) ? sl_port_punct(ctx, port, uint32_t(PunctuationKind::Final), 0)
                                 : 0;
}
template <uint32_t Port, int64_t From, int64_t To> int32_t count(Ctx *ctx) {
  for (int64_t i = From; i < To; ++i)
    if (append(ctx, Port, i) < 0) {
      uint32_t ports[] = {Port};
      if (sl_unwind(ctx, ports, 1) < 0)
        return -1;
      break;
    }
  return finish(ctx, Port);
}
/// Logs rows and punctuation of the stream into input port In, after a prefix.
template <char Prefix, uint32_t In> int32_t show(Ctx *ctx, Batch *b) {
  return each(
      ctx, b,
      [](int64_t v) {
        note(Prefix + std::to_string(v));
        return 0;
      },
      [&](PunctuationKind kind) {
        if (kind == PunctuationKind::Window)
          note(std::string(1, Prefix) + "W");
        else if (sl_port_final(ctx, In))
          note(std::string(1, Prefix) + "F");
        return 0;
      });
}

inline std::vector<std::string> strings(std::initializer_list<const char *> list) {
  return {list.begin(), list.end()};
}

} // namespace sluice::test
