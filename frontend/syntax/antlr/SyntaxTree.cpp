//===- SyntaxTree.cpp - text to AST, without ANTLR in sight ----------------===//
//
// Scan, check tokens, parse, build. Parsing tries ANTLR's fast SLL mode and
// gives up at the first error; then the full mode finds out whether there is
// one, and reports.
//
//===----------------------------------------------------------------------===//
#include "frontend/syntax/antlr/SyntaxTree.h"
#include "frontend/grammar/SPLLexer.h"
#include "frontend/syntax/antlr/ASTBuilder.h"
#include "frontend/syntax/antlr/ByteStream.h"
#include "frontend/syntax/antlr/ErrorStrategy.h"
#include "frontend/syntax/antlr/Prediction.h"
#include "frontend/syntax/antlr/Tokens.h"
#include "frontend/syntax/antlr/brackets/Items.h"
#include "llvm/ADT/ScopeExit.h"

using namespace sluice;
using namespace sluice::grammar;

namespace {

/// Thrown by DepthGuard, caught in readUnit.
struct TooDeep {
  const antlr4::Token *where;
};

/// Bounds the recursion of the parser, and with it that of everything that
/// walks the tree later.
class DepthGuard final : public antlr4::tree::ParseTreeListener {
public:
  void enterEveryRule(antlr4::ParserRuleContext *context) override {
    if (++depth > maxDepth)
      throw TooDeep{context->getStart()};
  }
  void exitEveryRule(antlr4::ParserRuleContext *) override { --depth; }
  void visitTerminal(antlr4::tree::TerminalNode *) override {}
  void visitErrorNode(antlr4::tree::ErrorNode *) override {}

private:
  int depth = 0;
};

SPLParser::UnitContext *parseFast(SPLParser &parser) {
  parser.getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(
      antlr4::atn::PredictionMode::SLL);
  parser.setErrorHandler(std::make_shared<antlr4::BailErrorStrategy>());
  try {
    return parser.unit();
  } catch (const antlr4::ParseCancellationException &) {
    return nullptr;
  }
}

/// Adds the errors behind the first of `problems`, which are those of tokens.
SPLParser::UnitContext *parseFully(SPLParser &parser, llvm::StringRef text, uint32_t file,
                                   Problems &problems) {
  DepthGuard guard;
  parser.reset();
  parser.removeParseListeners();
  parser.addParseListener(&guard);
  parser.setErrorHandler(
      std::make_shared<ErrorStrategy>(*parser.getTokenStream(), text, file, problems));
  parser.getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(
      antlr4::atn::PredictionMode::LL);
  auto *tree = parser.unit();
  parser.removeParseListeners();
  return tree;
}

/// Finds out what is wrong. What the fast mode takes for an error may be none.
SPLParser::UnitContext *parseAgain(SPLParser &parser, antlr4::CommonTokenStream &tokens,
                                   llvm::StringRef text, uint32_t file, Problems &problems) {
  // A bad token may have been a bracket, or have swallowed some.
  BracketRepair repair = problems.empty() ? repairBrackets(tokens, text, file) : BracketRepair();
  readKeywordsAsNames(tokens, file, problems);
  size_t before = problems.size();
  auto errors = [&](Problems all) { return Problems(all.begin() + before, all.end()); };
  Problems found = problems;
  auto *tree = parseFully(parser, text, file, found);
  if (repair.slips.empty()) {
    llvm::append_range(problems, Items(tokens, text).firstOfEach(errors(found)));
    return tree;
  }
  antlr4::ListTokenSource source(std::move(repair.tokens));
  antlr4::CommonTokenStream repaired(&source);
  repaired.fill();
  SPLParser second(&repaired);
  second.removeErrorListeners();
  Prediction::install(second);
  Problems others = problems;
  parseFully(second, text, file, others);
  llvm::append_range(problems,
                     Items(repaired, text).join(repair.slips, errors(found), errors(others)));
  return tree;
}

/// Whether what follows the closing quote of a string, and its suffix `r` or `u`, looks like text
/// and no code. Then a quote was missing before.
bool isTextBehind(llvm::StringRef rest) {
  llvm::StringRef line = rest.take_until([](char c) { return c == '\n'; }).ltrim(" \tru");
  bool isCode = line.starts_with("//") || line.starts_with("/*") || line.starts_with("in ") ||
                line.starts_with("as ");
  return !line.empty() && !isCode && !llvm::StringRef(";,)]}+:?=!<>&|").contains(line.front());
}

/// The first line of the first string before `end` that goes over the end of its line and that `is`
/// accepts, given its token.
template <typename Is>
std::optional<Range> longString(antlr4::CommonTokenStream &tokens, llvm::StringRef text,
                                uint32_t file, uint32_t end, Is is) {
  for (antlr4::Token *token : tokens.getTokens()) {
    Range range = rangeOf(file, token);
    if (range.end > end)
      return std::nullopt;
    size_t line = text.slice(range.begin, range.end).find('\n');
    if (token->getType() == SPLLexer::STRING && line != llvm::StringRef::npos && is(range))
      return Range{file, range.begin, range.begin + uint32_t(line)};
  }
  return std::nullopt;
}

/// A string that goes over the end of its line is legal, but where the first problem is behind it,
/// its closing quote may be missing: then code is taken for text, and text for code. If a string
/// is open at the end of the file, and text seems to follow the long one, it is missing, and
/// nothing else behind it is reported.
void findMissingQuote(antlr4::CommonTokenStream &tokens, llvm::StringRef text, uint32_t file,
                      Problems &problems) {
  auto first = llvm::min_element(
      problems, [](const Problem &a, const Problem &b) { return a.range.begin < b.range.begin; });
  auto open = llvm::find_if(problems, [](auto &each) { return each.id == Diag::err_open_string; });
  std::optional<Range> at;
  if (open != problems.end())
    at = longString(tokens, text, file, first->range.begin, [&](Range string) {
      return text[string.begin] == text[open->range.begin] && isTextBehind(text.substr(string.end));
    });
  if (at) {
    Problem missing = std::move(*open);
    missing.notes.push_back({missing.range, Diag::note_last_quote, {}, {}});
    missing.range = *at;
    problems = {std::move(missing)};
    return;
  }
  at = longString(tokens, text, file, first->range.begin, [](Range) { return true; });
  if (at)
    first->notes.push_back({*at, Diag::note_long_string, {}, {}});
}

} // namespace

