//===- Doc.cpp - sluice doc: the standard toolkit, explained --------------===//
//
// What is said comes from the declarations of the toolkit and their doc comments; of words of the
// language, from LanguageWords.cpp.
//
//===----------------------------------------------------------------------===//
#include "frontend/diagnostics/DiagnosticPrinter.h"
#include "tools/driver/Compile.h"
#include "tools/driver/OptionTable.h"
#include "tools/driver/Suggestion.h"
#include "tools/driver/doc/LanguageWords.h"
#include "tools/driver/doc/Pages.h"
#include "tools/driver/doc/Text.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace sluice;
using namespace sluice::driver;
using llvm::raw_ostream;
using llvm::StringRef;

namespace {
constexpr const char *kPlanned = "not in this release";

/// All declarations of the toolkit. The files are parsed when it is made.
class Toolkit {
public:
  Toolkit() : diagnostics(&context), printer(diagnostics, llvm::errs()) {}

  /// Returns false after reporting a file that cannot be read.
  bool read(StringRef directory);

  void list(raw_ostream &) const;
  /// Explains what has this name, with its namespace or without. Returns whether there is any.
  bool explain(StringRef name, raw_ostream &) const;
  /// Lists what has `query` in its name or in that of a parameter, and what is said to do with its
  /// words. Returns whether there is any.
  bool search(StringRef query, raw_ostream &) const;
  /// All names, for suggestions.
  std::vector<std::string> names() const;

private:
  struct Item {
    std::string ns;
    const ast::OperatorModelDecl *op = nullptr;
    const ast::Function *function = nullptr; // of the namespace, or of `op`
    const ast::Composite *types = nullptr;   // one that holds types, as Sys, or operators
    StringRef name() const {
      return types ? types->name.text : function ? function->name.text : op->name.text;
    }
    StringRef doc() const { return types ? types->doc : function ? function->doc : op->doc; }
    bool isPlanned() const;
    StringRef kind() const { return types->graph.empty() ? "types of" : "composite"; } // of `types`
  };

  void explain(const ast::OperatorModelDecl &, StringRef ns, raw_ostream &) const;
  void explain(const Item &, raw_ostream &) const;
  void explainTypes(const Item &, raw_ostream &) const;
  void listNamespace(StringRef ns, raw_ostream &) const;
  std::string signature(const ast::Function &) const;
  /// What the words of a port or parameter say.
  std::string words(const ast::ModelItem &) const;
  void items(const char *title, const std::vector<ast::ModelItem> &, raw_ostream &) const;

  mlir::MLIRContext context;
  Diagnostics diagnostics;
  DiagnosticPrinter printer;
  ASTContext ast;
  std::vector<Item> all;
  std::map<std::string, std::string> namespaces; // and what is said of them
};
} // namespace

//===--- texts ----------------------------------------------------------------===//

static bool isPlanned(const std::vector<ast::ModelWord> &words) {
  return llvm::any_of(words, [](const ast::ModelWord &word) {
    return word.word.text == "planned" && word.list.empty();
  });
}

static bool isPlanned(const ast::OperatorModelDecl &op) {
  return llvm::any_of(op.flags, [](const ast::ModelItem &flag) {
    return flag.name.text == "status" && isPlanned(flag.words);
  });
}

/// Whether a literal that a parameter may be is planned.
static bool isPlanned(const ast::ModelItem &item, StringRef literal) {
  return llvm::any_of(item.words, [&](const ast::ModelWord &word) {
    return word.word.text == "planned" &&
           llvm::any_of(word.list, [&](const ast::Ident &each) { return each.text == literal; });
  });
}

bool Toolkit::Item::isPlanned() const {
  if (types)
    return false;
  return function ? ::isPlanned(function->facts) : ::isPlanned(*op);
}

//===--- declarations ---------------------------------------------------------===//

