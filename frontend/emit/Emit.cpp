//===- Emit.cpp - typed tree to phase "graph" -------------------------------===//
#include "frontend/emit/GraphEmitter.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"

using namespace sluice;
using namespace sluice::emission;

static void emitFunction(Shared &shared, mlir::OpBuilder &builder,
                         const typed::Function &function) {
  llvm::SmallVector<mlir::Type> formals, results;
  for (const typed::Variable *formal : function.params)
    formals.push_back(formal->isMutable ? shared.refType(formal->type) : shared.type(formal->type));
  if (function.result->kind != SplType::Void)
    results.push_back(shared.type(function.result));
  auto op = spl::FuncOp::create(builder, shared.location(function.range), function.symbol,
                                builder.getFunctionType(formals, results));
  BodyEmitter(shared, op.getBody()).emitFunction(function);
}

static mlir::ArrayAttr submissions(mlir::OpBuilder &builder, const typed::Program &program) {
  llvm::SmallVector<mlir::Attribute> values;
  for (const typed::Submission &value : program.submissions)
    values.push_back(stream::SubmissionAttr::get(
        builder.getContext(), builder.getStringAttr(value.name), value.isList,
        value.hasDefault ? builder.getStringAttr(value.defaultValue) : mlir::StringAttr(),
        value.isSecret));
  return builder.getArrayAttr(values);
}

static mlir::ArrayAttr regions(Shared &shared, mlir::OpBuilder &builder,
                               const typed::Program &program) {
  llvm::SmallVector<mlir::Attribute> regions;
  for (const typed::Region &region : program.regions) {
    std::optional<int32_t> width, submission;
    if (region.submission)
      submission = *region.submission;
    else
      width = region.width;
    regions.push_back(stream::RegionAttr::get(builder.getContext(),
                                              builder.getStringAttr(region.path),
                                              builder.getStringAttr(region.kind), region.parent,
                                              width, submission, shared.location(region.range)));
  }
  return builder.getArrayAttr(regions);
}

static mlir::ArrayAttr consistents(Shared &shared, mlir::OpBuilder &builder,
                                   const typed::Program &program) {
  auto number = [&](const typed::StartNumber &number) {
    return stream::StartNumberAttr::get(builder.getContext(), builder.getF64FloatAttr(number.value),
                                        number.submission ? int32_t(*number.submission) : -1);
  };
  llvm::SmallVector<mlir::Attribute> regions;
  for (const typed::Consistent &region : program.consistents)
    regions.push_back(stream::ConsistentAttr::get(
        builder.getContext(), region.isDriven, number(region.period), number(region.drainTimeout),
        number(region.resetTimeout), number(region.resetAttempts), shared.location(region.range)));
  return builder.getArrayAttr(regions);
}

mlir::OwningOpRef<mlir::ModuleOp> sluice::emit(mlir::MLIRContext *context,
                                               const Diagnostics &diagnostics,
                                               const typed::Program &program) {
  context->loadDialect<spl::SplDialect, stream::StreamDialect, mlir::cf::ControlFlowDialect>();
  mlir::Location location = diagnostics.location(program.main.range);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(location);
  Shared shared(context, diagnostics, *module);
  auto builder = mlir::OpBuilder::atBlockEnd(module->getBody());
  auto graph =
      stream::GraphOp::create(builder, location, program.mainName, submissions(builder, program),
                              regions(shared, builder, program), /*pes=*/{},
                              consistents(shared, builder, program), /*partition=*/{});
  GraphEmitter(shared).emitBody(program.main, graph.getBody().emplaceBlock());
  for (const typed::Function &function : program.functions)
    emitFunction(shared, builder, function);
  return module;
}
