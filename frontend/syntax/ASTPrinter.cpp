//===- ASTPrinter.cpp - declarations and statements as s-expressions -------===//
#include "frontend/syntax/ASTPrinter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace sluice;
using namespace sluice::ast;
using llvm::StringRef;

namespace {

class Printer {
public:
  explicit Printer(llvm::raw_ostream &os) : os(os) {}
  void print(const Unit &);

private:
  /// Opens `(head` on a line of its own; closed by the returned object.
  struct Node {
    Printer &printer;
    Node(Printer &printer, const llvm::Twine &head) : printer(printer) {
      if (printer.started)
        printer.os << '\n';
      printer.started = true;
      printer.os.indent(2 * printer.depth++) << '(' << head;
    }
    ~Node() {
      printer.os << ')';
      --printer.depth;
    }
  };

  void print(const TypeAlias &);
  void print(const Function &);
  void print(const OperatorModelDecl &);
  void printWords(const llvm::Twine &head, const std::vector<ModelWord> &);
  void print(StringRef clause, const std::vector<ModelItem> &);
  void print(const Composite &);
  void print(const Annotation &);
  void print(StringRef clause, const std::vector<PortDecl> &);
  void print(const Formal &);
  void print(StringRef clause, const std::vector<Setting> &);
  void print(const Invocation &);
  void printPorts(const Invocation &);
  void print(const LogicItem &);
  void print(const Actual &);
  void print(const Stmt &);
  void print(const DeclStmt &);
  void add(const Expr *expr) {
    os << ' ';
    printAST(*expr, os);
  }
  void add(const TypeNode *type) {
    os << ' ';
    printAST(*type, os);
  }
  /// The doc comment as one string, line breaks as \n.
  void addDoc(StringRef doc) {
    if (doc.empty())
      return;
    Node node(*this, "doc \"");
    os.write_escaped(doc) << '"';
  }

  llvm::raw_ostream &os;
  unsigned depth = 0;
  bool started = false;
};

} // namespace

static std::string qualified(const Path &path, StringRef name) {
  return path.parts.empty() ? name.str() : path.str() + "::" + name.str();
}

void Printer::print(const Unit &unit) {
  Node node(*this, "unit");
  if (!unit.ns.parts.empty())
    Node(*this, "namespace " + unit.ns.str());
  for (const UseDecl &use : unit.uses)
    Node(*this, "use " + qualified(use.path, use.name.text.empty() ? "*" : use.name.text));
  for (const TypeAlias *alias : unit.types)
    print(*alias);
  for (const Function *function : unit.functions)
    print(*function);
  for (const OperatorModelDecl *model : unit.operators)
    print(*model);
  for (const Composite *composite : unit.composites)
    print(*composite);
}

void Printer::print(const TypeAlias &alias) {
  Node node(*this, (alias.isStatic ? "static type " : "type ") + alias.name.text);
  add(alias.type);
}

//===--- functions and operator models -------------------------------------===//

void Printer::print(const Function &function) {
  Node node(*this, function.body ? "function" : "prototype");
  os << (function.isPublic ? " public" : "") << (function.isStateful ? " stateful" : "");
  os << ' ' << function.name.text;
  add(function.result);
  addDoc(function.doc);
  for (const Function::TypeVar &var : function.typeVars)
    Node(*this, "typevar " + var.cls.text + " " + var.name.text);
  for (const Ident &bound : function.boundVars)
    Node(*this, "boundvar " + bound.text);
  for (const FunctionParam &param : function.params) {
    Node formal(*this, param.isMutable ? "param mutable" : "param");
    add(param.type);
    if (!param.name.text.empty())
      os << ' ' << param.name.text;
  }
  if (!function.facts.empty())
    printWords("facts", function.facts);
  if (function.body)
    print(*static_cast<const Stmt *>(function.body));
}

void Printer::printWords(const llvm::Twine &head, const std::vector<ModelWord> &words) {
  Node node(*this, head);
  for (const ModelWord &word : words) {
    os << ' ' << word.word.text;
    if (word.type) {
      os << '<';
      printAST(*word.type, os);
      os << '>';
    }
    if (!word.list.empty())
      os << '{' << llvm::join(llvm::map_range(word.list, [](auto &w) { return w.text; }), " ")
         << '}';
  }
}

void Printer::print(StringRef clause, const std::vector<ModelItem> &items) {
  for (const ModelItem &item : items)
    printWords(clause + " " + item.name.text, item.words);
}

void Printer::print(const OperatorModelDecl &model) {
  Node node(*this, model.isPublic ? "operator public " : "operator ");
  os << model.name.text;
  addDoc(model.doc);
  print("input", model.inputs);
  print("output", model.outputs);
  print("param", model.params);
  for (const Function *function : model.outputFunctions)
    print(*function);
  print("config", model.flags);
}

//===--- composites --------------------------------------------------------===//

void Printer::print(const Annotation &annotation) {
  Node node(*this, "@" + annotation.name.text);
  for (const Annotation::Entry &entry : annotation.entries) {
    os << " (" << entry.key.text;
    add(entry.value);
    os << ')';
  }
}