bool Toolkit::read(StringRef directory) {
  std::error_code error;
  std::vector<std::string> paths;
  for (llvm::sys::fs::recursive_directory_iterator it(directory, error), end; it != end && !error;
       it.increment(error))
    if (StringRef(it->path()).ends_with(".spl"))
      paths.push_back(it->path());
  if (error || paths.empty()) {
    llvm::errs() << "sluice: the standard toolkit cannot be read: `" << directory << "`\n";
    return false;
  }
  llvm::sort(paths);
  std::vector<Item> operators, functions, types;
  for (const std::string &path : paths) {
    uint32_t file = diagnostics.open(path);
    ast::Unit *unit = file ? parse(ast, diagnostics, file, /*toolkitFile=*/true) : nullptr;
    if (!unit)
      return false;
    std::string ns = llvm::join(
        llvm::map_range(unit->ns.parts, [](const ast::Ident &part) { return part.text; }), ".");
    if (ns == "sluice.lang")
      continue; // what SPL itself is made of
    StringRef text = diagnostics.text(file);
    std::string &said = namespaces[ns];
    if (text.starts_with("/**")) // each file of a namespace says what it holds
      said += (said.empty() ? "" : " ") + plainDoc(text.take_front(text.find("*/") + 2));
    for (const ast::OperatorModelDecl *op : unit->operators) {
      operators.push_back({ns, op});
      for (const ast::Function *function : op->outputFunctions)
        functions.push_back({ns, op, function});
    }
    for (const ast::Function *function : unit->functions)
      if (function->isPublic)
        functions.push_back({ns, nullptr, function});
    for (const ast::Composite *composite : unit->composites)
      if (!composite->types.empty() || !composite->graph.empty())
        types.push_back({ns, nullptr, nullptr, composite});
  }
  // Operators by name; functions stay as the files have them.
  llvm::sort(operators, [](const Item &a, const Item &b) { return a.name() < b.name(); });
  llvm::append_range(all, operators);
  llvm::append_range(all, functions);
  llvm::append_range(all, types);
  return true;
}

/// The declaration up to its closing parenthesis.
std::string Toolkit::signature(const ast::Function &function) const {
  StringRef text = diagnostics.text(function.range);
  std::string result;
  for (StringRef word : llvm::split(text.take_front(text.find(')') + 1), ' '))
    if (word = word.trim(); !word.empty() && word != "public")
      result += (result.empty() ? "" : " ") + word.str();
  return result;
}

/// What a word of a port or parameter says to somebody who calls the operator. TYPE is the type
/// behind the word, LIST what stands in its braces, NAME the name of the port or parameter.
static const std::pair<StringRef, StringRef> kWords[] = {
    {"expression", "TYPE, evaluated for each tuple"},
    {"attributeFree", "TYPE, evaluated once, at the start"},
    {"constant", "TYPE, a constant"},
    {"attribute", "an attribute"},
    {"literal", "one of LIST"},
    {"of", "of LIST"},
    {"condition", "a condition"},
    {"required", "required"},
    {"many", "one or more"},
    {"notNegative", "not below 0"},
    {"positive", "above 0"},
    {"each", "one for each input port: NAME0, NAME1, ..."},
    {"optional", "may be missing"},
    {"open", "any number"},
    {"windowed", "with a window"},
    {"windowOptional", "may have a window"},
    {"assign", "takes assignments"},
    {"auto", "copies attributes of the same name"},
    {"same", "the type of the input"},
};

static std::string replaced(StringRef text, StringRef what, StringRef by) {
  llvm::SmallVector<StringRef> parts;
  text.split(parts, what);
  return llvm::join(parts, by);
}

std::string Toolkit::words(const ast::ModelItem &item) const {
  std::vector<std::string> said;
  for (const ast::ModelWord &word : item.words) {
    StringRef kind = word.word.text;
    llvm::SmallVector<StringRef> list;
    for (const ast::Ident &each : word.list)
      if (kind != "literal" || !isPlanned(item, each.text))
        list.push_back(each.text);
    std::string listed = llvm::join(list, ", ");
    if (kind == "planned")
      said.push_back(listed.empty() ? kPlanned : listed + ": " + kPlanned);
    const auto *known = llvm::find_if(kWords, [&](auto &entry) { return entry.first == kind; });
    if (known == std::end(kWords))
      continue; // it says how the compiler works
    std::string type = word.type ? diagnostics.text(word.type->range).str() + ", " : "";
    std::string text = replaced(known->second, "TYPE, ", type);
    said.push_back(replaced(replaced(text, "LIST", listed), "NAME", item.name.text));
  }
  return llvm::join(said, "; ");
}

void Toolkit::items(const char *title, const std::vector<ast::ModelItem> &list,
                    raw_ostream &os) const {
  if (list.empty())
    return;
  os << "\n" << title << "\n";
  size_t width = 0;
  for (const ast::ModelItem &item : list)
    width = std::max(width, item.name.text.size());
  for (const ast::ModelItem &item : list) {
    std::string text;
    llvm::raw_string_ostream said(text);
    printDoc(said, words(item), width + 4);
    std::string name = "  " + item.name.text.str();
    os << name << StringRef(text).drop_front(std::min(name.size(), text.size() - 1));
  }
}

//===--- pages ----------------------------------------------------------------===//

