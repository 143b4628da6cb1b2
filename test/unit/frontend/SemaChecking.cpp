//===- SemaChecking.cpp - check SPL text without the graph ----------------===//

#include "SemaChecking.h"
#include "llvm/Support/Format.h"

using namespace sluice;
using namespace sluice::sema;

static const char *const library = R"(namespace spl.utility;
<any T> public void println(T value);
// @also method list set map blob(0) size, length: size({0})
<any T> public uint32 size(list<T> l);
<any T> public uint32 size(set<T> l);
// @also method list blob(1) add, append: appendM({0}, {1})
<any T> public void appendM(mutable list<T> l, T value);
<any T> public void appendM(mutable list<T> l, list<T> values);
<ordered T> public T max(T a, T b);
<any K, any V> public V lookup(map<K, V> m, K key);
// @also role numbers: range
public list<int32> range(int32 n);
// @also role find: findFirst
public stateful float64 random();
public void assert(boolean condition);
// @also function printf: `printStringLn("x is " + (rstring) x)`
// @also function len: `length(text)` and `size(collection)`
// @also method rstring ustring(0) length, size: length({0})
// @also method rstring ustring(1) =~: size(regexMatch({0}, {1})) > 0
// @also method rstring ustring(2) substr, substring: substring({0}, {1}, {2})
public rstring upper(rstring s);
<floatingpoint T> public T sqrt(T x);
<any T> public void swap(mutable T a, mutable T b);
)";

namespace {
class FakeModules : public Modules {
public:
  std::vector<ast::Unit *> units;

  std::optional<TypeDef> findType(const ast::Unit *, llvm::StringRef ns, llvm::StringRef composite,
                                  llvm::StringRef name) override {
    for (ast::Unit *unit : units) {
      if (composite.empty())
        for (ast::TypeAlias *alias : unit->types)
          if (alias->name.text == name)
            return TypeDef{alias, unit, nullptr};
      for (ast::Composite *c : unit->composites)
        if (c->name.text == composite)
          for (const ast::TypeAlias &alias : c->types)
            if (alias.name.text == name)
              return TypeDef{&alias, unit, c};
    }
    return std::nullopt;
  }
  std::vector<FunctionDef> findFunctions(const ast::Unit *, llvm::StringRef ns,
                                         llvm::StringRef name) override {
    std::vector<FunctionDef> found;
    for (ast::Unit *unit : units) {
      for (ast::Function *f : unit->functions)
        if (f->name.text == name && (ns.empty() || ns == unit->ns.str()))
          found.push_back({f, unit, unit->ns.str()});
      if (!found.empty())
        break;
    }
    return found;
  }
  std::vector<std::string> toolkitsWithMessages() const override { return {"app", "."}; }
  std::vector<std::string> withOutputFunction(llvm::StringRef) override { return {}; }
  const Hints &hints() override {
    static const Hints known = [] {
      Hints all;
      all.read(library);
      return all;
    }();
    return known;
  }
  bool reportSeveral(Range, const ast::Unit *, const ast::Unit *, llvm::StringRef, llvm::StringRef,
                     llvm::ArrayRef<Range>) override {
    return false;
  }
  const NativeFunction *nativeFunction(const ast::Unit *, const ast::Function *) override {
    return nullptr;
  }
  std::optional<EnumMember> findEnumMember(const ast::Unit *, llvm::StringRef qualifier,
                                           llvm::StringRef name) override {
    for (ast::Unit *unit : units) {
      for (ast::TypeAlias *alias : unit->types)
        if (qualifier.empty() || qualifier == alias->name.text)
          if (auto found = member(alias, unit, nullptr, name))
            return found;
      for (ast::Composite *c : unit->composites)
        for (const ast::TypeAlias &alias : c->types)
          if (qualifier == c->name.text)
            if (auto found = member(&alias, unit, c, name))
              return found;
    }
    return std::nullopt;
  }
  void offer(NearNames &near, const ast::Unit *, llvm::StringRef, Kind kind) override {
    for (ast::Unit *unit : units)
      for (ast::Function *f : unit->functions)
        if (kind == Kind::Function)
          near.offer(f->name.text);
  }
  void offerEnumMembers(NearNames &, const ast::Unit *) override {}
  void offerStaticMembers(NearNames &, const ast::Unit *, llvm::StringRef,
                          llvm::StringRef) override {}
  bool isExplained(Range, const ast::Unit *, llvm::StringRef, llvm::StringRef) override {
    return false;
  }
  const ast::Function *hiddenFunction(const ast::Unit *, llvm::StringRef,
                                      llvm::StringRef) override {
    return nullptr;
  }
  void warnHiding(Range, const ast::Unit *, const ast::Unit *, Kind, llvm::StringRef,
                  Range) override {}
  bool noteUnreadable(mlir::InFlightDiagnostic &, const ast::Unit *, llvm::StringRef,
                      llvm::StringRef, bool) override {
    return false;
  }
  std::vector<std::string> elsewhere(llvm::StringRef) override { return {}; }
  void noteElsewhere(mlir::InFlightDiagnostic &, Range, const ast::Unit *,
                     llvm::ArrayRef<std::string>) override {}
  Sema *sema = nullptr;

private:
  std::optional<EnumMember> member(const ast::TypeAlias *alias, ast::Unit *unit, ast::Composite *,
                                   llvm::StringRef name) {
    for (unsigned i = 0; i < alias->type->members.size(); ++i)
      if (alias->type->members[i].text == name) {
        Scope scope;
        scope.unit = unit;
        return EnumMember{sema->checkType(alias->type, scope), i};
      }
    return std::nullopt;
  }
};
} // namespace

