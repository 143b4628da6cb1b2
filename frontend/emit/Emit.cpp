//===- Emit.cpp - typed tree to phase "graph" -------------------------------===//
#include "frontend/emit/GraphEmitter.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"

using namespace sluice;
using namespace sluice::emission;

static mlir::Type makeType(Shared &shared, Type type) {
  mlir::MLIRContext *context = shared.context;
  auto names = [&](auto &&range, auto &&name) {
    llvm::SmallVector<mlir::StringAttr> result;
    for (auto &item : range)
      result.push_back(mlir::StringAttr::get(context, name(item)));
    return result;
  };
  switch (type->kind) {
  case SplType::Boolean:
    return mlir::IntegerType::get(context, 1);
  case SplType::Float32:
    return mlir::Float32Type::get(context);
  case SplType::Float64:
    return mlir::Float64Type::get(context);
  case SplType::RString:
    return spl::RStringType::get(context);
  case SplType::Timestamp:
    return spl::TimestampType::get(context);
  case SplType::Enum:
    return spl::EnumType::get(context, names(type->members, [](auto &m) { return m; }));
  case SplType::List:
    return spl::ListType::get(context, shared.type(type->args[0]));
  case SplType::Set:
    return spl::SetType::get(context, shared.type(type->args[0]));
  case SplType::Map:
    return spl::MapType::get(context, shared.type(type->args[0]), shared.type(type->args[1]));
  case SplType::Tuple: {
    llvm::SmallVector<mlir::Type> types;
    for (const SplType::Attribute &attribute : type->attributes)
      types.push_back(shared.type(attribute.second));
    return spl::TupleType::get(context, names(type->attributes, [](auto &a) { return a.first; }),
                               types);
  }
  case SplType::Int8:
  case SplType::Int16:
  case SplType::Int32:
  case SplType::Int64:
    return mlir::IntegerType::get(context, type->bits(), mlir::IntegerType::Signed);
  case SplType::UInt8:
  case SplType::UInt16:
  case SplType::UInt32:
  case SplType::UInt64:
    return mlir::IntegerType::get(context, type->bits(), mlir::IntegerType::Unsigned);
  case SplType::Error:
  case SplType::Void:
  case SplType::Var:
#define SPL_KIND(...)
#define SPL_KIND_LATER(name, ...) case SplType::name:
#include "sluice/Kinds.def"
    break;
  }
  llvm_unreachable("Sema refuses types that cannot run");
}

mlir::Type Shared::type(Type type) {
  auto known = types.find(type);
  if (known != types.end())
    return known->second;
  mlir::Type made = makeType(*this, type);
  types[type] = made;
  return made;
}

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
        value.hasDefault ? builder.getStringAttr(value.defaultValue) : mlir::StringAttr()));
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
                                              builder.getStringAttr(region.path), region.parent,
                                              width, submission, shared.location(region.range)));
  }
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
                              regions(shared, builder, program));
  GraphEmitter(shared).emitBody(program.main, graph.getBody().emplaceBlock());
  for (const typed::Function &function : program.functions)
    emitFunction(shared, builder, function);
  return module;
}
