//===- Files.h - native operators between test functions --------*- C++ -*-===//
#pragma once
#include "../exec/Graph.h"
#include "../value/Types.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

namespace sluice::test {

/// Parameters of the operator under test, set by setParams.
struct ParamText {
  const char *name;
  const TypeDesc *type;
  std::string text;
};
inline std::vector<ParamText> paramTexts;
inline const TypeDesc *streamType, *outType; // what goes in and comes out
inline std::vector<std::string> inputRows;   // texts of tuples; "W": window punctuation

inline int32_t setParams(Ctx *ctx) {
  World world;
  for (const ParamText &p : paramTexts) {
    Str s = str(p.text);
    sl_param(ctx, 0, p.name, p.type, p.type == &rstring ? &s : world.value(p.type, p.text));
  }
  return 0;
}
inline std::function<void()> afterTuple; // called when one has come out, if set
inline int32_t emitText(Ctx *, const void *tuple) {
  note(text(outType, tuple));
  if (afterTuple)
    afterTuple();
  return 0;
}
inline int32_t emitPunctText(Ctx *ctx, uint32_t kind, int64_t) {
  if (PunctuationKind(kind) == PunctuationKind::Final && !sl_out_close(ctx, 0))
    return 0;
  return note(PunctuationKind(kind) == PunctuationKind::Window ? "Window" : "Final"), 0;
}
/// A source that gives inputRows to native operator 0, then Final.
inline int32_t feed(Ctx *ctx) {
  World world;
  for (const std::string &row : inputRows) {
    int32_t result = row == "W" ? sl_native_punct(ctx, 0, 0, uint32_t(PunctuationKind::Window), 0)
                                : sl_native_tuple(ctx, 0, 0, world.value(streamType, row));
    if (result < 0)
      return result;
  }
  return sl_port_final(ctx, 0) ? sl_native_punct(ctx, 0, 0, uint32_t(PunctuationKind::Final), 0)
                               : 0;
}

/// One native operator, a folder of its own, and the streams around it.
struct Files : testing::Test {
  std::filesystem::path dir;
  std::string err;
  const TypeDesc *renamed = nullptr; // the input, as the operator sees it, if that is another type
  bool capture = true;               // not within a death test, which captures itself
  Files() {
    char name[] = "/tmp/sluice-unit-XXXXXX";
    dir = mkdtemp(name);
    paramTexts.clear();
    afterTuple = nullptr;
    inputRows.clear();
  }
  ~Files() override { std::filesystem::remove_all(dir); }

  std::string write(const char *name, std::string_view content) {
    std::ofstream(dir / name, std::ios::binary) << content;
    return dir / name;
  }
  std::string read(const char *name) {
    std::ifstream in(dir / name, std::ios::binary);
    std::stringstream s;
    s << in.rdbuf();
    return s.str();
  }
  void set(const char *name, std::string text, const TypeDesc *type = &rstring) {
    paramTexts.push_back({name, type, std::move(text)});
  }
  void on(const char *name) { set(name, "true", &boolean); }

  /// Runs the operator on streams of the type, or with another one behind it; the exit code.
  int run(const char *kind, const TypeDesc *type, bool input, bool output,
          const TypeDesc *out = nullptr) {
    streamType = type;
    outType = out ? out : type;
    Graph g;
    EmitFn emits[] = {emitText};
    EmitPunctFn emitPuncts[] = {emitPunctText};
    const TypeDesc *inTypes[] = {renamed ? renamed : streamType}, *outTypes[] = {outType};
    uint32_t op = g.native("Op", kind, input, output, emits, emitPuncts);
    g.operators[op].inTypes = inTypes;
    g.operators[op].outTypes = outTypes;
    g.operators[op].setParams = setParams;
    g.outPorts.resize(output);
    if (output)
      g.outPorts[0].batchBytes = 0; // consumers are called
    if (input) {
      g.op("Feed", 0, 0, feed);
      g.inPorts[0].producers = 1;
    }
    if (capture)
      testing::internal::CaptureStderr();
    int code = g.run({"--data-dir", dir.c_str()});
    if (capture)
      err = testing::internal::GetCapturedStderr();
    return code;
  }
  int source(const TypeDesc *type) { return run("spl.adapter::FileSource", type, false, true); }
  int sink(const TypeDesc *type) { return run("spl.adapter::FileSink", type, true, false); }
};

} // namespace sluice::test
