//===- EmitTree.h - typed trees by hand, for tests of emission --*- C++ -*-===//
#pragma once
#include "frontend/Frontend.h"
#include "ir/Stream.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

namespace sluice::test {

using namespace typed;
using B = ast::BinaryOp;

/// A program under construction. One Custom "Op" with an input and an output of
/// type tuple<int32 a, rstring s>, fed by a Custom "Src".
struct EmitTree : testing::Test {
  mlir::MLIRContext context;
  Diagnostics diagnostics{&context};
  TypeContext types;
  Program program;
  std::deque<Prototype> protos;
  std::deque<Variable> variables;
  const SplType *int32 = types.get(SplType::Int32), *int64 = types.get(SplType::Int64),
                *uint8 = types.get(SplType::UInt8), *boolean = types.get(SplType::Boolean),
                *float64 = types.get(SplType::Float64), *rstring = types.get(SplType::RString),
                *voidType = types.get(SplType::Void), *ints = types.list(int32),
                *strings = types.list(rstring), *counts = types.map(rstring, int32),
                *texts = types.map(rstring, rstring),
                *pair = types.tuple({{"a", int32}, {"s", rstring}}),
                *punct = types.enumeration({"WindowMarker", "FinalMarker"});
  uint32_t file =
      diagnostics.add(llvm::MemoryBuffer::getMemBufferCopy(std::string(200, 'x'), "test.spl"));

  EmitTree() {
    program.mainName = "Main";
    program.main.definition = "Main";
  }

  //===--- expressions --------------------------------------------------------===//
  /// An expression of class E at a place of its own. `args`: of the constructor behind the
  /// range; a type that goes before the range comes first.
  template <typename E, typename... Args> ExprPtr make(Args... args) {
    return withSource(std::make_unique<E>(Range{file, 10, 20}, std::move(args)...));
  }
  template <typename E, typename... Args> ExprPtr make(const SplType *type, Args... args) {
    return withSource(std::make_unique<E>(type, Range{file, 10, 20}, std::move(args)...));
  }
  ExprPtr number(int64_t value, const SplType *type = nullptr) {
    return make<ConstExpr>(type ? type : int32, value);
  }
  ExprPtr string(std::string value) { return make<ConstExpr>(rstring, std::move(value)); }
  ExprPtr flag(bool value) { return number(value, boolean); }
  ExprPtr use(Variable *var) { return std::make_unique<VarExpr>(*var, Range{file, 10, 20}); }
  ExprPtr tuple(unsigned port = 0) { return make<TupleExpr>(pair, port); }
  ExprPtr field(ExprPtr base, unsigned index) { return make<FieldExpr>(std::move(base), index); }
  ExprPtr index(ExprPtr base, ExprPtr at) {
    const SplType *element = base->type->isString() ? base->type : base->type->args.back();
    return make<IndexExpr>(element, std::move(base), std::move(at));
  }
  template <typename... Elements> ExprPtr literal(const SplType *type, Elements... elements) {
    return make<AggregateExpr>(type, list(std::move(elements)...));
  }
  ExprPtr binary(BinaryOperator op, ExprPtr a, ExprPtr b, const SplType *type = nullptr) {
    if (!type)
      type = a->type;
    return make<BinaryExpr>(type, op, std::move(a), std::move(b));
  }
  ExprPtr binary(B op, ExprPtr a, ExprPtr b, const SplType *type = nullptr) {
    return binary(BinaryOperator{op}, std::move(a), std::move(b), type);
  }
  ExprPtr less(ExprPtr a, ExprPtr b) { return binary(B::Lt, std::move(a), std::move(b), boolean); }
  ExprPtr assign(ExprPtr target, ExprPtr value) {
    return make<AssignExpr>(voidType, std::nullopt, std::move(target), std::move(value));
  }
  ExprPtr compound(B op, ExprPtr target, ExprPtr value) {
    return make<AssignExpr>(voidType, BinaryOperator{op}, std::move(target), std::move(value));
  }
  ExprPtr increment(ExprPtr place) {
    return make<IncDecExpr>(/*isPrefix=*/false, /*isDecrement=*/false, std::move(place));
  }
  ExprPtr native(const Prototype *proto, const SplType *type, std::vector<ExprPtr> args,
                 std::vector<const SplType *> typeArgs = {}) {
    return make<NativeCallExpr>(type, std::ref(*proto), std::move(typeArgs), std::move(args));
  }
  const Prototype *proto(std::string name, std::string symbol, std::vector<const SplType *> params,
                         const SplType *result, std::vector<bool> isMutable = {},
                         FunctionFacts facts = {}) {
    Prototype p;
    p.ns = "spl.collection";
    p.name = std::move(name);
    p.symbol = std::move(symbol);
    isMutable.resize(params.size());
    p.isMutable = std::move(isMutable);
    for (const SplType *param : params)
      if (param->kind == SplType::Var && !llvm::is_contained(p.typeVars, param))
        p.typeVars.push_back(param);
    p.params = std::move(params);
    p.result = result;
    p.facts = facts;
    return &protos.emplace_back(std::move(p));
  }
  template <typename... Args> std::vector<ExprPtr> list(Args... args) {
    std::vector<ExprPtr> result;
    (result.push_back(std::move(args)), ...);
    return result;
  }