void Toolkit::explain(const ast::OperatorModelDecl &op, StringRef ns, raw_ostream &os) const {
  os << "operator " << ns << "::" << op.name.text << "\n\n";
  printDoc(os, plainDoc(op.doc), 2);
  if (isPlanned(op)) {
    os << "\n  It is " << kPlanned << ".\n";
    return;
  }
  items("Input ports", op.inputs, os);
  items("Output ports", op.outputs, os);
  items("Parameters", op.params, os);
  if (op.outputFunctions.empty())
    return;
  os << "\nFunctions of its output clause\n";
  for (const ast::Function *function : op.outputFunctions) {
    os << "  " << signature(*function) << "\n";
    printDoc(os, plainDoc(function->doc), 6);
  }
}

void Toolkit::explainTypes(const Item &item, raw_ostream &os) const {
  os << item.kind() << " " << item.ns << "::" << item.name() << "\n\n";
  printDoc(os, plainDoc(item.doc()), 2);
  auto print = [&](Range range, StringRef before) {
    StringRef text = diagnostics.text(range);
    text.consume_front("static ");
    std::string line;
    for (StringRef word : llvm::split(text, ' '))
      if (word = word.trim(); !word.empty())
        line += (line.empty() ? "" : " ") + word.str();
    printDoc(os, before.str() + line, 2);
  };
  if (!item.types->formals.empty())
    os << "\nParameters\n";
  for (const ast::Formal &formal : item.types->formals)
    print(formal.range, "");
  if (!item.types->types.empty())
    os << "\nTypes\n";
  for (const ast::TypeAlias &type : item.types->types)
    print(type.range, item.name().str() + ".");
}

static llvm::SmallVector<StringRef> namesOf(const LanguageWord &word) {
  llvm::SmallVector<StringRef> names;
  word.names.split(names, ' ');
  return names;
}

static void explain(const LanguageWord &word, raw_ostream &os) {
  llvm::SmallVector<StringRef> lines;
  os << llvm::join(namesOf(word), ", ") << "\n  of the language\n";
  printDoc(os, word.text, 6);
  os << "\n";
  word.example.split(lines, '\n');
  for (StringRef line : lines)
    os << "      " << line << "\n";
  if (word.see.empty())
    return;
  llvm::SmallVector<StringRef> others;
  word.see.split(others, ' ');
  os << "\n  See also: " << llvm::join(others, ", ") << "\n";
}

void Toolkit::explain(const Item &item, raw_ostream &os) const {
  if (item.types)
    return explainTypes(item, os);
  if (!item.function)
    return explain(*item.op, item.ns, os);
  os << signature(*item.function) << "\n";
  if (item.op)
    os << "  an output function of " << item.ns << "::" << item.op->name.text << "\n";
  else
    os << "  a function of " << item.ns << "\n";
  printDoc(os, item.isPlanned() ? kPlanned : plainDoc(item.doc()), 6);
}

void Toolkit::listNamespace(StringRef ns, raw_ostream &os) const {
  os << "namespace " << ns << "\n\n";
  printDoc(os, namespaces.at(ns.str()), 2);
  std::string planned;
  for (bool operators : {true, false}) {
    bool any = false;
    for (const Item &item : all) {
      if (item.ns != ns || item.types || (item.function && item.op) || operators != !item.function)
        continue;
      if (item.isPlanned()) {
        planned += (planned.empty() ? "" : ", ") + item.name().str();
        continue;
      }
      if (!any)
        os << (operators ? "\nOperators\n" : "\nFunctions\n");
      any = true;
      os << "  " << (item.function ? signature(*item.function) : item.name().str()) << "\n";
      printDoc(os, firstSentence(item.doc()), 6);
    }
  }
  for (const Item &item : all)
    if (item.ns == ns && item.types)
      os << "\nThe " << item.kind() << " " << item.name() << "\n  `sluice doc " << item.name()
         << "`\n";
  if (planned.empty())
    return;
  os << "\nNot in this release\n";
  printDoc(os, planned, 2);
}

void Toolkit::list(raw_ostream &os) const {
  os << "The standard toolkit. `sluice doc NAME` explains an operator, a function, a namespace or "
        "a\nword of the language.\n\nOperators\n";
  for (const Item &item : all)
    if (item.op && !item.function && !item.isPlanned()) {
      os << "  " << item.name() << "\n";
      printDoc(os, firstSentence(item.doc()), 6);
    }
  os << "\nNamespaces\n";
  for (auto &[ns, text] : namespaces) {
    os << "  " << ns << "\n";
    if (!text.empty())
      printDoc(os, firstSentence(text), 6);
  }
  std::string words;
  for (const LanguageWord &word : languageWords())
    for (StringRef name : namesOf(word))
      words += (words.empty() ? "" : ", ") + name.str();
  os << "\nWords of the language\n";
  printDoc(os, words, 2);
}