struct test::Checked::Impl {
  mlir::MLIRContext context;
  Diagnostics diags{&context};
  ASTContext ast;
  TypeContext types;
  FrontendOptions options;
  FakeModules modules;
  Sema sema{ast, types, diags, options};
};

test::Checked::Checked(const std::string &text, Diagnostics::Warnings warnings)
    : impl(std::make_unique<Impl>()) {
  Diagnostics &diags = impl->diags;
  diags.setWarnings(warnings);
  auto describe = [&](mlir::Location at, const std::string &message) {
    if (auto range = llvm::dyn_cast<mlir::FileLineColRange>(at))
      problems += std::to_string(range.getStartLine()) + ": ";
    else if (auto line = llvm::dyn_cast<mlir::FileLineColLoc>(at))
      problems += std::to_string(line.getLine()) + ": ";
    problems += message + "\n";
  };
  mlir::ScopedDiagnosticHandler handler(&impl->context, [&](mlir::Diagnostic &d) {
    bool isWarning = d.getSeverity() == mlir::DiagnosticSeverity::Warning;
    describe(d.getLocation(), (isWarning ? "warning: " : "") + d.str());
    for (mlir::Diagnostic &note : d.getNotes())
      describe(note.getLocation(), "note: " + note.str());
    return mlir::success();
  });
  auto add = [&](llvm::StringRef source, llvm::StringRef name, bool isToolkit) {
    uint32_t file = diags.add(llvm::MemoryBuffer::getMemBufferCopy(source, name));
    return parse(impl->ast, diags, file, isToolkit);
  };
  unit = add(text, "Test.spl", false);
  ast::Unit *toolkit = add(library, "library.spl", true);
  if (!unit || !toolkit)
    return;
  impl->modules.units = {unit, toolkit};
  impl->modules.sema = &impl->sema;
  impl->sema.modules = &impl->modules;
  impl->sema.program = &program;
  impl->sema.checkUnitFunctions(unit);
}

test::Checked::~Checked() = default;

/// The last statement of a function, or null.
static const typed::Stmt *lastStmt(const typed::Program &program, const std::string &name) {
  for (const typed::Function &f : program.functions)
    if (f.name == name && f.body)
      if (auto &body = llvm::cast<typed::BlockStmt>(*f.body).body; !body.empty())
        return body.back().get();
  return nullptr;
}

std::string test::problemsOf(const std::string &statements) {
  return Checked("void test() { " + statements + "\n}\n").problems;
}

static std::string valueOf(const typed::Expr &e) {
  auto *constant = llvm::dyn_cast<typed::ConstExpr>(&e);
  if (!constant)
    return "";
  if (constant->isDefault())
    return " = default";
  if (e.type->isFloat())
    return " = " + llvm::formatv("{0}", llvm::format("%g", constant->real())).str();
  if (e.type->kind == SplType::RString)
    return " = \"" + constant->text().str() + "\"";
  int64_t value = constant->integer();
  bool isUnsigned = e.type->kind == SplType::UInt64;
  return " = " + (isUnsigned ? std::to_string(uint64_t(value)) : std::to_string(value));
}

std::string test::typeOf(const std::string &expression) {
  Checked checked(
      "type T = int32 a, rstring b;\n"
      "type Colour = enum{red, green};\n"
      "void test(mutable boolean b8, mutable int8 i8, mutable int16 i16, mutable int32 i32,"
      " mutable int64 i64, mutable uint8 u8, mutable uint32 u32, mutable uint64 u64,"
      " mutable float32 f32, mutable float64 f64, mutable rstring s, mutable T t,"
      " mutable timestamp ts, mutable list<int32> li, mutable list<rstring> ls,"
      " mutable set<int32> si, mutable map<rstring, int32> mi, mutable Colour c) {\n" +
          expression + ";\n}\n",
      Diagnostics::Warnings::Hidden);
  if (!checked.problems.empty())
    return checked.problems;
  const typed::Stmt *last = lastStmt(checked.program, "test");
  if (!last)
    return "no function";
  const typed::Expr &e = *llvm::cast<typed::ExprStmt>(last)->expr;
  return e.type->str() + valueOf(e);
}