ast::Unit *sluice::readUnit(ASTContext &context, llvm::StringRef text, uint32_t file,
                            bool toolkitFile, Problems &problems) {
  if (!checkEncoding(text, file, problems))
    return nullptr;
  ByteStream bytes(text);
  SPLLexer lexer(&bytes);
  lexer.removeErrorListeners();
  antlr4::CommonTokenStream tokens(&lexer);
  tokens.fill();
  auto notes = llvm::scope_exit([&] {
    if (!problems.empty())
      findMissingQuote(tokens, text, file, problems);
  });
  if (!checkTokens(tokens, text, file, problems))
    return nullptr;
  tokens.seek(0); // the first token may have been hidden

  SPLParser parser(&tokens);
  parser.removeErrorListeners();
  Prediction::install(parser);
  DepthGuard guard;
  try {
    parser.addParseListener(&guard);
    SPLParser::UnitContext *tree = parseFast(parser);
    if (!tree)
      tree = parseAgain(parser, tokens, text, file, problems);
    if (problems.empty()) {
      ASTBuilder builder(BuilderBase{context, tokens, text, file, toolkitFile, problems});
      ast::Unit *unit = builder.unit(tree);
      return problems.empty() ? unit : nullptr;
    }
  } catch (const TooDeep &error) {
    problems.push_back({rangeOf(file, error.where), Diag::err_too_deep, {}, {}});
  }
  return nullptr;
}
