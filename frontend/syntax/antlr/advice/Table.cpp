//===- Table.cpp - which advice is asked where, and in which order ---------===//
#include "frontend/grammar/SPLParser.h"
#include "frontend/syntax/antlr/advice/Advisors.h"

using namespace sluice::grammar;
using namespace sluice::grammar::advice;
using P = SPLParser;

namespace {

/// Rules of the grammar, by their bits.
using Rules = uint64_t;
constexpr Rules any = ~Rules(0);
constexpr Rules in(auto... rules) { return ((Rules(1) << rules) | ...); }

constexpr unsigned mismatch = unsigned(Occasion::Mismatch);
constexpr unsigned noReading = unsigned(Occasion::NoReading);
constexpr unsigned single = unsigned(Occasion::Inline);
constexpr unsigned inShape = mismatch | single;
constexpr unsigned always = mismatch | noReading | single;

constexpr size_t anything = 0;

struct Row {
  unsigned when;   // occasions
  Rules rules;     // in which the parser failed
  size_t expected; // a token that the grammar allows there
  Advisor advisor;
};

constexpr Rules types = in(P::RuleTypeAlias, P::RuleInnerType, P::RuleTupleBody, P::RuleTupleItem,
                           P::RuleType, P::RuleNamedType);
constexpr Rules typed = in(P::RuleBuiltinType, P::RuleStreamType, P::RuleTupleBody,
                           P::RuleTypeAlias, P::RuleInnerType, P::RuleFunctionDecl);
constexpr Rules ports = in(P::RuleSignature, P::RulePortList, P::RulePortDecl);
constexpr Rules composite = in(P::RuleCompositeDecl, P::RuleCompositeClause);
constexpr Rules items = in(P::RuleSetting, P::RuleParamItem, P::RuleFormal, P::RuleOutputItem);

const Row table[] = {
    // What is known by a word or two, wherever it stands.
    {mismatch, any, anything, straySemicolon},
    {mismatch, any, anything, lateHead},
    {mismatch, in(P::RuleUseDecl), P::COLONCOLON, usePath},
    {mismatch | noReading, any, anything, genericOfOther},
    {noReading, any, anything, publicType},
    {inShape, any, anything, typeCall},
    {always, any, anything, modifier},
    {noReading, any, anything, bareCallBehindWord},
    {noReading, any, anything, halfOperator},
    {noReading, any, anything, constLocal},
    {inShape, in(P::RuleFunctionDecl), anything, constant},
    {inShape, any, anything, headWord},
    {single, in(P::RuleStatement), anything, condition},
    {single, in(P::RuleStatement), anything, loopHead},
    {mismatch, any, anything, noPlus},
    {mismatch, any, anything, typeOfStream},
    {mismatch, typed, anything, attribute},
    {mismatch, ports, anything, port},
    {mismatch, in(P::RuleOutputItem), P::ID, typedAssignment},
    {inShape, any, P::STRING, ifValue},
    {mismatch, any, anything, keywordAsName},
    {mismatch, any, P::MINUS, unaryPlus},
    {mismatch, any, P::WHILE, elseWithoutIf},
    {mismatch, any, P::IN, countingLoop},
    {mismatch, in(P::RuleResults), P::AS, sinkWithoutName},

    // What beginners leave out, by the rule that failed.
    {inShape, composite, anything, clauseColon},
    {inShape, composite, anything, innerFunction},
    {inShape, composite, P::EXPRESSION, modeWithType},
    {inShape, composite, P::EXPRESSION, formalNoMode},
    {inShape, composite, P::STREAM, results},
    {inShape, composite, P::GRAPH, noGraph},
    {inShape, in(P::RuleInvocation), P::ASSIGN, outputs},
    {inShape, in(P::RuleInvocation), P::RPAREN, argument},
    {inShape, in(P::RuleInvocation), P::RPAREN, alias},
    {inShape, in(P::RuleInPort), anything, argument},
    {inShape, in(P::RuleInPort), anything, alias},
    {inShape, in(P::RuleInvocation), P::LPAREN, noParentheses},
    {inShape, in(P::RuleInvocation), P::PARAM, noClause},
    {inShape, in(P::RuleAssignment), anything, typedAssignment},
    {inShape, in(P::RuleDeclarator), anything, noName},
    {inShape, in(P::RuleLocalDecl), anything, localFunction},
    {inShape, in(P::RuleLocalDecl), anything, bareCall},
    {inShape, in(P::RuleOpClause), anything, state},
    {inShape, in(P::RuleFunctionDecl), P::RPAREN, parameterDefault},
    {inShape, in(P::RuleFunctionDecl), anything, mainComposite},
    {inShape, in(P::RuleFunctionDecl), anything, aliasEnd},
    {inShape, in(P::RuleFunctionDecl, P::RuleUnit), anything, global},
    {inShape, types, anything, bareTuple},
    {inShape, types, anything, braces},
    {inShape, types | in(P::RuleBuiltinType, P::RuleStreamType), anything, attribute},
    {inShape, types, anything, loopPair},
    {inShape, ports, anything, port},
    {inShape, in(P::RuleStreamType), P::LT, streamType},
    {inShape, items, anything, modeWithType},
    {inShape, items, P::COLON, noColon},
    {inShape, items, anything, noItemEnd},
    {inShape, in(P::RuleLogicItem), anything, statements},
    {inShape, in(P::RuleLogicItem), anything, noPort},

    // What other languages write.
    {single, any, anything, genericOfOther},
    {always, any, anything, orElse},
    {always, any, anything, foreignOperator},
    {always, any, anything, prefix},
    {always, any, anything, lambda},
    {always, any, anything, array},
    {always, any, anything, annotationValue},
    {always, in(P::RuleOperatorName), anything, chain},
    {always, any, anything, countAll},
    {always, any, anything, enumName},
    {always, any, anything, values},
    {always, in(P::RuleBuiltinType), anything, elements},
    {always, in(P::RuleAssignment, P::RuleOutputItem), anything, renamedValue},
    {always, in(P::RulePostfixOp), anything, castAs},
    {always, any, anything, branch},
    {always, any, anything, query},
    {always, any, anything, leading},
    {always, any, anything, infix},

    // Misspelt keywords, which are read as names and fail one token later.
    {mismatch, in(P::RuleLogicItem), anything, logicItem},
    {mismatch, in(P::RuleFunctionDecl), anything, wrongComposite},
    {mismatch, in(P::RuleFunctionDecl), P::LPAREN, wrongDeclaration},

    // The rest.
    {mismatch, any, anything, missingAtLineEnd},
    {mismatch, any, anything, otherExpected},
    {noReading, any, anything, unexpected},
};

} // namespace

Answer sluice::grammar::advise(const SyntaxError &error) {
  Rules rule = in(error.rule());
  for (const Row &row : table)
    if ((row.when & unsigned(error.occasion)) && (row.rules & rule) &&
        (row.expected == anything || error.expects(row.expected)))
      if (Answer answer = row.advisor(error))
        return answer;
  return std::nullopt;
}
