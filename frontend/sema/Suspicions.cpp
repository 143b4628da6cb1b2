//===- Suspicions.cpp - what is in doubt after an error --------------------===//
#include "frontend/sema/Suspicions.h"
#include "llvm/ADT/STLExtras.h"

using namespace sluice;
using namespace sluice::sema;

/// How many errors about it are shown until it is in doubt. After the second one of a kind the
/// mistake is clear; where the first one shows all of it, that is enough. 0: it is put in doubt by
/// an error about something else.
static unsigned mostShown(Doubt why) {
  switch (why) {
  case Doubt::RefusedValue:
  case Doubt::DefinedTwice:
  case Doubt::ReturnsValue:
  case Doubt::SharedMember:
  case Doubt::Misspelt:
  case Doubt::ToolkitMissing:
    return 0;
  case Doubt::AttributeType:
  case Doubt::Immutable:
  case Doubt::PortCount:
  case Doubt::NoPort:
    return 2;
  case Doubt::NoResult:
  case Doubt::MakesInput:
  case Doubt::OutputType:
  case Doubt::NoPorts:
  case Doubt::PortCounts:
  case Doubt::Unknown:
  case Doubt::SeveralFiles:
  case Doubt::UseMissing:
  case Doubt::LacksAttribute:
  case Doubt::NoTuple:
  case Doubt::NoInput:
  case Doubt::Label:
  case Doubt::SharedLabel:
    return 1;
  }
  llvm_unreachable("all kinds of doubt are covered");
}

/// Whether an error is none of these if it stands where the first one did: composites are checked
/// once for each instance (ExpansionDiagnostics drops the same text at the same place).
static bool mayRepeatThere(Doubt why) {
  return why == Doubt::Unknown || why == Doubt::UseMissing || why == Doubt::LacksAttribute;
}

static bool isSame(const Subject &a, const Subject &b) { return !(a < b) && !(b < a); }

bool Suspicions::isInDoubt(Doubt why, const Subject &about) const {
  auto found = states.find({why, about});
  return found != states.end() &&
         (found->second.isDoubted || (mostShown(why) && found->second.shown >= mostShown(why)));
}

const Subject *Suspicions::firstOf(Doubt why, const Subject &about) const {
  auto found = states.find({why, about});
  return found != states.end() && found->second.shown ? &found->second.first : nullptr;
}

bool Suspicions::isOld(const Suspicion &suspicion) {
  const auto &[why, about, where, tuple] = suspicion;
  if (why == Doubt::Misspelt)
    return isMisspelt(tuple, about.name);
  if (!mostShown(why)) {
    auto found = states.find({why, about});
    return found != states.end() && found->second.isDoubted;
  }
  State &state = states[{why, about}];
  if (state.isDoubted)
    return true;
  if (state.shown && mayRepeatThere(why) && isSame(state.first, where))
    return false;
  if (state.shown >= mostShown(why))
    return true;
  if (!state.shown++)
    state.first = where;
  return false;
}

bool Suspicions::covers(llvm::ArrayRef<Suspicion> all) {
  bool isOldNews = llvm::any_of(all, [&](const Suspicion &each) { return isOld(each); });
  if (isOldNews)
    diags.withhold();
  return isOldNews;
}

bool Suspicions::withdraws(mlir::InFlightDiagnostic &error, const Suspicion &suspicion) {
  bool isOldNews = isOld(suspicion);
  if (isOldNews)
    diags.withdraw(error);
  return isOldNews;
}

void Suspicions::misspelt(llvm::StringRef written, llvm::StringRef meant) {
  states[{Doubt::Misspelt, Subject::called(meant)}].written.insert(written.str());
}

bool Suspicions::isMisspelt(Type tuple, llvm::StringRef attribute) const {
  auto known = states.find({Doubt::Misspelt, Subject::called(attribute)});
  return known != states.end() && !tuple->attribute(attribute) &&
         llvm::any_of(known->second.written,
                      [&](const std::string &written) { return tuple->attribute(written); });
}
