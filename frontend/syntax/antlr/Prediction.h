//===- Prediction.h - how the parser chooses a statement ---------*- C++ -*-===//
//
// `{` at the start of a statement begins a block, not a literal. ANTLR's own prediction
// would read the whole first statement of the block to decide that, and an error in that
// statement would leave it undecided. The same holds for `(int32)`, which begins a cast.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/grammar/SPLParser.h"

namespace sluice::grammar {

class Prediction final : public antlr4::atn::ParserATNSimulator {
public:
  /// Replaces the simulator of `parser`, which takes ownership.
  static void install(SPLParser &parser) {
    auto *old = parser.getInterpreter<ParserATNSimulator>();
    parser.setInterpreter(
        new Prediction(parser, old->atn, old->decisionToDFA, old->getSharedContextCache()));
  }

  size_t adaptivePredict(antlr4::TokenStream *input, size_t decision,
                         antlr4::ParserRuleContext *context) override {
    constexpr size_t block = 1; // the first alternative of `statement`
    if (decision == statement && input->LA(1) == SPLParser::LBRACE)
      return block;
    constexpr size_t cast = 1; // the first alternative of `unary`
    if (decision == unary && input->LA(1) == SPLParser::LPAREN && isTypeWord(input->LA(2)))
      return cast;
    return ParserATNSimulator::adaptivePredict(input, decision, context);
  }

private:
  Prediction(SPLParser &parser, const antlr4::atn::ATN &atn, std::vector<antlr4::dfa::DFA> &dfas,
             antlr4::atn::PredictionContextCache &cache)
      : ParserATNSimulator(&parser, atn, dfas, cache) {
    statement = widestDecision(SPLParser::RuleStatement);
    unary = widestDecision(SPLParser::RuleUnary);
  }

  /// The decision with the most alternatives in the rule.
  size_t widestDecision(size_t rule) const {
    size_t most = 0, found = 0;
    for (size_t i = 0; i < atn.decisionToState.size(); ++i) {
      auto *state = atn.decisionToState[i];
      if (state->ruleIndex != rule || state->transitions.size() <= most)
        continue;
      most = state->transitions.size();
      found = i;
    }
    return found;
  }

  /// Whether it is a keyword that begins a type.
  static bool isTypeWord(size_t token) {
    switch (token) {
#define SPL_KIND(name, keyword, token, ...)                                                        \
  case SPLParser::token:                                                                           \
    return true;
#include "sluice/Kinds.def"
    default:
      return false;
    }
  }

  size_t statement = 0, unary = 0;
};

} // namespace sluice::grammar
