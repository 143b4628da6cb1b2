//===- SavedState.cpp - the state of an operator as bytes ------------------===//
#include "runtime/exec/saved/SavedState.h"
#include "runtime/exec/saved/SavedValue.h"
#include "value/Place.h"
#include "value/Value.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

namespace sluice {

namespace {
struct Header {
  char magic[4] = {'S', 'L', 'S', 'T'};
  uint32_t version = 1;
  uint64_t types = 0; // a hash
  uint64_t bytes = 0; // behind the header
  uint64_t check = 0; // a hash of those
};
static_assert(sizeof(Header) == 32);
} // namespace

static std::span<const StateDesc> variables(const OperatorDesc &op) {
  return {op.states, op.stateCount};
}

static uint64_t hashOf(uint64_t hash, const TypeDesc *type) {
  hash = hashFold(hash ^ uint64_t(type->kind), kHash1 ^ type->count);
  if (type->elem)
    hash = hashOf(hash, type->elem);
  if (type->value)
    hash = hashOf(hash, type->value);
  for (uint32_t i = 0; type->fields && i < type->count; ++i)
    hash = hashOf(hash, type->fields[i].type);
  return hash;
}

static uint64_t hashOfTypes(const OperatorDesc &op) {
  uint64_t hash = kHash0;
  for (const StateDesc &variable : variables(op))
    hash = hashOf(hash, variable.type);
  return hash;
}

static uint64_t checkOf(const char *bytes, size_t size) {
  if (size >= 16)
    return hashLong(bytes, size);
  Str text = strView(bytes, size);
  return strHash(&text);
}

std::vector<char> saveState(const OperatorDesc &op, const char *state) {
  std::vector<char> bytes(sizeof(Header));
  for (const StateDesc &variable : variables(op))
    saveValue(bytes, variable.type, state + variable.offset);
  Header header;
  header.types = hashOfTypes(op);
  header.bytes = bytes.size() - sizeof header;
  header.check = checkOf(bytes.data() + sizeof header, header.bytes);
  memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

static const char *whatIsWrong(const OperatorDesc &op, const char *bytes, size_t size) {
  Header header;
  if (size < sizeof header)
    return "the header is not complete";
  memcpy(&header, bytes, sizeof header);
  if (memcmp(header.magic, Header().magic, sizeof header.magic) != 0)
    return "it is not saved state";
  if (header.version != Header().version)
    return "it is of another version of the format";
  if (header.types != hashOfTypes(op))
    return "the operator's state variables have other types";
  if (header.bytes != size - sizeof header)
    return "it has another length than its header says";
  if (header.check != checkOf(bytes + sizeof header, header.bytes))
    return "its bytes have changed";
  return nullptr;
}

static void clearState(Ctx &ctx, const OperatorDesc &op) {
  for (const StateDesc &variable : variables(op)) {
    char *place = ctx.state + variable.offset;
    disown(ctx.heap, variable.type, place);
    memset(place, 0, variable.type->size);
  }
}

const char *restoreState(Ctx &ctx, const OperatorDesc &op, const char *bytes, size_t size) {
  if (const char *wrong = whatIsWrong(op, bytes, size))
    return wrong;
  clearState(ctx, op);
  SavedBytes from{bytes + sizeof(Header), bytes + size};
  bool good = true;
  for (const StateDesc &variable : variables(op))
    good = good && restoreValue(ctx.heap, from, variable.type, ctx.state + variable.offset);
  if (good && from.size() == 0)
    return nullptr;
  clearState(ctx, op);
  return "its bytes do not hold the values of the state variables";
}

void saveAndRestore(Ctx &ctx, const OperatorDesc &op) {
  std::vector<char> bytes = saveState(op, ctx.state);
  clearState(ctx, op);
  const char *wrong = restoreState(ctx, op, bytes.data(), bytes.size());
  if (!wrong && saveState(op, ctx.state) != bytes)
    wrong = "restored state differs from what was saved";
  if (!wrong)
    return;
  fprintf(stderr, "internal error: state of operator %s: %s\n", op.name, wrong);
  abort();
}

} // namespace sluice
