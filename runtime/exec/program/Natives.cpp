//===- Natives.cpp - operators written in C++ ---------------------------===//
#include "runtime/exec/program/Natives.h"
#include "runtime/exec/program/Failure.h"
#include "runtime/exec/program/Program.h"
#include "runtime/exec/remote/Remote.h"
#include "runtime/exec/stop/EndInside.h"
#include "runtime/memory/Memory.h"
#include <cstring>
#include <exception>
#include <map>

namespace sluice {

//===--- registry -------------------------------------------------------------===//

static std::map<std::string, NativeFactory, std::less<>> &registry() {
  static std::map<std::string, NativeFactory, std::less<>> factories;
  return factories;
}

RegisterNative::RegisterNative(const char *kind, NativeFactory factory) {
  registry()[kind] = factory;
}

NativeFactory findNative(std::string_view kind) {
  auto it = registry().find(kind);
  return it == registry().end() ? nullptr : it->second;
}

const Param *NativeOp::param(std::string_view name) const {
  for (const Param &p : params)
    if (p.name == name)
      return &p;
  return nullptr;
}

//===--- calls ----------------------------------------------------------------===//

int32_t runNative(Thread &t, uint32_t native) {
  return guarded(t, native, [](NativeOp &op) { return op.process(); });
}

/// A punctuation leaves on all output ports of a native operator. 0, or -1.
static int32_t submitOnAll(Thread &t, uint32_t native, PunctuationKind kind, int64_t time) {
  const OperatorDesc &desc = *t.program.natives[native]->desc;
  for (uint32_t i = 0; i < desc.outputs; ++i)
    if (desc.emitPunct[i](&t.ctx, uint32_t(kind), time) < 0)
      return -1;
  return 0;
}

int32_t closeOutputs(Thread &t, uint32_t native) {
  Program &p = t.program;
  if (p.nativeClosed[native])
    return 0;
  p.nativeClosed[native] = true;
  return submitOnAll(t, native, PunctuationKind::Final, 0);
}

//===--- life -----------------------------------------------------------------===//

static void own(Program &p, uint32_t op, NativeOp *made) {
  const OperatorDesc &desc = p.desc.operators[op];
  p.natives[desc.native].reset(made);
  p.nativePointers[desc.native] = made;
  made->ctx = &p.main->ctx;
  made->desc = &desc;
}

int32_t makeNatives(Program &p) {
  Thread &t = *p.main;
  p.natives.resize(p.desc.nativeCount);
  p.nativeOps.resize(p.desc.nativeCount);
  p.nativeClosed.resize(p.desc.nativeCount);
  p.nativePointers.resize(p.desc.nativeCount);
  for (uint32_t i = 0; i < p.desc.operatorCount; ++i) {
    const OperatorDesc &op = p.desc.operators[i];
    if (op.native < 0)
      continue;
    p.nativeOps[op.native] = i;
    if (!p.isHere(i))
      continue;
    if (op.link >= 0) {
      own(p, i, op.inputs ? makeSender(p) : makeReceiver(p));
      continue;
    }
    NativeFactory make = findNative(op.nativeClass);
    if (!make) {
      sl_error(&t.ctx, "internal error: there is no native operator %s", op.nativeClass);
      return fail(t, i, 0, false);
    }
    own(p, i, make());
  }
  Inside::enter(t, p.instances.outside()); // the context points to nativePointers, which has moved
  for (uint32_t i : p.nativeOps) {
    if (!p.isHere(i))
      continue;
    Inside inside(t, *p.instances.ofOperator[i]);
    HandlerFn setParams = p.desc.operators[i].setParams;
    int32_t result = setParams ? setParams(&t.ctx) : 0;
    if (result > 0)
      return fail(t, i, result, false);
    if (result < 0)
      return -1;
  }
  return 0;
}

int32_t openNatives(Program &p, bool first) {
  for (bool sources : {true, false})
    for (uint32_t i = 0; i < p.natives.size(); ++i) {
      const NativeOp *op = p.natives[i].get();
      if (!op || first != op->opensFirst() || sources != (op->desc->inputs == 0))
        continue;
      Inside inside(*p.main, *p.instances.ofOperator[p.nativeOps[i]]);
      if (int32_t result = guarded(*p.main, i, [](NativeOp &op) { return op.open(); }))
        return result > 0 ? fail(*p.main, p.nativeOps[i], 0, false) : -1;
    }
  return 0;
}

void closeNatives(Program &p) {
  for (uint32_t i = 0; i < p.natives.size(); ++i)
    if (p.natives[i] && guarded(*p.main, i, [](NativeOp &op) { return op.close(); }) > 0) {
      fail(*p.main, p.nativeOps[i], 0, false);
      reportPending(*p.main);
    }
}

} // namespace sluice

