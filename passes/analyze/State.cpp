//===- State.cpp - what an operator remembers ------------------------===//
#include "ir/Kinds.h"
#include "passes/Passes.h"
#include "passes/analyze/Effects.h"
#include "passes/analyze/Graph.h"
#include "sluice/enums.h"
#include "llvm/ADT/StringSet.h"

namespace sluice {
#define GEN_PASS_DEF_STREAMANALYZESTATE
#include "passes/Passes.h.inc"
} // namespace sluice

using namespace mlir;
using namespace sluice;
using stream::Sharing;
using stream::StateKind;

namespace {
/// One operator. A state variable that no handler changes does not count.
class StateAnalysis {
public:
  explicit StateAnalysis(stream::OperatorOp op) : op(op) {}
  stream::StateAttr run();

private:
  bool changes(Value place) const;
  std::string wordsOf(StringRef variable);
  bool lookUpByKey(spl::StateOp state, Region &handler);
  std::optional<std::string> keyOf(Value key, Region &handler) const;
  bool takeKey(std::optional<std::string> key);
  stream::StateAttr answer(StateKind kind, const Twine &why);
  SmallVector<StringAttr> variables();

  stream::OperatorOp op;
  std::string key; // the attribute that all look-ups go by
  llvm::StringSet<> changed;
};
} // namespace

stream::StateAttr StateAnalysis::answer(StateKind kind, const Twine &why) {
  Builder b(op.getContext());
  bool byKey = kind == StateKind::Partitioned;
  return stream::StateAttr::get(b.getContext(), kind, byKey ? b.getStringAttr(key) : StringAttr(),
                                byKey ? variables() : SmallVector<StringAttr>(),
                                b.getStringAttr(why));
}

/// Whether what is at `place` is written. A place that leaves our sight is.
bool StateAnalysis::changes(Value place) const {
  return llvm::any_of(place.getUsers(), [&](Operation *user) {
    if (isa<spl::FieldRefOp, spl::IndexRefOp, spl::NthRefOp>(user))
      return changes(user->getResult(0));
    return !isa<spl::LoadOp>(user);
  });
}

/// The attribute of the handler's tuple that `key` is.
std::optional<std::string> StateAnalysis::keyOf(Value key, Region &handler) const {
  std::string name;
  while (auto field = key.getDefiningOp<spl::FieldOp>()) {
    auto tuple = dyn_cast<spl::TupleType>(field.getTuple().getType());
    if (!tuple)
      return std::nullopt; // the value of an optional
    StringRef part = tuple.getNames()[field.getIndex()].getValue();
    name = part.str() + (name.empty() ? "" : "." + name);
    key = field.getTuple();
  }
  if (name.empty() || handler.empty() || handler.getNumArguments() == 0 ||
      key != handler.getArgument(0))
    return std::nullopt;
  return name;
}

bool StateAnalysis::takeKey(std::optional<std::string> found) {
  if (!found || (!key.empty() && key != *found))
    return false;
  key = *found;
  return true;
}

/// What people call the variable.
std::string StateAnalysis::wordsOf(StringRef variable) {
  for (auto state : op.getBody().getOps<stream::StateOp>())
    if (state.getName() == variable && state.getWhat())
      return state.getWhat()->str();
  return ("`" + variable + "`").str();
}

/// Whether a handler reaches the variable (a map or set) only by one entry: that
/// of an attribute of its tuple.
bool StateAnalysis::lookUpByKey(spl::StateOp state, Region &handler) {
  auto byKey = [&](Operation *user) {
    if (auto index = dyn_cast<spl::IndexRefOp>(user))
      return takeKey(keyOf(index.getIndex(), handler));
    if (auto slot = dyn_cast<spl::MapSlotOp>(user))
      return takeKey(keyOf(slot.getKey(), handler));
    auto load = dyn_cast<spl::LoadOp>(user);
    return load && llvm::all_of(load->getUsers(), [&](Operation *reader) {
             if (auto contains = dyn_cast<spl::ContainsOp>(reader))
               return contains.getCollection() == load.getResult() &&
                      takeKey(keyOf(contains.getElement(), handler));
             if (auto index = dyn_cast<spl::IndexOp>(reader))
               return index.getBase() == load.getResult() &&
                      takeKey(keyOf(index.getIndex(), handler));
             return false;
           });
  };
  return isa<spl::MapType, spl::SetType>(cast<spl::RefType>(state.getType()).getElement()) &&
         llvm::all_of(state->getUsers(), byKey);
}

/// The variables that some handler changes.
SmallVector<StringAttr> StateAnalysis::variables() {
  SmallVector<StringAttr> names;
  for (auto state : op.getBody().getOps<stream::StateOp>())
    if (changed.contains(state.getName()))
      names.push_back(state.getNameAttr());
  return names;
}

