//===- SavedState.cpp - the state of an operator as bytes ------------------===//
#include "runtime/exec/saved/SavedState.h"
#include "runtime/base/hash/Digest.h"
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
  uint32_t version = 2;
  uint64_t types = 0; // a digest
  uint64_t bytes = 0; // behind the header
  uint64_t check = 0; // the digest of those
};
static_assert(sizeof(Header) == 32);
} // namespace

static std::span<const StateDesc> variables(const OperatorDesc &op) {
  return {op.states, op.stateCount};
}

static void addType(Digest &digest, const TypeDesc *type) {
  digest.add(uint64_t(type->kind));
  digest.add(type->count);
  if (type->elem)
    addType(digest, type->elem);
  if (type->value)
    addType(digest, type->value);
  for (uint32_t i = 0; type->fields && i < type->count; ++i)
    addType(digest, type->fields[i].type);
}

static uint64_t typesOf(const OperatorDesc &op) {
  Digest digest;
  for (const StateDesc &variable : variables(op))
    addType(digest, variable.type);
  return digest.value();
}

std::vector<char> saveState(const OperatorDesc &op, const char *state) {
  std::vector<char> bytes(sizeof(Header));
  for (const StateDesc &variable : variables(op))
    saveValue(bytes, variable.type, state + variable.offset);
  Header header;
  header.types = typesOf(op);
  header.bytes = bytes.size() - sizeof header;
  header.check = digestOf(bytes.data() + sizeof header, header.bytes);
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
  if (header.types != typesOf(op))
    return "the operator's state variables have other types";
  if (header.bytes != size - sizeof header)
    return "it has another length than its header says";
  if (header.check != digestOf(bytes + sizeof header, header.bytes))
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
