//===- Outputs.cpp - answers as tuples ------------------------------------===//
#include "toolkits/inet/operators/HTTPRequest/Outputs.h"
#include "toolkits/inet/native/Lines.h"

namespace sluice::inet {

std::string diagnosis(const Answer &answer) {
  if (!answer.problem.empty())
    return answer.problem;
  return answer.status >= 400 ? "the server answers " + answer.statusLine : "";
}

int32_t Outputs::add(ParamOp &op, const char *parameter, Part part) {
  if (!op.param(parameter))
    return 0;
  if (!op.desc->outputs)
    return sl_error(op.ctx, "%s: there is no output", parameter);
  std::string name = op.text(parameter, "");
  const Field *field = fieldOf(*op.desc->outTypes[0], name);
  if (!field)
    return sl_error(op.ctx, "%s: the output has no attribute %s", parameter, name.c_str());
  const TypeDesc &type = *field->type;
  bool fits = part == Part::StatusCode ? type.kind == Kind::Int32
              : part == Part::Header   ? type.kind == Kind::List && type.elem->kind == Kind::RString
                                       : isText(type);
  if (!fits)
    return sl_error(op.ctx, "%s: the attribute %s must be %s", parameter, name.c_str(),
                    part == Part::StatusCode ? "an int32"
                    : part == Part::Header   ? "a list<rstring>"
                                             : "an rstring or a ustring");
  if (part == Part::Line)
    line = field;
  else
    columns.push_back({field, part});
  return 0;
}

int32_t Outputs::open(ParamOp &op) {
  static constexpr struct {
    const char *parameter;
    Part part;
  } parts[] = {
      {"outputBody", Part::Body},
      {"outputDataLine", Part::Line},
      {"outputStatus", Part::Status},
      {"outputStatusCode", Part::StatusCode},
      {"outputHeader", Part::Header},
      {"outputContentType", Part::ContentType},
      {"outputContentEncoding", Part::Encoding},
      {"errorDiagnostics", Part::Diagnostics},
  };
  for (auto [parameter, part] : parts)
    if (int32_t result = add(op, parameter, part))
      return result;
  if (!op.desc->outputs)
    return 0;
  const TypeDesc &type = *op.desc->outTypes[0];
  if (columns.empty() && !line && type.count == 1 && isText(*type.fields[0].type))
    columns.push_back({&type.fields[0], Part::Body});
  copies = Copies(*op.desc->inTypes[0], type);
  return 0;
}

void Outputs::fill(const Answer &answer, char *tuple, Arena &arena) const {
  auto keep = [&](const Field &field, const std::string &text) {
    auto *copy = static_cast<char *>(arenaAlloc(&arena, text.size(), 1));
    memcpy(copy, text.data(), text.size());
    setText(field, {copy, text.size()}, tuple, arena);
  };
  for (auto [field, part] : columns)
    switch (part) {
    case Part::Body:
      setText(*field, answer.body, tuple, arena);
      break;
    case Part::Line:
      break;
    case Part::Status:
      keep(*field, answer.problem.empty() ? answer.statusLine : answer.problem);
      break;
    case Part::StatusCode:
      store(tuple + field->offset, answer.problem.empty() ? int32_t(answer.status) : int32_t(-1));
      break;
    case Part::Header: {
      size_t count = answer.headers.size();
      auto *list = static_cast<Str *>(arenaAlloc(&arena, count * sizeof(Str), alignof(Str)));
      for (size_t i = 0; i < count; ++i)
        list[i] = strView(answer.headers[i].data(), answer.headers[i].size());
      Seq headers = {uint32_t(count), 0, list};
      memcpy(tuple + field->offset, &headers, sizeof headers);
      break;
    }
    case Part::ContentType:
      keep(*field, answer.header("Content-Type"));
      break;
    case Part::Encoding:
      keep(*field, answer.header("Content-Encoding"));
      break;
    case Part::Diagnostics:
      keep(*field, diagnosis(answer));
      break;
    }
}

int32_t Outputs::submit(ParamOp &op, const void *input, const Answer &answer) const {
  Arena &arena = *op.ctx->scratch;
  ArenaCheckpoint before = arenaCheckpoint(&arena);
  std::vector<uint64_t> bytes(op.desc->outTypes[0]->size / 8 + 1);
  auto *tuple = reinterpret_cast<char *>(bytes.data());
  copies.copy(input, tuple);
  fill(answer, tuple, arena);
  int32_t result = 0;
  bool hasLines = false;
  auto submitLine = [&](std::string_view text) {
    hasLines = true;
    setText(*line, text, tuple, arena);
    result = op.submit(0, tuple);
    return result == 0;
  };
  if (line) {
    Lines lines;
    if (lines.feed(answer.body, submitLine))
      lines.end(submitLine);
    else if (!result)
      result = sl_error(op.ctx, "a line of the answer is longer than 16 MiB");
  }
  if (!hasLines && !result)
    result = op.submit(0, tuple);
  arenaRelease(&arena, before);
  return result;
}

} // namespace sluice::inet
