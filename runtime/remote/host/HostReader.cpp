//===- HostReader.cpp - reads what a host says ----------------------------===//
#include "runtime/remote/host/HostReader.h"
#include <algorithm>
#include <utility>

namespace sluice::remote {

/// Bytes that are asked for at once: what does not come takes no memory.
static constexpr size_t kPart = 1 << 20;

using Result = HostReader::Result;

static Result outcome(const std::string &problem) {
  return problem.empty() ? Result::Read : Result::Wrong;
}

Result HostReader::next(std::string &problem) {
  HostHead head;
  if (!input.read(head.data(), 1))
    return Result::Over;
  if (!input.read(head.data() + 1, head.size() - 1))
    return problem = "it ends within the head of a frame", Result::Wrong;
  uint32_t bytes;
  memcpy(&bytes, head.data(), sizeof bytes);
  return read(HostFrame(head[sizeof bytes]), bytes, problem);
}

/// A frame of a fixed size. False: `problem` says what is wrong.
template <class T> bool HostReader::take(T &to, uint32_t bytes, std::string &problem) {
  if (bytes != sizeof to)
    problem =
        "a frame has " + std::to_string(bytes) + " bytes instead of " + std::to_string(sizeof to);
  else if (!input.read(&to, sizeof to))
    problem = "it ends within a frame";
  return problem.empty();
}

bool HostReader::takeState(uint32_t bytes) {
  for (size_t left = bytes; left;) {
    size_t part = std::min(left, kPart), at = state.size();
    state.resize(at + part);
    if (!input.read(state.data() + at, part))
      return false;
    left -= part;
  }
  return true;
}

Result HostReader::takeData(uint32_t bytes, std::string &problem) {
  HostLink link;
  if (bytes < sizeof link)
    return problem = "a frame of a link has " + std::to_string(bytes) + " bytes", Result::Wrong;
  if (!input.read(&link, sizeof link))
    return problem = "it ends within a frame", Result::Wrong;
  void *memory = listener.place(link, bytes - sizeof link, problem);
  if (!memory)
    return Result::Wrong;
  if (!input.read(memory, bytes - sizeof link))
    return problem = "it ends within a frame", Result::Wrong;
  listener.arrived();
  return Result::Read;
}

Result HostReader::read(HostFrame type, uint32_t bytes, std::string &problem) {
  const Phase wanted = type == HostFrame::Hello                                 ? Phase::Hello
                       : type == HostFrame::Restore || type == HostFrame::Begin ? Phase::Restore
                                                                                : Phase::Run;
  HostHello hello;
  HostLink link;
  uint64_t number = 0;
  if (phase != wanted)
    return problem = "a frame of type " + std::to_string(int(type)) + " comes at a wrong time",
           Result::Wrong;
  switch (type) {
  case HostFrame::Hello:
    if (take(hello, bytes, problem))
      problem = listener.hello(hello);
    phase = Phase::Restore;
    return outcome(problem);
  case HostFrame::Restore:
    return takeState(bytes) ? Result::Read
                            : (problem = "it ends within what was saved", Result::Wrong);
  case HostFrame::Begin:
    if (take(number, bytes, problem))
      problem = listener.begin(number, std::exchange(state, {}));
    phase = Phase::Run;
    return outcome(problem);
  case HostFrame::Data:
    return takeData(bytes, problem);
  case HostFrame::End:
    if (take(link, bytes, problem))
      problem = listener.ended(link);
    return outcome(problem);
  case HostFrame::Gone:
    if (take(link, bytes, problem))
      problem = listener.gone(link);
    return outcome(problem);
  case HostFrame::Cut:
  case HostFrame::Committed:
    if (take(number, bytes, problem))
      listener.ordered(type, number);
    return outcome(problem);
  case HostFrame::Stop:
  case HostFrame::Close:
    if (bytes)
      return problem = "a frame that has nothing in it has bytes", Result::Wrong;
    listener.ordered(type, 0);
    return Result::Read;
  case HostFrame::Grant: // of the PE
  case HostFrame::CutDone:
  case HostFrame::State:
  case HostFrame::Over:
  case HostFrame::Log:
  case HostFrame::Metrics:
    break;
  }
  return problem = "there is no frame of type " + std::to_string(int(type)), Result::Wrong;
}

} // namespace sluice::remote
