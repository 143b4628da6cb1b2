//===- NativeCalls.cpp - calls of operators written in C++ ---------------===//
#include "runtime/exec/dispatch/NativeCalls.h"
#include "runtime/exec/dispatch/Failure.h"
#include "runtime/exec/state/Program.h"
#include "runtime/memory/Memory.h"

namespace sluice {

int32_t runNative(Thread &t, uint32_t native) {
  return guarded(t, native, [](NativeOp &op) { return op.process(); });
}

/// A punctuation leaves on all output ports of a native operator. 0, or -1.
static int32_t submitOnAll(Thread &t, uint32_t native, PunctuationKind kind, int64_t time) {
  const OperatorDesc &desc = *t.program.natives.list[native]->desc;
  for (uint32_t i = 0; i < desc.outputs; ++i)
    if (desc.emitPunct[i](&t.ctx, uint32_t(kind), time) < 0)
      return -1;
  return 0;
}

int32_t closeOutputs(Thread &t, uint32_t native) {
  Program &p = t.program;
  if (p.natives.closed[native])
    return 0;
  p.natives.closed[native] = true;
  return submitOnAll(t, native, PunctuationKind::Final, 0);
}

} // namespace sluice

using namespace sluice;

extern "C" int32_t sl_native_tuple(Ctx *ctx, uint32_t native, uint32_t port, const void *tuple) {
  Thread &t = *ctx->thread;
  native += ctx->replica->native;
  t.program.natives.list[native]->countMade();
  int32_t result = guarded(t, native, [&](NativeOp &op) { return op.tuple(port, tuple); });
  return result ? settle(t, t.program.natives.ops[native], result) : 0;
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
  uint32_t index = t.program.natives.ops[native];
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
  const OperatorDesc &desc = t.program.desc.operators[t.program.natives.ops[native]];
  // What it submits may come to another operator of this kind, which needs the vector.
  Punctuations puncts(t.reserve.puncts);
  collectPuncts(ctx, desc.firstIn + port - ctx->replica->in, *b, *puncts);
  int32_t result = guarded(t, native, [&](NativeOp &op) {
    return op.batch(port, *b, puncts->data(), uint32_t(puncts->size()));
  });
  uint32_t index = t.program.natives.ops[native];
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