using namespace sluice;

//===--- ABI ------------------------------------------------------------------===//

extern "C" void sl_param(Ctx *ctx, uint32_t native, const char *name, const TypeDesc *type,
                         const void *value) {
  Program &p = *ctx->program;
  NativeOp &op = *p.natives[native + ctx->replica->native];
  void *copy = arenaAlloc(&p.keep, type->size, 16);
  sl_copy_to(&p.keep, type, copy, value);
  for (Param &known : op.params)
    if (known.name == name) {
      known.values.push_back({type, copy});
      return;
    }
  op.params.push_back({name, {{type, copy}}});
}

extern "C" int32_t sl_native_tuple(Ctx *ctx, uint32_t native, uint32_t port, const void *tuple) {
  Thread &t = *ctx->thread;
  native += ctx->replica->native;
  t.program.natives[native]->countMade();
  int32_t result = guarded(t, native, [&](NativeOp &op) { return op.tuple(port, tuple); });
  return result ? settle(t, t.program.nativeOps[native], result) : 0;
}

extern "C" int32_t sl_native_punct(Ctx *ctx, uint32_t native, uint32_t port, uint32_t kind,
                                   int64_t time) {
  Thread &t = *ctx->thread;
  native += ctx->replica->native;
  auto punctuation = PunctuationKind(kind);
  if (punctuation == PunctuationKind::Watermark)
    return submitOnAll(t, native, punctuation, time);
  bool closes = isFinal(punctuation);
  int32_t result = guarded(t, native, [&](NativeOp &op) { return op.punct(port, punctuation); });
  uint32_t index = t.program.nativeOps[native];
  if (result && settle(t, index, result) < 0)
    return -1;
  if (closes && sl_op_closed(ctx, index - ctx->replica->op))
    return closeOutputs(t, native);
  return 0;
}

namespace {
/// A vector that is taken from its owner for a while, so that it keeps its memory.
class Punctuations {
public:
  explicit Punctuations(std::vector<Punctuation> &owner) : owner(owner), own(std::move(owner)) {}
  ~Punctuations() { owner = std::move(own); }
  std::vector<Punctuation> &operator*() { return own; }
  std::vector<Punctuation> *operator->() { return &own; }

private:
  std::vector<Punctuation> &owner;
  std::vector<Punctuation> own;
};
} // namespace

/// The punctuation of a batch as its receiver counts it: of the final ones only the last of the
/// port stays.
static void collectPuncts(Ctx *ctx, uint32_t inPort, const Batch &b,
                          std::vector<Punctuation> &puncts) {
  puncts.clear();
  for (uint32_t i = 0; i < b.punctCount; ++i)
    if (!isFinal(b.puncts[i].kind) || sl_port_final(ctx, inPort))
      puncts.push_back(b.puncts[i]);
}

extern "C" int32_t sl_native_batch(Ctx *ctx, uint32_t native, uint32_t port, Batch *b) {
  Thread &t = *ctx->thread;
  native += ctx->replica->native;
  const OperatorDesc &desc = t.program.desc.operators[t.program.nativeOps[native]];
  // What it submits may come to another operator of this kind, which needs the vector.
  Punctuations puncts(t.puncts);
  collectPuncts(ctx, desc.firstIn + port - ctx->replica->in, *b, *puncts);
  int32_t result = guarded(t, native, [&](NativeOp &op) {
    return op.batch(port, *b, puncts->data(), uint32_t(puncts->size()));
  });
  uint32_t index = t.program.nativeOps[native];
  if (result && settle(t, index, result) < 0) {
    ctx->failedRow = 0;
    return -1;
  }
  for (const Punctuation &punct : *puncts) {
    if (punct.kind == PunctuationKind::Watermark && submitOnAll(t, native, punct.kind, punct.time))
      return -1;
    if (isFinal(punct.kind) && sl_op_closed(ctx, index - ctx->replica->op))
      return closeOutputs(t, native);
  }
  return 0;
}
