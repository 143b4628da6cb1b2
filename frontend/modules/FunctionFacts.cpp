//===- FunctionFacts.cpp - the words of prototypes --------------------------===//
#include "frontend/modules/FunctionFacts.h"
#include "frontend/diagnostics/Diagnostics.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

/// Adds what one word says; false if it means nothing.
static bool addFact(typed::FunctionFacts &facts, StringRef word) {
  if (auto trait = spl::symbolizeEnum<spl::CallTrait>(word))
    facts.traits = facts.traits | *trait;
  else if (word == "planned")
    facts.isPlanned = true;
  else if (word == "located")
    facts.isLocated = true;
  else if (word == "toolkits")
    facts.seesToolkits = true;
  else if (word == "identity")
    facts.isIdentity = true;
  else if (word == "end")
    facts.isEnd = true;
  else if (word == "truncates")
    facts.truncates = true;
  else if (word == "fold")
    facts.isFold = true;
  else
    return false;
  return true;
}

/// The same of one word of the list behind `word`.
static bool addFact(typed::FunctionFacts &facts, StringRef word, StringRef item) {
  if (word == "effects") {
    auto effect = spl::symbolizeEnum<spl::Effect>(item);
    facts.effects = facts.effects | effect.value_or(spl::Effect::none);
    return effect.has_value();
  }
  if (word == "aggregate") {
    facts.algebras.push_back(item.str());
    return true;
  }
  if (word == "counts") {
    facts.counts = spl::symbolizeEnum<spl::WindowCount>(item);
    return facts.counts.has_value();
  }
  if (word == "eventTime") {
    facts.eventTime = item.str();
    return true;
  }
  if (word == "rule") {
    facts.rule = functionRule(item);
    return facts.rule;
  }
  if (word == "pane") {
    facts.pane = spl::symbolizeEnum<spl::PaneFact>(item);
    return facts.pane.has_value();
  }
  auto intrinsic = word == "intrinsic" ? spl::symbolizeEnum<spl::Intrinsic>(item) : std::nullopt;
  facts.intrinsic = intrinsic.value_or(facts.intrinsic);
  return intrinsic.has_value();
}

typed::FunctionFacts sema::readFacts(Diagnostics &diags, const ast::Function &prototype) {
  typed::FunctionFacts facts;
  auto unknown = [&](const ast::Ident &word) {
    diags.report(word.range, Diag::err_fact_word, word.text);
  };
  for (const ast::ModelWord &fact : prototype.facts) {
    if (fact.list.empty() && !addFact(facts, fact.word.text))
      unknown(fact.word);
    for (const ast::Ident &item : fact.list)
      if (!addFact(facts, fact.word.text, item.text))
        unknown(item);
  }
  return facts;
}
