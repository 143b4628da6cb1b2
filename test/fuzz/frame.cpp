//===- frame.cpp - fuzzing the reader of frames -------------------------------===//
//
// The input is a frame. Its header is made one that is expected, so that what is behind it
// is looked at. A batch that is taken must print; written again and read again it must print
// the same. With SLUICE_FRAMES=DIR in the environment the start writes frames into DIR.
//
//===----------------------------------------------------------------------===//
#include "../unit/remote/Frames.h"
#include <cstdio>

using namespace sluice;
using namespace sluice::remote;
using namespace sluice::remote::test;

static const AllTypes types;
static const Schema schema(types.row, 8);

static void writeFrames(const char *directory) {
  std::mt19937 random(1);
  for (uint32_t i = 0; i < 40; ++i) {
    World world;
    TestBatch batch(schema);
    for (uint32_t r = 0, rows = i % 9; r < rows; ++r) {
      append(batch, schema, world, randomRow(schema, random, i % 10 ? i % 4 : 20));
      if (r % 2)
        addPunct(batch.b, {r, PunctuationKind(r / 2 % 3), int64_t(r)});
    }
    FrameWriter writer(schema, 1, 2, false);
    std::string frame = bytesOf(piecesOf(writer, batch));
    std::string path = std::string(directory) + "/frame" + std::to_string(i);
    if (FILE *file = fopen(path.c_str(), "w")) {
      fwrite(frame.data(), 1, frame.size(), file);
      fclose(file);
    }
  }
}

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  if (const char *directory = getenv("SLUICE_FRAMES"))
    writeFrames(directory);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string frame(reinterpret_cast<const char *>(data), size);
  if (size >= kBatchHeader) {
    FrameHeader header = headerOf(frame);
    header.magic = kFrameMagic;
    header.limit = 1;
    header.version = kFrameVersion;
    header.job = header.sequence = 0;
    header.schema = schema.hash;
    header.link = 0;
    header.bytes = size;
    memcpy(frame.data(), &header, sizeof header);
  }
  // No more room than it needs, so that AddressSanitizer sees what reads behind its end.
  TestBatch batch(schema, std::max<size_t>(schema.bytes + size, kBatchHeader)),
      again(schema, 1 << 22);
  if (receive(batch, schema, {0, 0, 0, false}, frame))
    return 0;
  FrameWriter writer(schema, 3, 4, true);
  std::string second = bytesOf(piecesOf(writer, batch));
  if (second.size() > again.room)
    return 0;
  Problem problem = receive(again, schema, {3, 0, 4, true}, second);
  if (problem || rowsOf(again, schema) != rowsOf(batch, schema) ||
      punctsOf(again.b) != punctsOf(batch.b)) {
    fprintf(stderr, "not the same again: %s\n", problem.value_or("").c_str());
    abort();
  }
  return 0;
}
