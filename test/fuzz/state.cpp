//===- state.cpp - fuzzing the readers of checkpoints -------------------------===//
//
// The first byte says what the input is: a MANIFEST, a file of state, or what an operator has
// saved. Checksums are made right, so that what is behind them is looked at. What is taken is
// written again, and must be the same. With SLUICE_STATES=DIR in the environment the start writes
// inputs into DIR.
//
//===----------------------------------------------------------------------===//
#include "Row.h"
#include "runtime/base/hash/Digest.h"
#include "runtime/exec/checkpoint/Restore.h"
#include "runtime/exec/files/Listing.h"
#include "runtime/exec/saved/Entries.h"
#include "runtime/exec/saved/TypeImage.h"
#include "sluice/saved.h"
#include "value/Place.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace sluice;
using namespace sluice::checkpoint;
using namespace sluice::test;

static const TypeDesc decimal128 = scalar(Kind::Decimal128), rows = listOf(textRow),
                      sparse = mapOf(&int8, &decimal128);
static const TupleType
    row({{"row", textRow}, {"rows", &rows}, {"d", &decimal128}, {"z", &sparse}, {"x", &blob}});

static void same(std::string_view again, std::string_view input) {
  if (again == input)
    return;
  fprintf(stderr, "not the same again\n");
  abort();
}

//===--- inputs to begin with -----------------------------------------------------===//

static std::vector<char> savedOperator() {
  World world;
  std::vector<char> bytes;
  Saver saver(bytes);
  saver.number("%finals0", 2);
  saver.text("%kind", "spl.relational::Filter");
  saver.value("i", &int32, world.value(&int32, "7"));
  const char *said = "{row={i=1,u=2,f=0.5,g=1,b=true,s=\"text\",t=(1,2,3),e=red,l=[1,2],"
                     "w={\"a\",\"a word of more bytes\"},m={\"k\":[3]},c={a=1,b=\"x\"}},"
                     "rows=[],d=1.5,z={1:2.5},x=0a0b}";
  void *value = world.value(row, said);
  if (!value)
    abort();
  saver.value("row", row, value);
  return bytes;
}

static void write(const std::string &path, char kind, std::string_view bytes) {
  FILE *file = fopen(path.c_str(), "w");
  if (!file)
    return;
  fputc(kind, file);
  fwrite(bytes.data(), 1, bytes.size(), file);
  fclose(file);
}

static void writeInputs(const std::string &directory) {
  Manifest m;
  m.number = 17;
  m.program = "Main\\";
  m.files = {{"state", 12, 0xabcdef}};
  m.values = {{"n", "1\n2"}, {"width of R", "3"}};
  write(directory + "/manifest", 0, writeManifest(m));
  std::vector<char> saved = savedOperator();
  write(directory + "/state", 1, writeState({{kProgram, {}}, {"Sum", saved}}));
  write(directory + "/operator", 2, {saved.data(), saved.size()});
}

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  if (const char *directory = getenv("SLUICE_STATES"))
    writeInputs(directory);
  return 0;
}

//===--- what is read -------------------------------------------------------------===//

static void readManifests(std::string_view input) {
  std::string text(input.substr(0, input.rfind("check ")));
  char check[40];
  snprintf(check, sizeof check, "check %016llx\n",
           static_cast<unsigned long long>(digestOf(text.data(), text.size())));
  Manifest m, again;
  if (!readManifest(text + check, m).empty())
    return;
  listText({m});
  std::string written = writeManifest(m);
  if (!readManifest(written, again).empty())
    abort();
  same(writeManifest(again), written);
}

/// The values of an operator as those of the row's type.
static void readOperator(std::string_view input) {
  World world;
  Loader loader(input);
  std::string_view rest = input;
  for (Entry entry; nextEntry(rest, entry);) {
    loader.number(entry.name);
    if (entry.kind != EntryKind::Value)
      continue;
    std::string_view from = entry.bytes;
    SavedType type;
    if (type.read(from))
      same(typeImage(type.desc()), entry.bytes.substr(0, entry.bytes.size() - from.size()));
    std::vector<Timestamp> place(row.desc.size / sizeof(Timestamp) + 1);
    memset(static_cast<void *>(place.data()), 0, place.size() * sizeof(Timestamp));
    if (loader.value(entry.name, world.ctx.heap, row, place.data())) {
      std::vector<char> bytes;
      Saver(bytes).value(entry.name, row, place.data());
      Loader again({bytes.data(), bytes.size()});
      if (!again.typeOf(entry.name))
        abort();
      text(row, place.data());
    }
    disown(world.ctx.heap, row, place.data());
  }
  showText({{"Sum", {input.begin(), input.end()}}});
}

/// Makes the checksum of each section the right one (StateFile.cpp).
static std::string withChecks(std::string_view input) {
  std::string file(input);
  for (size_t at = 16; at + 24 <= file.size();) {
    uint64_t header[2], room = file.size() - at - 24;
    memcpy(header, file.data() + at, sizeof header);
    if (header[0] > room || header[1] > room - header[0])
      break;
    const char *name = file.data() + at + 24;
    uint64_t check = digestOf(name, header[0]) * 31 + digestOf(name + header[0], header[1]);
    memcpy(file.data() + at + 16, &check, sizeof check);
    at += 24 + header[0] + header[1];
  }
  return file;
}

static void readStates(std::string_view input) {
  std::string file = withChecks(input);
  std::vector<Section> sections;
  if (readState(file, sections).empty()) {
    same(writeState(sections), file);
    showText(sections);
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!size)
    return 0;
  std::string_view rest(reinterpret_cast<const char *>(data) + 1, size - 1);
  if (data[0] % 3 == 0)
    readManifests(rest);
  else if (data[0] % 3 == 1)
    readStates(rest);
  else
    readOperator(rest);
  return 0;
}
