//===- InetSource.cpp - com.ibm.streamsx.inet::InetSource -----------------===//
#include "stdlib/native/connect/Retry.h"
#include "toolkits/inet/native/Address.h"
#include "toolkits/inet/native/Client.h"
#include "toolkits/inet/native/Lines.h"
#include "toolkits/inet/operators/InetSource/Columns.h"

namespace sluice::inet {
namespace {

class InetSource : public ParamOp {
public:
  Saves saves() const override { return Saves::Stateless; }
  int32_t open() override;
  int32_t process() override;

private:
  struct Place {
    std::string url, shown;
    int64_t changed = -1;           // when its text was, as the server says
    std::vector<std::string> lines; // of the last fetch, with incrementalFetch
  };
  enum class Unit { Records, Place, Fetch }; // that a tuple has

  int32_t readRules();
  int32_t fetchAll(bool isTaken);
  int32_t fetch(Place &, bool isTaken);
  size_t knownOf(const Place &, const std::vector<std::string> &lines) const;
  int32_t take(const std::vector<std::string> &lines, size_t at);
  int32_t add(std::string record);
  int32_t flush();

  Client client;
  Columns columns;
  Source source; // of the last answer
  std::vector<Place> places;
  Unit unit = Unit::Records;
  uint64_t linesOfRecord = 1, recordsOfTuple = 1; // 0: all lines
  double seconds = 0;                             // for a request; 0: any time
  std::string pad;
  bool increments = false;
  std::vector<std::string> records; // of the next tuple
  Warnings warnings;
};

/// Of `file:`, as libcurl has them.
static std::string urlOf(const ParamOp &op, const std::string &uri) {
  constexpr std::string_view kFile = "file:///";
  if (!uri.starts_with(kFile))
    return uri;
  return "file://" + op.resolve(std::string_view(uri).substr(kFile.size()));
}

int32_t InetSource::readRules() {
  linesOfRecord = uint64_t(number("inputLinesPerRecord", 1));
  recordsOfTuple = uint64_t(number("emitTuplePerRecordCount", 1));
  seconds = number("timeout", 0);
  pad = text("intraRecordPadValue", " ");
  bool isList = columns.data() == Data::List;
  bool isFetch = isList && !param("emitTuplePerURI") && !param("emitTuplePerRecordCount");
  unit = flag("emitTuplePerFetch", isFetch) ? Unit::Fetch
         : flag("emitTuplePerURI", false)   ? Unit::Place
                                            : Unit::Records;
  if (columns.data() == Data::Text && (unit != Unit::Records || recordsOfTuple > 1))
    return sl_error(ctx, "several records in a tuple need an attribute list<rstring>");
  if (columns.isWhole()) {
    unit = Unit::Records;
    recordsOfTuple = 1;
  }
  increments = flag("incrementalFetch", false);
  return 0;
}

int32_t InetSource::open() {
  Settings settings;
  settings.protocols = "http,https,file";
  if (settings.read(*this) || columns.layOut(*this) || readRules())
    return 1;
  for (const std::string &uri : textsOf(*this, "URIList")) {
    if (uri.starts_with("ftp:") || uri.starts_with("ftps:"))
      return sl_error(ctx, "FTP is not in this release: %s", shownUrl(uri).c_str());
    places.push_back({urlOf(*this, uri), shownUrl(uri), -1, {}});
  }
  if (places.empty())
    return sl_error(ctx, "URIList is empty");
  return client.open(ctx, settings);
}

//===--- tuples ---------------------------------------------------------------===//

/// Submits what has come together.
int32_t InetSource::flush() {
  if (records.empty())
    return 0;
  ArenaCheckpoint before = arenaCheckpoint(ctx->scratch);
  const void *tuple = columns.fill(records, source, *ctx->scratch);
  if (!tuple)
    warnings.warn(ctx, desc, shownUrl(source.target) + ": it is no XML, and left out");
  int32_t result = tuple ? submit(0, tuple) : 0;
  arenaRelease(ctx->scratch, before);
  records.clear();
  return result;
}

int32_t InetSource::add(std::string record) {
  records.push_back(std::move(record));
  return unit == Unit::Records && records.size() >= recordsOfTuple ? flush() : 0;
}

/// How many lines at the beginning are those of the last time.
size_t InetSource::knownOf(const Place &place, const std::vector<std::string> &lines) const {
  size_t at = 0;
  while (increments && at < lines.size() && at < place.lines.size() && lines[at] == place.lines[at])
    ++at;
  return at;
}

/// The lines of a text from one on.
int32_t InetSource::take(const std::vector<std::string> &lines, size_t at) {
  while (at < lines.size()) {
    std::string record = lines[at++];
    for (uint64_t i = 1; (!linesOfRecord || i < linesOfRecord) && at < lines.size(); ++i)
      record += pad + lines[at++];
    if (int32_t result = add(std::move(record)))
      return result;
  }
  return unit == Unit::Place || unit == Unit::Records ? flush() : 0;
}

//===--- fetching -------------------------------------------------------------===//

/// The lines of a text, or the text, if they are to be one. Empty, with a problem: a line is too
/// long.
static std::vector<std::string> partsOf(std::string text, bool isWhole, std::string &problem) {
  std::vector<std::string> parts;
  if (isWhole) {
    parts.push_back(std::move(text));
    return parts;
  }
  Lines splitter;
  auto keep = [&](std::string_view line) {
    parts.emplace_back(line);
    return true;
  };
  if (splitter.feed(text, keep))
    splitter.end(keep);
  else
    problem = "a line is longer than 16 MiB";
  return parts;
}

int32_t InetSource::fetch(Place &place, bool isTaken) {
  Request request;
  request.url = place.url;
  request.seconds = seconds;
  if (!flag("unconditionalFetch", false))
    request.changedSince = place.changed;
  Answer answer = client.run(ctx, request);
  if (answer.isStopped || (answer.problem.empty() && answer.isUnchanged))
    return 0;
  std::string problem = answer.problem;
  if (problem.empty() && answer.status != 200 && !columns.hasStatus())
    problem = "the server answers " + answer.statusLine;
  std::vector<std::string> lines;
  if (problem.empty())
    lines = partsOf(std::move(answer.body), columns.isWhole(), problem);
  if (!problem.empty()) {
    warnings.warn(ctx, desc, place.shown + ": " + problem + "; it tries again");
    return 0;
  }
  // Another status is no text of the place: it is taken whole, also if it is empty.
  bool isText = answer.status == 200;
  if (!isText && lines.empty())
    lines.emplace_back();
  source = {place.url, answer.effectiveUrl, answer.header("Content-Type"), answer.status,
            answer.seconds};
  size_t known = isText ? knownOf(place, lines) : 0;
  int32_t result = isTaken ? take(lines, known) : 0;
  if (isText) {
    place.changed = answer.changed;
    if (increments || !isTaken)
      place.lines = std::move(lines);
  }
  return result;
}

int32_t InetSource::fetchAll(bool isTaken) {
  for (Place &place : places)
    if (int32_t result = fetch(place, isTaken); result || sl_is_shutdown(ctx))
      return result;
  if (int32_t result = flush())
    return result;
  return flag("punctPerFetch", false) ? submitPunct(0, PunctuationKind::Window) : 0;
}

int32_t InetSource::process() {
  if (sl_wait(ctx, number("initDelay", 0)))
    return 0;
  bool isTaken = !flag("doNotStreamInitialFetch", false);
  auto most = uint64_t(number("iterations", 0));
  uint64_t fetches = 0;
  do {
    if (int32_t result = fetchAll(isTaken))
      return result;
    isTaken = true;
  } while (++fetches != most && !sl_wait(ctx, number("fetchInterval", 600)));
  return 0;
}

RegisterNative registered("com.ibm.streamsx.inet::InetSource",
                          [] { return static_cast<NativeOp *>(new InetSource); });

} // namespace
} // namespace sluice::inet
