//===- Closing.cpp - which ports and operators have come to their end -----===//
#include "runtime/exec/dispatch/Loops.h"
#include "runtime/exec/state/Program.h"

using namespace sluice;

extern "C" int32_t sl_port_final(Ctx *ctx, uint32_t inPort) {
  Program &p = *ctx->program;
  inPort += ctx->replica->in;
  if (ctx->thread)
    ctx->thread->atMarks = 1; // no row comes behind it
  if (holdsFinal(p, inPort))
    return 0;
  return isHeldFinal(p, inPort) || ++p.finals[inPort] == p.desc.inPorts[inPort].producers;
}

extern "C" int32_t sl_op_closed(Ctx *ctx, uint32_t op) {
  Program &p = *ctx->program;
  const OperatorDesc &desc = p.desc.operators[op + ctx->replica->op];
  for (uint32_t i = desc.firstIn; i < desc.firstIn + desc.inputs; ++i)
    if (p.finals[i] < p.desc.inPorts[i].producers)
      return 0;
  return 1;
}

extern "C" int32_t sl_out_close(Ctx *ctx, uint32_t outPort) {
  Program &p = *ctx->program;
  outPort += ctx->replica->out;
  if (p.ports[outPort].closed || p.failing)
    return 0;
  p.ports[outPort].closed = true;
  return 1;
}

extern "C" int32_t sl_passes_final(Ctx *ctx, uint32_t kind, uint32_t inPort, uint32_t op,
                                   uint32_t outPort) {
  if (kind > uint32_t(PunctuationKind::Watermark))
    sl_unknown_punct(kind);
  return kind == uint32_t(PunctuationKind::Final) && sl_port_final(ctx, inPort) &&
         sl_op_closed(ctx, op) && sl_out_close(ctx, outPort);
}

extern "C" int32_t sl_out_open(Ctx *ctx, uint32_t outPort) {
  return !ctx->program->ports[outPort + ctx->replica->out].closed;
}
