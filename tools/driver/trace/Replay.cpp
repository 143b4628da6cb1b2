//===- Replay.cpp - sluice trace replay ------------------------------===//
//
// A policy is a function of its samples: the same ones must give the same decisions.
// They are compared as the lines that they are written as.
//
//===----------------------------------------------------------------------===//
#include "tools/driver/trace/Trace.h"
#include "llvm/Support/raw_ostream.h"

using namespace sluice;
using namespace sluice::driver;

namespace {
class Replay {
public:
  explicit Replay(const TraceReader &reader) : path(reader.path()), header(reader.header()) {}

  llvm::Error start(const elastic::Configuration &from) {
    std::string error;
    policy = elastic::makePolicy(header.policy, header.constants, header.graph, header.machine,
                                 from, error);
    if (!policy)
      return llvm::createStringError(path + ": the policy cannot be made again: " + error);
    expected = policy->begin();
    return llvm::Error::success();
  }

  llvm::Error take(const TraceRecord &record) {
    if (auto *sample = std::get_if<trace::SampleLine>(&record.line); sample && sample->used) {
      if (expected)
        return unanswered(record);
      time = sample->sample.time;
      expected = policy->step(sample->sample);
    } else if (std::holds_alternative<trace::Decision>(record.line))
      return compare(record);
    else if (auto *resume = std::get_if<trace::Resume>(&record.line); resume && resume->start) {
      time = resume->time;
      return start(*resume->start);
    } else if (std::holds_alternative<trace::Lost>(record.line))
      result.stopped = true;
    return llvm::Error::success();
  }

  ReplayResult result;

private:
  llvm::Error compare(const TraceRecord &record) {
    if (!expected)
      return llvm::createStringError(
          path + ":" + llvm::Twine(record.number) +
          ": the line is damaged: a decision without a sample before it");
    std::string text = trace::format(trace::Decision{time, *expected});
    text.pop_back(); // its line end
    expected.reset();
    if (text != record.text)
      return different(record, text);
    ++result.same;
    return llvm::Error::success();
  }

  llvm::Error unanswered(const TraceRecord &record) {
    return llvm::createStringError(
        path + ":" + llvm::Twine(record.number) +
        ": the line is damaged: the decision on what stands before this sample is missing");
  }

  llvm::Error different(const TraceRecord &record, const std::string &text) {
    size_t at =
        std::mismatch(text.begin(), text.end(), record.text.begin(), record.text.end()).first -
        text.begin();
    return llvm::createStringError(
        path + ":" + llvm::Twine(record.number) + ": after " + inNumber(result.same, "decision") +
        " that are the same, this one differs from column " + llvm::Twine(at + 1) +
        ":\nrecorded: " + record.text + "\nreplayed: " + text);
  }

  const std::string &path;
  const trace::Header &header;
  std::unique_ptr<elastic::Policy> policy;
  std::optional<elastic::Decision> expected;
  double time = 0;
};
} // namespace

llvm::Expected<ReplayResult> driver::replayTrace(TraceReader &reader) {
  if (reader.header().policy == "off")
    return llvm::createStringError(reader.path() +
                                   ": there is nothing to replay: no policy decided");
  Replay replay(reader);
  if (llvm::Error error = replay.start(reader.header().start))
    return std::move(error);
  llvm::Error error = forEachLine(reader, [&](TraceRecord &record) {
    return replay.result.stopped ? llvm::Error::success() : replay.take(record);
  });
  if (error)
    return std::move(error);
  return replay.result;
}

int driver::traceReplayCommand(const DriverOptions &options) {
  auto reader = TraceReader::open(options.input);
  if (!reader)
    return traceFailure(reader.takeError());
  auto result = replayTrace(**reader);
  if (!result)
    return traceFailure(result.takeError());
  warnOfMissing(options.input, (*reader)->missing());
  llvm::outs() << options.input << ": " << inNumber(result->same, "decision") << " of policy "
               << (*reader)->header().policy
               << (result->same == 1 ? ", the same" : ", all the same")
               << (result->stopped ? " up to where lines were lost" : "") << "\n";
  return 0;
}