stream::StateAttr StateAnalysis::run() {
  if (op.getNative())
    return answer(StateKind::Stateful, "it is written in C++");
  if (op.isSource())
    return answer(StateKind::Stateful, "a source is where it is in its stream");
  op.getBody().walk([&](spl::StateOp state) {
    if (changes(state.getResult()))
      changed.insert(state.getName());
  });
  if (changed.empty())
    return answer(StateKind::Stateless, "no handler changes a state variable");
  stream::StateAttr stateful;
  std::string variable;
  for (Operation &item : op.getBody().front()) {
    if (!isa<stream::OnTupleOp, stream::OnPunctOp, stream::OnWatermarkOp>(item))
      continue;
    item.walk([&](spl::StateOp state) {
      if (stateful || !changed.contains(state.getName()))
        return;
      variable = state.getName().str();
      if (!isa<stream::OnTupleOp>(item) || !lookUpByKey(state, item.getRegion(0)))
        stateful =
            answer(StateKind::Stateful,
                   wordsOf(variable) + " is used as a whole, or not by one attribute of the tuple");
    });
  }
  if (stateful)
    return stateful;
  return answer(StateKind::Partitioned,
                wordsOf(variable) + " is only used at the key `" + key + "`");
}

/// Whether the program wants one thread for the operator, or for one of its ports.
static bool asksForThread(stream::OperatorOp op) {
  stream::ThreadingModel model = op.threadingModel();
  return model == stream::ThreadingModel::Manual || model == stream::ThreadingModel::Dedicated ||
         !op.getThreadedPorts().empty();
}

/// Whether a handler may end a stream for a tuple. A Final that comes in does not count: the batch
/// that brings it runs alone.
static bool endsStreams(stream::OperatorOp op) {
  auto mayBeFinal = [](stream::SubmitPunctOp submit, bool onTuple) {
    auto kind = submit.constantKind();
    return kind ? *kind == PunctuationKind::Final : onTuple;
  };
  return op.getBody()
      .walk([&](stream::SubmitPunctOp submit) {
        bool onTuple = submit->getParentOfType<stream::OnTupleOp>() != nullptr;
        return mayBeFinal(submit, onTuple) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Why only one thread at a time may run it, whatever it remembers.
static std::optional<std::string> whyInOrder(stream::OperatorOp op, EffectAnalysis &effects) {
  if (asksForThread(op))
    return "@threading or config threadedPort ask for one thread";
  if (endsStreams(op)) // behind a Final tuples are dropped, also those of earlier tickets
    return "it may end its stream at a tuple";
  if (effects(op, /*onPunct=*/true).any())
    return "others can see in which order it does what it does";
  return std::nullopt;
}

/// Why what the operator puts out for one tuple cannot be kept until that of all tuples of a batch
/// is joined.
static std::optional<std::string> whyNotBounded(stream::OperatorOp op) {
  if (op.getIsCatch())
    return "it catches failures";
  if (submitsInLoop(op))
    return "one tuple may become any number";
  return std::nullopt;
}

/// What else a key shard relies on: the key is a column of the one stream.
static std::optional<std::string> whyNotByKey(stream::OperatorOp op, StringAttr key) {
  if (op.inputPorts() != 1)
    return "it has several input ports";
  spl::TupleType tuple = op.inputTuple(0);
  std::optional<unsigned> attribute = tuple.indexOf(key);
  if (!attribute || !spl::partsOf(tuple.getTypes()[*attribute]).empty())
    return "the key is not an attribute by itself";
  return whyNotBounded(op);
}

/// How many workers may run the operator at once, and why not any number.
static std::pair<Sharing, std::string> sharingOf(stream::OperatorOp op, stream::StateAttr state,
                                                 EffectAnalysis &effects) {
  if (state.getKind() == StateKind::Stateful)
    return {Sharing::One, state.getWhy().str()};
  auto why = whyInOrder(op, effects);
  if (state.getKind() == StateKind::Stateless)
    return why ? std::pair(Sharing::One, *why) : std::pair(Sharing::Any, std::string());
  if (!why)
    why = whyNotByKey(op, state.getKey());
  if (why)
    return {Sharing::One, "its state is by key, but " + *why};
  return {Sharing::ByKey, state.getWhy().str()};
}

namespace {
struct AnalyzeState : sluice::impl::StreamAnalyzeStateBase<AnalyzeState> {
  void runOnOperation() override {
    EffectAnalysis effects(getOperation());
    for (auto graph : getOperation().getOps<stream::GraphOp>())
      for (auto op : graph.getBody().getOps<stream::OperatorOp>()) {
        stream::StateAttr state = StateAnalysis(op).run();
        auto [sharing, why] = sharingOf(op, state, effects);
        op.setStateAttr(state);
        op.setSharingAttr(stream::SharingAttr::get(
            &getContext(), sharing,
            why.empty() ? StringAttr() : StringAttr::get(&getContext(), why)));
        op.setBounded(!op.getNative() && !op.isSource() && !whyNotBounded(op));
      }
  }
};
} // namespace