void Printer::print(StringRef clause, const std::vector<PortDecl> &ports) {
  for (const PortDecl &port : ports) {
    Node node(*this, clause + " " + port.name.text);
    if (port.type)
      add(port.type);
  }
}

void Printer::print(const Formal &formal) {
  static const char *modes[] = {"attribute", "expression", "function", "operator", "type"};
  Node node(*this, llvm::Twine("formal ") + modes[unsigned(formal.mode)]);
  if (formal.type)
    add(formal.type);
  os << ' ' << formal.name.text;
  if (formal.hasDefault) {
    os << " :";
    print(formal.value);
  }
}

/// A bare name stands as itself, whatever it will turn out to be.
void Printer::print(const Actual &actual) {
  for (const Expr *value : actual.values)
    add(value);
  if (actual.type && actual.values.empty())
    add(actual.type);
}

void Printer::print(StringRef clause, const std::vector<Setting> &settings) {
  for (const Setting &setting : settings) {
    Node node(*this, clause + " " + setting.label.text);
    for (const Expr *value : setting.values)
      add(value);
  }
}

void Printer::print(const Composite &composite) {
  Node node(*this, composite.isPublic ? "composite public " : "composite ");
  os << composite.name.text;
  addDoc(composite.doc);
  for (const Annotation &annotation : composite.annotations)
    print(annotation);
  print("output", composite.outputs);
  print("input", composite.inputs);
  for (const Formal &formal : composite.formals)
    print(formal);
  for (const TypeAlias &alias : composite.types)
    print(alias);
  for (const Invocation *op : composite.graph)
    print(*op);
  print("config", composite.config);
}

void Printer::printPorts(const Invocation &op) {
  for (const OutPort &port : op.outputs) {
    Node node(*this, "out " + port.stream.text);
    if (!port.alias.text.empty())
      os << " as " << port.alias.text;
    add(port.type);
  }
  for (const InPort &port : op.inputs) {
    Node node(*this, "in");
    for (const Ident &stream : port.streams)
      os << ' ' << stream.text;
    if (!port.alias.text.empty())
      os << " as " << port.alias.text;
    if (port.type)
      add(port.type);
  }
}

void Printer::print(const Invocation &op) {
  Node node(*this, "invoke " + qualified(op.path, op.op.text));
  if (!op.alias.text.empty())
    os << " as " << op.alias.text;
  for (const Annotation &annotation : op.annotations)
    print(annotation);
  printPorts(op);
  for (const LogicItem &item : op.logic)
    print(item);
  print("window", op.window);
  for (const ParamItem &param : op.params) {
    Node item(*this, "param " + param.name.text);
    print(param.value);
  }
  for (const OutputItem &output : op.outputClause) {
    Node item(*this, "assign " + output.port.text);
    for (const OutputItem::Assignment &assignment : output.assignments) {
      os << " (" << assignment.attribute.text;
      add(assignment.value);
      os << ')';
    }
  }
  print("config", op.config);
}

void Printer::print(const LogicItem &item) {
  static const char *kinds[] = {"state", "onProcess", "onTuple ", "onPunct "};
  Node node(*this, kinds[unsigned(item.kind)] + item.label.text);
  for (const DeclStmt *state : item.states)
    print(*static_cast<const Stmt *>(state));
  if (item.body)
    print(*item.body);
}

//===--- statements --------------------------------------------------------===//

void Printer::print(const DeclStmt &decl) {
  Node node(*this, decl.isMutable ? "decl mutable" : "decl");
  add(decl.type);
  for (const Declarator &declarator : decl.declarators) {
    os << " (" << declarator.name.text;
    if (declarator.init)
      add(declarator.init);
    os << ')';
  }
}

void Printer::print(const Stmt &stmt) {
  if (auto *decl = llvm::dyn_cast<DeclStmt>(&stmt))
    return print(*decl);
  if (auto *alias = llvm::dyn_cast<AliasStmt>(&stmt))
    return print(alias->alias);
  static const char *heads[] = {"decl",  "block",    "if",     "for",  "while",
                                "break", "continue", "return", "expr", "type"};
  Node node(*this, heads[unsigned(stmt.kind)]);
  if (auto *block = llvm::dyn_cast<Block>(&stmt)) {
    for (const Stmt *inner : block->body)
      print(*inner);
  } else if (auto *branch = llvm::dyn_cast<IfStmt>(&stmt)) {
    add(branch->cond);
    print(*branch->then);
    if (branch->otherwise)
      print(*branch->otherwise);
  } else if (auto *loop = llvm::dyn_cast<ForStmt>(&stmt)) {
    add(loop->type);
    os << ' ' << loop->name.text;
    add(loop->collection);
    print(*loop->body);
  } else if (auto *loop = llvm::dyn_cast<WhileStmt>(&stmt)) {
    add(loop->cond);
    print(*loop->body);
  } else if (auto *jump = llvm::dyn_cast<JumpStmt>(&stmt)) {
    if (jump->value)
      add(jump->value);
  } else if (auto *e = llvm::dyn_cast<ExprStmt>(&stmt)) {
    add(e->expr);
  }
}

void sluice::printAST(const Unit &unit, llvm::raw_ostream &os) {
  Printer(os).print(unit);
  os << '\n';
}