  //===--- statements ---------------------------------------------------------===//
  Variable *variable(std::string name, const SplType *type, bool isMutable = true,
                     Variable::Kind kind = Variable::Local) {
    return &variables.emplace_back(
        Variable{kind, std::move(name), type, isMutable, 0, {file, 1, 2}});
  }
  StmtPtr run(ExprPtr e) { return std::make_unique<ExprStmt>(stmtRange(), std::move(e)); }
  StmtPtr declare(Variable *var, ExprPtr init = nullptr) {
    return std::make_unique<DeclStmt>(stmtRange(), *var, std::move(init));
  }
  StmtPtr when(ExprPtr condition, StmtPtr then, StmtPtr otherwise = nullptr) {
    return std::make_unique<IfStmt>(stmtRange(), std::move(condition), std::move(then),
                                    std::move(otherwise));
  }
  StmtPtr repeat(ExprPtr condition, StmtPtr body) {
    return std::make_unique<WhileStmt>(stmtRange(), std::move(condition), std::move(body));
  }
  StmtPtr forEach(Variable *var, ExprPtr collection, StmtPtr body) {
    return std::make_unique<ForStmt>(stmtRange(), *var, std::move(collection), std::move(body));
  }
  StmtPtr jump(bool isBreak) { return std::make_unique<JumpStmt>(stmtRange(), isBreak); }
  StmtPtr give(ExprPtr e) { return std::make_unique<ReturnStmt>(stmtRange(), std::move(e)); }
  template <typename... Parts> StmtPtr block(Parts... parts) {
    auto result = std::make_unique<BlockStmt>(stmtRange());
    (result->body.push_back(std::move(parts)), ...);
    return result;
  }

  //===--- the graph ----------------------------------------------------------===//
  /// Text offsets order the graph: each new operator stands below the last.
  uint32_t nextOffset = 10;
  Operator &addOperator(Composite &in, std::string name, std::vector<Stream *> inputs,
                        bool hasOutput) {
    Operator &op = in.operators.emplace_back();
    op.name = name;
    op.kind = "spl.utility::Custom";
    op.range = {file, nextOffset, nextOffset + 5};
    nextOffset += 10;
    if (!inputs.empty()) {
      op.inputs.emplace_back();
      op.inputs[0].type = inputs[0]->type;
      op.inputs[0].streams = std::move(inputs);
    }
    if (hasOutput) {
      Stream &stream = in.streams.emplace_back(Stream{name, pair, op.range});
      op.outputs.push_back({name, &stream, {}});
    }
    return op;
  }
  /// The standard operator, with onTuple as given.
  Operator &onTuple(StmtPtr body) {
    addOperator(program.main, "Src", {}, true);
    Operator &op = addOperator(program.main, "Op", {&program.main.streams[0]}, true);
    op.inputs[0].onTuple = std::move(body);
    return op;
  }
  Function &function(const SplType *result, std::vector<Variable *> params, StmtPtr body) {
    Function &f = program.functions.emplace_back();
    f.symbol = f.name = "f";
    f.params = std::move(params);
    f.result = result;
    f.body = std::move(body);
    return f;
  }

  //===--- checks -------------------------------------------------------------===//
  std::string text(bool locations = false) {
    auto module = emit(&context, diagnostics, program);
    EXPECT_TRUE(succeeded(mlir::verify(*module)));
    std::string result;
    llvm::raw_string_ostream os(result);
    mlir::OpPrintingFlags flags;
    module->print(os, locations ? flags.enableDebugInfo() : flags);
    EXPECT_TRUE(mlir::parseSourceString<mlir::ModuleOp>(result, &context)) << "does not parse:\n"
                                                                           << result;
    return result;
  }
  /// Each part occurs, behind the one before it. Values of handlers start at %2:
  /// %0 and %1 are the streams of Src and Op.
  void expectInOrder(const std::string &text, std::vector<std::string> parts) {
    size_t at = 0;
    for (const std::string &part : parts) {
      size_t found = text.find(part, at);
      ASSERT_NE(found, std::string::npos) << "missing: " << part << "\nin:\n" << text;
      at = found + part.size();
    }
  }
  void expectAbsent(const std::string &text, const std::string &part) {
    EXPECT_EQ(text.find(part), std::string::npos) << text;
  }

private:
  Range stmtRange() const { return {file, 10, 30}; }
  static ExprPtr withSource(ExprPtr e) {
    e->source = "src";
    return e;
  }
};

} // namespace sluice::test
