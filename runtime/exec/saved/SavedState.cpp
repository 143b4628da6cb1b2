//===- SavedState.cpp - the state of an operator as bytes ------------------===//
#include "runtime/exec/saved/SavedState.h"
#include "value/Place.h"
#include "value/Value.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

namespace sluice {

static std::span<const StateDesc> variables(const OperatorDesc &op) {
  return {op.states, op.stateCount};
}

std::vector<std::string> namesOfStates(const OperatorDesc &op) {
  std::vector<std::string> names;
  for (const StateDesc &variable : variables(op)) {
    std::string name = variable.name ? variable.name : "";
    for (unsigned n = 2; std::ranges::find(names, name) != names.end(); ++n)
      name = std::string(variable.name ? variable.name : "") + "#" + std::to_string(n);
    names.push_back(name);
  }
  return names;
}

void saveState(Saver &saver, const OperatorDesc &op, const char *state) {
  std::vector<std::string> names = namesOfStates(op);
  for (uint32_t i = 0; i < op.stateCount; ++i)
    saver.value(names[i], op.states[i].type, state + op.states[i].offset);
}

static void clear(Ctx &ctx, const StateDesc &variable) {
  char *place = ctx.state + variable.offset;
  disown(ctx.heap, variable.type, place);
  memset(place, 0, variable.type->size);
}

std::vector<std::string> restoreState(Ctx &ctx, const OperatorDesc &op, const Loader &loader) {
  std::vector<std::string> names = namesOfStates(op), failed;
  for (uint32_t i = 0; i < op.stateCount; ++i) {
    if (!loader.typeOf(names[i]))
      continue;
    const StateDesc &variable = op.states[i];
    clear(ctx, variable);
    if (loader.value(names[i], ctx.heap, variable.type, ctx.state + variable.offset))
      continue;
    clear(ctx, variable);
    failed.push_back(names[i]);
  }
  return failed;
}

void saveAndRestore(Ctx &ctx, const OperatorDesc &op) {
  std::vector<char> bytes, again;
  Saver saver(bytes), check(again);
  saveState(saver, op, ctx.state);
  for (const StateDesc &variable : variables(op))
    clear(ctx, variable);
  auto failed = restoreState(ctx, op, Loader({bytes.data(), bytes.size()}));
  saveState(check, op, ctx.state);
  if (failed.empty() && again == bytes)
    return;
  fprintf(stderr, "internal error: state of operator %s: restored state differs%s\n", op.name,
          failed.empty() ? "" : (" in " + failed.front()).c_str());
  abort();
}

} // namespace sluice
