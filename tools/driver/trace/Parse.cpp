//===- Parse.cpp - a line of a trace ---------------------------------===//
//
// The reverse of runtime/trace/Format.cpp. Members that are not known are ignored;
// those that are must have the right type and fit the graph.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/text/Words.h"
#include "tools/driver/trace/Members.h"
#include "tools/driver/trace/TraceReader.h"

using namespace sluice;
using namespace sluice::driver;
using llvm::StringRef;

static constexpr uint64_t kMaxInteger = std::numeric_limits<int64_t>::max();

//===--- configurations and changes --------------------------------------------------===//

static elastic::Configuration toConfiguration(const Members &m, size_t nodes) {
  elastic::Configuration result;
  result.threads = m.count("threads");
  result.queued.assign(nodes, 0);
  result.width.assign(nodes, 1);
  for (uint32_t node : m.nodes("queued", nodes))
    result.queued[node] = 1;
  for (auto [node, width] : m.widths("widths", nodes))
    result.width[node] = width;
  return result;
}

static trace::Queues toQueues(const Members &m, size_t nodes) {
  trace::Queues result;
  for (auto [name, queued] : {std::pair{"queue", true}, {"unqueue", false}})
    if (m.has(name))
      for (uint32_t node : m.nodes(name, nodes))
        result.emplace_back(node, queued);
  llvm::sort(result);
  for (size_t i = 1; i < result.size(); ++i)
    if (result[i].first == result[i - 1].first)
      m.wrong("queue", "and `unqueue` name the same node");
  return result;
}

//===--- the header ---------------------------------------------------------------------===//

static trace::Operator toOperator(const Members &m) {
  return {m.text("name"), m.has("kind") ? m.text("kind") : "", m.has("at") ? m.text("at") : ""};
}

static void takeNode(const Members &m, trace::Header &h) {
  elastic::Node node;
  node.name = m.text("name");
  node.domain = m.count("domain");
  node.source = m.flag("source", false);
  node.changeable = m.flag("changeable", false);
  node.queued = m.flag("queued", false);
  node.maxWidth = m.has("maxWidth") ? m.count("maxWidth") : 1;
  m.elements("to", [&](const json::Value &v) {
    node.to.push_back(uint32_t(m.toInteger("to", v, 0, UINT32_MAX)));
  });
  h.graph.nodes.push_back(std::move(node));
  std::vector<trace::Operator> &inside = h.operators.emplace_back();
  if (m.has("at")) // version 1
    inside.push_back({h.graph.nodes.back().name, "", m.text("at")});
  if (!m.has("operators"))
    return;
  m.elements("operators", [&](const json::Value &v) {
    if (!v.getAsObject())
      return m.wrong("operators", "are not objects");
    inside.push_back(toOperator(Members(*v.getAsObject(), m.problem)));
  });
}

static void takeGraph(const Members &m, trace::Header &h) {
  h.graph.domains = m.count("domains");
  m.elements("nodes", [&](const json::Value &v) {
    if (!v.getAsObject())
      return m.wrong("nodes", "are not objects");
    takeNode(Members(*v.getAsObject(), m.problem), h);
  });
  for (const elastic::Node &node : h.graph.nodes) {
    if (node.domain >= h.graph.domains)
      m.wrong("domain", "is beyond the number of domains");
    for (uint32_t to : node.to)
      if (to >= h.graph.nodes.size())
        m.wrong("to", "is no number of a node");
  }
  if (llvm::all_of(h.operators, [](auto &inside) { return inside.empty(); }))
    h.operators.clear();
}

static elastic::Machine toMachine(const Members &m) {
  elastic::Machine result;
  result.cpus = m.count("cpus");
  result.maxThreads = m.count("maxThreads");
  result.handOffNanos = m.number("handOffNanos");
  result.rowNanos = m.number("rowNanos");
  result.byteNanos = m.number("byteNanos");
  result.wakeNanos = m.number("wakeNanos");
  result.inFlight = m.has("inFlight") ? m.number("inFlight") : 0;
  return result;
}

static trace::Line toHeader(const Members &m, StringRef text) {
  trace::Header h;
  h.program = m.text("program");
  h.composite = m.text("composite");
  h.source = m.text("source");
  h.host = m.text("host");
  h.started = m.has("started") ? m.signedInteger("started", INT64_MIN, INT64_MAX) : 0;
  if (auto graph = m.members("graph"))
    takeGraph(*graph, h);
  if (auto machine = m.members("machine"))
    h.machine = toMachine(*machine);
  if (auto policy = m.members("policy")) {
    h.policy = policy->text("name");
    if (auto constants = policy->members("constants"))
      h.constants = constants->numbers(text);
  }
  m.elements("options", [&](const json::Value &v) {
    v.getAsString() ? h.options.push_back(v.getAsString()->str())
                    : m.wrong("options", "are not strings");
  });
  if (auto start = m.members("start"))
    h.start = toConfiguration(*start, h.graph.nodes.size());
  h.pe = m.has("pe") ? int32_t(m.integer("pe", INT32_MAX)) : -1;
  h.process = m.has("process") ? m.count("process") : 0;
  if (m.has("flow"))
    if (auto flow = m.members("flow"))
      h.flow = toFlow(*flow);
  return h;
}

//===--- all others ---------------------------------------------------------------------===//

