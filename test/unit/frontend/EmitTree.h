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
  template <typename... Args> ExprPtr make(ExprKind kind, const SplType *type, Args... args) {
    auto e = std::make_unique<Expr>();
    e->kind = kind;
    e->type = type;
    e->range = {file, 10, 20};
    e->source = "src";
    (e->args.push_back(std::move(args)), ...);
    return e;
  }
  ExprPtr number(int64_t value, const SplType *type = nullptr) {
    auto e = make(ExprKind::Const, type ? type : int32);
    e->integer = value;
    return e;
  }
  ExprPtr string(std::string value) {
    auto e = make(ExprKind::Const, rstring);
    e->text = std::move(value);
    return e;
  }
  ExprPtr flag(bool value) { return number(value, boolean); }
  ExprPtr use(Variable *var) {
    auto e = make(ExprKind::Var, var->type);
    e->var = var;
    return e;
  }
  ExprPtr tuple(unsigned port = 0) {
    auto e = make(ExprKind::Tuple, pair);
    e->port = port;
    return e;
  }
  ExprPtr field(ExprPtr base, unsigned index) {
    const SplType *type = base->type->attributes[index].second;
    auto e = make(ExprKind::Field, type, std::move(base));
    e->index = index;
    return e;
  }
  ExprPtr binary(B op, ExprPtr a, ExprPtr b, const SplType *type = nullptr) {
    auto e = make(ExprKind::Binary, type ? type : a->type, nullptr, nullptr);
    e->args[0] = std::move(a);
    e->args[1] = std::move(b);
    e->op = op;
    return e;
  }
  ExprPtr less(ExprPtr a, ExprPtr b) { return binary(B::Lt, std::move(a), std::move(b), boolean); }
  ExprPtr assign(ExprPtr target, ExprPtr value) {
    return make(ExprKind::Assign, voidType, std::move(target), std::move(value));
  }
  ExprPtr compound(B op, ExprPtr target, ExprPtr value) {
    auto e = assign(std::move(target), std::move(value));
    e->compound = true;
    e->op = op;
    return e;
  }
  ExprPtr index(ExprPtr base, ExprPtr at, const SplType *type) {
    return make(ExprKind::Index, type, std::move(base), std::move(at));
  }
  ExprPtr native(const Prototype *proto, const SplType *type, std::vector<ExprPtr> args,
                 std::vector<const SplType *> typeArgs = {}) {
    auto e = make(ExprKind::Native, type);
    e->proto = proto;
    e->args = std::move(args);
    e->typeArgs = std::move(typeArgs);
    return e;
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
  template <typename... Parts>
  StmtPtr stmt(StmtKind kind, Variable *var, ExprPtr expr, Parts... parts) {
    auto s = std::make_unique<Stmt>();
    s->kind = kind;
    s->range = {file, 10, 30};
    s->var = var;
    s->expr = std::move(expr);
    (s->body.push_back(std::move(parts)), ...);
    return s;
  }
  StmtPtr run(ExprPtr e) { return stmt(StmtKind::Expr, nullptr, std::move(e)); }
  StmtPtr declare(Variable *var, ExprPtr init = nullptr) {
    return stmt(StmtKind::Decl, var, std::move(init));
  }
  StmtPtr jump(StmtKind kind) { return stmt(kind, nullptr, nullptr); }
  StmtPtr give(ExprPtr e) { return stmt(StmtKind::Return, nullptr, std::move(e)); }
  template <typename... Parts> StmtPtr block(Parts... parts) {
    return stmt(StmtKind::Block, nullptr, nullptr, std::move(parts)...);
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
      Stream &stream = in.streams.emplace_back(Stream{name, pair, &op, 0, op.range});
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
};

} // namespace sluice::test
