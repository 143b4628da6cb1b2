//===- Natives.cpp - the life of operators written in C++ ----------------===//
#include "runtime/exec/run/Natives.h"
#include "runtime/exec/dispatch/Failure.h"
#include "runtime/exec/dispatch/NativeCalls.h"
#include "runtime/exec/ending/Failures.h"
#include "runtime/exec/remote/Remote.h"
#include "runtime/exec/state/Position.h"
#include "runtime/exec/state/Program.h"
#include "runtime/memory/Memory.h"
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