static trace::Line toSample(const Members &m, size_t nodes) {
  trace::SampleLine line;
  elastic::Sample &s = line.sample;
  s.time = m.seconds("time");
  s.length = m.seconds("length");
  line.used = m.flag("used", true);
  s.busy = m.number("busy");
  s.idle = m.number("idle");
  s.parked = m.number("parked");
  s.cpu = m.number("cpu");
  s.others = m.number("others");
  s.latency = m.number("latency");
  s.nodes.resize(nodes);
  auto members = m.members("nodes");
  if (!members)
    return line;
  for (auto [name, member] : trace::kNodeMembers) {
    if (!members->has(name))
      continue;
    size_t i = 0;
    members->elements(name, [&, name = name, member = member](const json::Value &v) {
      if (i < nodes)
        s.nodes[i].*member = members->toNumber(name, v);
      ++i;
    });
    if (i != nodes)
      members->wrong(name,
                     "has " + counted(i, "element") + ", and the graph " + counted(nodes, "node"));
  }
  return line;
}

static trace::Line toDecision(const Members &m, size_t nodes, StringRef text) {
  trace::Decision line;
  line.time = m.seconds("time");
  elastic::Decision &d = line.decision;
  std::string kind = m.text("kind");
  bool known = false;
  for (uint8_t k = 0; k <= uint8_t(elastic::Kind::Settled); ++k)
    if (elastic::toString(elastic::Kind(k)) == kind) {
      d.kind = elastic::Kind(k);
      known = true;
    }
  if (!known)
    m.wrong("kind", "is none of the kinds of decisions");
  d.reason = m.text("reason");
  if (auto numbers = m.members("numbers"))
    d.numbers = numbers->numbers(text);
  d.queues = toQueues(m, nodes);
  d.widths = m.widths("widths", nodes);
  if (m.has("threads"))
    d.threads = m.count("threads");
  d.warmUp = m.seconds("warmUp");
  d.interval = m.seconds("window");
  return line;
}

static std::optional<trace::Line> toOther(std::string_view kind, const Members &m, size_t nodes) {
  auto time = [&] { return m.seconds("time"); };
  if (kind == trace::Switch::kName)
    return trace::Switch{time(), toQueues(m, nodes), m.widths("widths", nodes)};
  if (kind == trace::Threads::kName)
    return trace::Threads{time(), m.count("from"), m.count("to")};
  if (kind == trace::LoadChange::kName)
    return trace::LoadChange{time(), m.text("reason")};
  if (kind == trace::Settled::kName)
    return trace::Settled{time(),
                          m.text("since"),
                          m.number("seconds"),
                          m.number("throughput"),
                          m.count("threads"),
                          m.count("queues")};
  if (kind == trace::Pause::kName)
    return trace::Pause{time()};
  if (kind == trace::Resume::kName) {
    trace::Resume resume{time(), {}};
    if (m.has("start"))
      if (auto start = m.members("start"))
        resume.start = toConfiguration(*start, nodes);
    return resume;
  }
  if (kind == trace::Lost::kName)
    return trace::Lost{time(), m.integer("lines", kMaxInteger), m.text("reason")};
  if (kind == trace::Figures::kName)
    return toFigures(m);
  if (kind == trace::Final::kName)
    return trace::Final{time(),
                        int(m.signedInteger("exitCode", INT32_MIN, INT32_MAX)),
                        m.number("rows"),
                        m.number("cpu"),
                        m.integer("samples", kMaxInteger),
                        m.integer("decisions", kMaxInteger),
                        m.integer("lost", kMaxInteger),
                        m.has("controller") ? m.number("controller") : 0};
  return std::nullopt;
}

/// Brackets in brackets: the library recurses, and no line of ours is deep.
static bool isDeep(StringRef text) {
  int depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      i += c == '\\';
      inString = c != '"';
    } else if (c == '"')
      inString = true;
    else if (c == '{' || c == '[') {
      if (++depth > 32)
        return true;
    } else if (c == '}' || c == ']')
      --depth;
  }
  return false;
}

static llvm::Error damaged(const llvm::Twine &what) {
  return llvm::createStringError("the line is damaged: " + what);
}

llvm::Expected<trace::Line> driver::parseTraceLine(StringRef text, const trace::Header *header) {
  if (isDeep(text))
    return damaged("brackets in brackets");
  auto value = json::parse(text);
  std::string unreadable = value ? "" : llvm::toString(value.takeError());
  if (!value && !header)
    return llvm::createStringError("this is no trace: the first line is no JSON");
  if (!value)
    return damaged(unreadable);
  const json::Object *object = value->getAsObject();
  std::string problem;
  std::optional<StringRef> named = object ? object->getString("line") : std::nullopt;
  std::string_view kind = named.value_or("");
  if (!header && kind != trace::Header::kName)
    return llvm::createStringError("this is no trace: the first line is no `header`");
  if (!named)
    return damaged("no member `line` says what it is");
  Members m(*object, problem);
  size_t nodes = header ? header->graph.nodes.size() : 0;
  std::optional<trace::Line> line;
  if (!header) {
    uint64_t version = m.integer("version", kMaxInteger);
    if (problem.empty() && version > trace::kVersion)
      return llvm::createStringError("the trace has version " + llvm::Twine(version) +
                                     ", and this sluice reads up to version " +
                                     llvm::Twine(trace::kVersion) +
                                     ": use the one that wrote it, or a newer one");
    line = toHeader(m, text);
  } else if (kind == trace::Header::kName)
    return damaged("a second header");
  else if (kind == trace::SampleLine::kName)
    line = toSample(m, nodes);
  else if (kind == trace::Decision::kName)
    line = toDecision(m, nodes, text);
  else
    line = toOther(kind, m, nodes);
  if (!line)
    return damaged("there is no kind of line `" + *named + "`");
  if (!problem.empty())
    return damaged(problem);
  return std::move(*line);
}