bool Toolkit::explain(StringRef name, raw_ostream &os) const {
  if (namespaces.contains(name.str())) {
    listNamespace(name, os);
    return true;
  }
  bool any = false;
  for (const Item &item : all) {
    bool same = item.name() == name || (item.ns + "::" + item.name()).str() == name ||
                (item.types && name.starts_with(item.name().str() + "."));
    if (!same)
      continue;
    os << (any ? "\n" : "");
    explain(item, os);
    any = true;
  }
  for (const LanguageWord &word : languageWords())
    if (llvm::is_contained(namesOf(word), name)) {
      os << (any ? "\n" : "");
      ::explain(word, os);
      any = true;
    }
  return any;
}

/// The first parameter of `op` whose name has `part` in it, in whatever letters; or null.
static const ast::ModelItem *parameter(const ast::OperatorModelDecl &op, StringRef part) {
  auto found = llvm::find_if(op.params, [&](const ast::ModelItem &item) {
    return item.name.text.contains_insensitive(part);
  });
  return found == op.params.end() ? nullptr : &*found;
}

bool Toolkit::search(StringRef query, raw_ostream &os) const {
  constexpr size_t kMost = 12;
  SearchWords words(query);
  std::vector<std::string> named, said;
  for (const Item &item : all)
    if (const ast::ModelItem *param =
            item.op && !item.function ? parameter(*item.op, query) : nullptr)
      named.push_back("parameter " + param->name.text.str() + " of " + item.name().str() + ": " +
                      this->words(*param));
  for (const Item &item : all) {
    std::string head = item.types      ? item.kind().str() + " " + item.name().str()
                       : item.function ? signature(*item.function)
                                       : "operator " + item.name().str();
    bool isNamed = !item.types || !item.types->graph.empty();
    if (isNamed && item.name().contains_insensitive(query))
      named.push_back(head);
    else if (!item.isPlanned() && words.allIn(item.doc()))
      said.push_back(head);
  }
  llvm::append_range(named, llvm::ArrayRef(said).take_front(kMost));
  for (const std::string &line : named)
    os << "  " << line << "\n";
  if (said.size() > kMost)
    os << "  and " << said.size() - kMost << " more\n";
  return !named.empty();
}

/// Lists the parts of pages that have the words. Returns whether there is any.
static bool searchPages(StringRef query, raw_ostream &os) {
  constexpr unsigned kMost = 6;
  std::string folder = pagesDir();
  if (folder.empty())
    return false;
  std::vector<PageHit> hits = driver::searchPages(folder, SearchWords(query), kMost);
  if (hits.empty())
    return false;
  os << "\nPages, in " << folder << "\n";
  for (const PageHit &hit : hits) {
    os << "  " << hit.path << ":" << hit.line << ": " << hit.heading << "\n";
    printDoc(os, hit.sentence, 6);
  }
  return true;
}

std::vector<std::string> Toolkit::names() const {
  std::vector<std::string> result;
  for (const Item &item : all)
    result.push_back(item.name().str());
  for (auto &entry : namespaces)
    result.push_back(entry.first);
  for (const LanguageWord &word : languageWords())
    for (StringRef name : namesOf(word))
      result.push_back(name.str());
  return result;
}

int driver::docCommand(const DriverOptions &options) {
  Toolkit toolkit;
  if (!toolkit.read(toolkitDir()))
    return 1;
  if (options.input.empty()) {
    toolkit.list(llvm::outs());
    return 0;
  }
  std::string query = llvm::join(options.words(), " ");
  StringRef name = query;
  name.consume_front("@"); // of an annotation
  if (toolkit.explain(name, llvm::outs()))
    return 0;
  bool isCommand = llvm::any_of(installedCommands(), [&](const CommandInfo &command) {
    return StringRef(command.name).split(' ').first == name;
  });
  std::string nearest = suggestion(query, toolkit.names());
  if (!isCommand) {
    std::string text;
    llvm::raw_string_ostream found(text);
    bool inToolkit = toolkit.search(name, found), inPages = ::searchPages(name, found);
    if (inToolkit || inPages) {
      llvm::outs() << "Nothing is called `" << name << "`" << nearest << ", but:\n" << text;
      return 0;
    }
  }
  llvm::errs() << "sluice: SPL and its standard toolkit have no `" << query << "`"
               << (isCommand ? "" : nearest);
  if (isCommand)
    llvm::errs() << ": `sluice " << name << " --help` explains that command\n";
  else
    llvm::errs() << "\nTry `sluice doc` for a list\n";
  return 1;
}
