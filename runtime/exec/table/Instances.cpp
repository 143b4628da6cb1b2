//===- Instances.cpp - the replicas of @parallel regions -----------------===//
#include "runtime/exec/table/Instances.h"
#include "runtime/exec/options/RunOptions.h"
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <string_view>

namespace sluice {

static constexpr uint32_t kMaxWidth = 4096;     // the frontend checks the same of constants
static constexpr uint64_t kMaxChannels = 65536; // of a region, in all channels of those around it

Instances::Instances(const ProgramDesc &from, const std::vector<uint32_t> &widths) : desc(from) {
  replicas.emplace_back();
  regionOf.assign(from.operatorCount, -1);
  for (uint32_t r = 0; r < from.regionCount; ++r) // inner ones come later
    std::fill_n(regionOf.begin() + from.regions[r].firstOp, from.regions[r].ops, int32_t(r));
  ofRegion.resize(from.regionCount);
  desc.stateBytes = (from.stateBytes + 15) / 16 * 16;
  for (uint32_t r = 0; r < from.regionCount; ++r)
    if (from.regions[r].parent < 0)
      place(r, replicas.front(), widths);
  makeOperators(from);
}

/// Makes the replicas of a region within one replica of the region around it.
void Instances::place(uint32_t region, const Replica &outer, const std::vector<uint32_t> &widths) {
  const RegionDesc &d = desc.regions[region];
  for (uint32_t k = 0; k < widths[region]; ++k) {
    Replica &r = replicas.emplace_back(outer);
    r.region = int32_t(region);
    r.width = widths[region];
    r.index = k;
    r.channel = int32_t(std::max(outer.channel, 0) * int32_t(r.width) + int32_t(k));
    r.maxChannels = int32_t(std::max(outer.maxChannels, 1) * int32_t(r.width));
    r.pathLength = uint32_t(std::string_view(d.path).size());
    r.outer = &outer;
    ofRegion[region].push_back(&r);
    auto append = [](uint32_t &total, uint32_t first, uint32_t count) {
      total += count;
      return total - count - first;
    };
    if (k) {
      r.op = append(desc.operatorCount, d.firstOp, d.ops);
      r.in = append(desc.inPortCount, d.firstIn, d.ins);
      r.out = append(desc.outPortCount, d.firstOut, d.outs);
      r.native = append(desc.nativeCount, d.firstNative, d.natives);
      r.state = desc.stateBytes - d.firstState;
      desc.stateBytes += d.stateBytes;
    }
    for (uint32_t inner = region + 1; inner < desc.regionCount; ++inner)
      if (desc.regions[inner].parent == int32_t(region))
        place(inner, r, widths);
  }
}

/// The name of an instance: as in IBM Streams, the channel follows what is annotated.
const char *Instances::nameOf(const char *name, const Replica &replica) {
  if (replica.region < 0)
    return name;
  std::string text = name;
  for (const Replica *r = &replica; r->outer; r = r->outer)
    text.insert(std::min<size_t>(text.size(), r->pathLength),
                "[" + std::to_string(r->channel) + "]");
  return names.emplace_back(std::move(text)).c_str();
}

void Instances::makeOperators(const ProgramDesc &from) {
  operators.resize(desc.operatorCount);
  inPorts.resize(desc.inPortCount);
  outPorts.resize(desc.outPortCount);
  ofOperator.resize(desc.operatorCount);
  templateNames.resize(desc.operatorCount);
  partitioners.resize(desc.outPortCount);
  const Replica *outside = &replicas.front();
  auto forEach = [&](auto f) {
    for (uint32_t op = 0; op < from.operatorCount; ++op) {
      std::vector<const Replica *> none{outside};
      for (const Replica *r : regionOf[op] < 0 ? none : ofRegion[regionOf[op]])
        f(from.operators[op], op, *r);
    }
  };
  forEach([&](const OperatorDesc &op, uint32_t index, const Replica &r) {
    OperatorDesc &made = operators[index + r.op] = op;
    made.name = nameOf(op.name, r);
    made.firstIn += r.in;
    made.firstOut += r.out;
    made.native += op.native < 0 ? 0 : int32_t(r.native);
    ofOperator[index + r.op] = &r;
    templateNames[index + r.op] = op.name;
    for (uint32_t in = op.firstIn; in < op.firstIn + op.inputs; ++in) {
      inPorts[in + r.in] = from.inPorts[in];
      inPorts[in + r.in].op = index + r.op;
      inPorts[in + r.in].inPlaceOutput +=
          from.inPorts[in].inPlaceOutput ? r.out : 0; // the segment is in this replica
    }
    for (uint32_t out = op.firstOut; out < op.firstOut + op.outputs; ++out) {
      outPorts[out + r.out] = from.outPorts[out];
      outPorts[out + r.out].op = index + r.op;
    }
  });
  desc.operators = operators.data();
  desc.inPorts = inPorts.data();
  desc.outPorts = outPorts.data();
  forEach([&](const OperatorDesc &op, uint32_t, const Replica &r) {
    for (uint32_t out = op.firstOut; out < op.firstOut + op.outputs; ++out)
      connect(from, out, r);
  });
  for (uint32_t out = 0; out < desc.outPortCount; ++out)
    for (const Partitioner &partitioner : partitioners[out])
      if (partitioner.whole)
        findSegments(partitioner, out);
  // A merge waits for the final punctuation of each replica.
  std::vector<int64_t> edges(desc.inPortCount);
  auto count = [&](const OutPortDesc *ports, uint32_t n, int by) {
    for (uint32_t out = 0; out < n; ++out)
      for (uint32_t i = 0; i < ports[out].consumerCount; ++i)
        edges[ports[out].consumers[i]] += by;
  };
  count(outPorts.data(), desc.outPortCount, 1);
  std::vector<int64_t> all = std::move(edges);
  edges.assign(desc.inPortCount, 0);
  count(from.outPorts, from.outPortCount, 1);
  forEach([&](const OperatorDesc &op, uint32_t, const Replica &r) {
    for (uint32_t in = op.firstIn; in < op.firstIn + op.inputs; ++in)
      inPorts[in + r.in].producers += uint32_t(all[in + r.in] - edges[in]);
  });
}

void Instances::setProducers(const std::vector<uint32_t> &producers) {
  for (uint32_t in = 0; in < desc.inPortCount; ++in)
    if (operators[inPorts[in].op].link >= 0)
      inPorts[in].producers = producers[in];
}

/// The replicas of a region within one replica of the region around it, by channel.
const Replica *const *Instances::channels(uint32_t region, const Replica &outer) const {
  const auto &all = ofRegion[region];
  return all.data() + std::max(outer.channel, 0) * all.front()->width;
}

/// Finds the segments of channels that may run whole batches: each leads to the next one only.
void Instances::findSegments(const Partitioner &of, uint32_t out) {
  std::vector<uint32_t> &found = of.whole->inPorts;
  for (uint32_t i = of.first; i < of.first + of.count; ++i) {
    uint32_t in = outPorts[out].consumers[i];
    for (const OutPortDesc *port;; in = port->consumers[0]) {
      found.push_back(in);
      port = &outPorts[inPorts[in].inPlaceOutput - 1];
      if (!port->consumerCount || &ofIn(port->consumers[0]) != &ofIn(in))
        break;
    }
  }
  of.whole->counts.assign(found.size() / of.count, DealtCounts(of.count));
}

/// Null if each channel gets its rows. `to`: its consumers.
static std::unique_ptr<WholeBatches> makeWhole(const ProgramDesc &desc, const Partitioner &from,
                                               const std::vector<const Replica *> &to) {
  if (from.levels.size() != 1 || from.levels[0].kind != SplitKind::RoundRobin || to.size() < 2 ||
      !desc.regions[to[0]->region].wholeBatches)
    return nullptr;
  auto whole = std::make_unique<WholeBatches>();
  for (size_t row = 0; row < to.size() + kBatchRows; ++row)
    whole->channels.push_back(int32_t(row % to.size()));
  return whole;
}

/// Makes the consumers of an output port. For a consumer in regions that the port is not in, the
/// instance has one consumer for each channel.
void Instances::connect(const ProgramDesc &from, uint32_t out, const Replica &r) {
  const OutPortDesc &given = from.outPorts[out];
  OutPortDesc &port = outPorts[out + r.out];
  auto &ids = consumers.emplace_back();
  auto &functions = segments.emplace_back();
  uint32_t split = 0;
  for (uint32_t i = 0; i < given.consumerCount; ++i) {
    uint32_t in = given.consumers[i], firstSplit = split;
    while (split < given.splitCount && given.splits[split].consumer == i)
      ++split;
    const Replica *common = &r; // the innermost replica that has both
    uint32_t outermost = firstSplit < split ? given.splits[firstSplit].region : 0;
    int32_t around =
        firstSplit < split ? desc.regions[outermost].parent : regionOf[from.inPorts[in].op];
    while (common->region != around)
      common = common->outer;
    std::vector<const Replica *> to{common};
    Partitioner partitioner{
        uint32_t(ids.size()), 0, common != &r && firstSplit < split, {}, {}, {}};
    bool partitions = partitioner.dropsWindows;
    for (uint32_t s = firstSplit; s < split; ++s) {
      const SplitDesc &d = given.splits[s];
      std::vector<const Replica *> outer = std::move(to);
      to.clear();
      for (const Replica *o : outer)
        to.insert(to.end(), channels(d.region, *o),
                  channels(d.region, *o) + ofRegion[d.region].front()->width);
      uint32_t width = ofRegion[d.region].front()->width;
      partitioner.levels.push_back({d.kind, width, d.keys, d.keyCount, {}});
      // As in IBM Streams, round robin begins at the channel that the stream comes from.
      for (const Replica *o : outer)
        partitioner.levels.back().next.push_back(
            uint32_t(std::max(o == common ? r.channel : o->channel, 0)) % width);
      partitions |= width > 1 && d.kind != SplitKind::ToAll;
    }
    for (const Replica *each : to) {
      ids.push_back(in + each->in);
      if (i < given.segmentCount)
        functions.push_back(given.segments[i]);
    }
    partitioner.count = uint32_t(to.size());
    partitioner.rows.resize(to.size());
    partitioner.whole = makeWhole(desc, partitioner, to);
    if (partitions)
      partitioners[out + r.out].push_back(std::move(partitioner));
  }
  port.consumers = ids.data();
  port.consumerCount = uint32_t(ids.size());
  if (!functions.empty()) {
    port.segments = functions.data();
    port.segmentCount = uint32_t(functions.size());
  }
}

//===--- widths ---------------------------------------------------------------===//

int64_t Instances::most() const {
  std::map<const char *, int64_t> count; // each template has one pointer to its name
  int64_t found = 1;
  for (const char *name : templateNames)
    found = std::max(found, ++count[name]);
  return found;
}

int findWidths(const ProgramDesc &desc, const RunOptions &options, std::vector<uint32_t> &widths) {
  for (uint32_t i = 0; i < desc.regionCount; ++i) {
    const RegionDesc &region = desc.regions[i];
    uint32_t width = region.width;
    if (!width) {
      std::string_view text = options.values[region.submission];
      auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
      if (error != std::errc() || end != text.data() + text.size() || width < 1 ||
          width > kMaxWidth) {
        fprintf(stderr,
                "%s: error: %s:%u:%u: the submission-time value %s = '%.*s' is the width of a "
                "parallel region: it must be "
                "a number from 1 to %u\n",
                desc.mainName, region.file, region.line, region.column,
                desc.submissions[region.submission].name, int(text.size()), text.data(), kMaxWidth);
        return 1;
      }
    }
    widths.push_back(width);
    uint64_t channels = width;
    for (int32_t r = region.parent; r >= 0 && channels <= kMaxChannels; r = desc.regions[r].parent)
      channels *= widths[r];
    if (channels > kMaxChannels) {
      fprintf(stderr,
              "%s: error: %s:%u:%u: this parallel region has more than %u channels in all\n",
              desc.mainName, region.file, region.line, region.column, unsigned(kMaxChannels));
      return 1;
    }
  }
  return 0;
}

} // namespace sluice
