//===- TraceReader.cpp - reads what --trace has written -------------------===//
#include "runtime/base/text/Words.h"
#include "tools/driver/trace/Trace.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace sluice;
using namespace sluice::driver;
namespace fs = llvm::sys::fs;

using Result = llvm::Expected<std::unique_ptr<TraceReader>>;

TraceReader::~TraceReader() {
  if (file && name != "-")
    fs::closeFile(*file);
}

Result TraceReader::open(const std::string &path, llvm::function_ref<void()> wait) {
  std::unique_ptr<TraceReader> reader(new TraceReader(path));
  if (path == "-")
    reader->file = fs::getStdinHandle();
  else {
    auto file = fs::openNativeFileForRead(path);
    if (!file)
      return llvm::createStringError("cannot read " + path + ": " +
                                     llvm::toString(file.takeError()));
    reader->file = *file;
  }
  if (llvm::Error error = reader->readHeader(wait))
    return std::move(error);
  return std::move(reader);
}

Result TraceReader::read(std::string name, std::string text) {
  std::unique_ptr<TraceReader> reader(new TraceReader(std::move(name)));
  reader->buffer = std::move(text);
  if (llvm::Error error = reader->readHeader(nullptr))
    return std::move(error);
  return std::move(reader);
}

llvm::Error TraceReader::at(unsigned line, llvm::Error error) {
  return llvm::createStringError(name + ":" + llvm::Twine(line) + ": " +
                                 llvm::toString(std::move(error)));
}

llvm::Error TraceReader::readHeader(llvm::function_ref<void()> wait) {
  auto whole = nextText(headText);
  while (wait && whole && !*whole) {
    wait();
    whole = nextText(headText);
  }
  if (!whole)
    return whole.takeError();
  if (!*whole)
    return llvm::createStringError(name + ": this is no trace: " +
                                   (buffer.empty() ? "it is empty" : "it has not one whole line"));
  auto line = parseTraceLine(headText, nullptr);
  if (!line)
    return at(number, line.takeError());
  head = std::get<trace::Header>(std::move(*line));
  return llvm::Error::success();
}

//===--- lines ---------------------------------------------------------------------------===//

llvm::Expected<bool> TraceReader::readMore() {
  if (!file)
    return false;
  buffer.erase(0, start);
  searched -= start;
  start = 0;
  constexpr size_t kChunk = 1 << 18;
  size_t had = buffer.size();
  buffer.resize(had + kChunk);
  auto count = fs::readNativeFile(*file, {buffer.data() + had, kChunk});
  buffer.resize(had + (count ? *count : 0));
  if (!count)
    return llvm::createStringError("cannot read " + name + ": " +
                                   llvm::toString(count.takeError()));
  return *count != 0;
}

llvm::Expected<bool> TraceReader::nextText(std::string &text) {
  for (;;) {
    size_t end = buffer.find('\n', searched);
    if (end != std::string::npos) {
      text = buffer.substr(start, end - start);
      start = searched = end + 1;
      ++number;
      return true;
    }
    searched = buffer.size();
    auto more = readMore();
    if (!more || !*more)
      return more;
  }
}

llvm::Expected<std::optional<TraceRecord>> TraceReader::next() {
  TraceRecord record;
  auto whole = nextText(record.text);
  if (!whole)
    return whole.takeError();
  if (!*whole)
    return std::nullopt;
  record.number = number;
  if (hasFinal)
    return at(number,
              llvm::createStringError("the line is damaged: nothing may stand behind `final`"));
  auto line = parseTraceLine(record.text, &head);
  if (!line)
    return at(number, line.takeError());
  record.line = std::move(*line);
  time = std::max(time, timeOf(record.line));
  hasFinal = std::holds_alternative<trace::Final>(record.line);
  if (auto *l = std::get_if<trace::Lost>(&record.line))
    lost.push_back((counted(l->lines, "line") + llvm::Twine(l->lines == 1 ? " was" : " were") +
                    " lost before line " + llvm::Twine(number) + ": " + l->reason)
                       .str());
  return std::move(record);
}

std::vector<std::string> TraceReader::missing() const {
  std::vector<std::string> result = lost;
  if (size_t rest = buffer.size() - start)
    result.push_back("line " + std::to_string(number + 1) + " is cut off after " +
                     counted(rest, "byte"));
  if (!hasFinal) {
    std::string text;
    llvm::raw_string_ostream(text)
        << "the end is missing: the last line is of " << llvm::format("%.3f", time)
        << " s, and the program went on or was killed";
    result.push_back(text);
  }
  return result;
}

llvm::Error driver::forEachLine(TraceReader &reader,
                                llvm::function_ref<llvm::Error(TraceRecord &)> visit) {
  for (;;) {
    auto record = reader.next();
    if (!record)
      return record.takeError();
    if (!*record)
      return llvm::Error::success();
    if (llvm::Error error = visit(**record))
      return error;
  }
}
