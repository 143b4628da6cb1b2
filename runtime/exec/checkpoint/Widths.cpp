//===- Widths.cpp - regions that have another width than before ---------------===//
#include "runtime/exec/checkpoint/Widths.h"
#include "runtime/exec/checkpoint/KeyedParts.h"
#include "runtime/exec/checkpoint/Snapshot.h"
#include "runtime/exec/saved/SavedState.h"
#include "runtime/exec/saved/TypeImage.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/table/Facts.h"
#include "runtime/exec/table/Label.h"
#include "sluice/recovery.h"
#include <algorithm>
#include <cstring>

namespace sluice::checkpoint {

//===--- names --------------------------------------------------------------------===//

/// The operator of the first channel, as it is called in another one.
static std::string inChannel(const Program &p, uint32_t op, uint32_t channel) {
  std::string name = labelOf(p.desc.operators[op]);
  const size_t at = p.table.instances.ofOperator[op]->pathLength + 1; // behind the bracket
  return name.replace(at, 1, std::to_string(channel));
}

/// Without channels.
static std::string plainName(const Program &p, uint32_t op) {
  return p.table.instances.templateNames[op];
}

static std::string advice(const std::string &name) {
  return "; --resume-drop=" + name + " lets it go in all channels";
}

//===--- operators -----------------------------------------------------------------===//

/// What the runtime saves of an operator beside its state, and another width does not matter to.
static bool isOfEveryWidth(std::string_view name) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"%kind", "%turns", "%leftOut", "%metric ", "%about "},
      [&](std::string_view known) { return name.starts_with(known); });
}

static void addEntry(std::string &to, const Entry &entry) {
  std::vector<char> bytes;
  Saver saver(bytes);
  int64_t number = 0;
  if (entry.kind == EntryKind::Number && entry.bytes.size() == sizeof number) {
    memcpy(&number, entry.bytes.data(), sizeof number);
    saver.number(entry.name, number);
  } else if (entry.kind == EntryKind::Text) {
    saver.text(entry.name, entry.bytes);
  }
  to.append(bytes.data(), bytes.size());
}

/// What each channel had in a variable, without its type: all have the same, by checkSection().
static std::vector<std::string> partsOf(const std::vector<std::string> &sections,
                                        const std::string &variable, const TypeDesc *type) {
  std::vector<std::string> parts;
  const std::string image = typeImage(type);
  for (std::string_view from : sections)
    for (Entry entry; nextEntry(from, entry);)
      if (entry.kind == EntryKind::Value && entry.name == variable &&
          entry.bytes.starts_with(image))
        parts.emplace_back(entry.bytes.substr(image.size()));
  return parts;
}

/// What is not dealt out: it stays in its channel, or must be what it began with.
std::string Widths::keepRest(const Program &p, const Region &region, uint32_t op,
                             std::string_view section, const std::vector<std::string> &dealt,
                             std::string *to) {
  const OperatorDesc &desc = p.desc.operators[op];
  const std::string plain = plainName(p, op);
  for (Entry entry; nextEntry(section, entry);) {
    const std::string name(entry.name);
    if (std::ranges::find(dealt, name) != dealt.end() || isDropped(p, plain + "." + name))
      continue;
    if (isOfEveryWidth(name)) {
      if (to)
        addEntry(*to, entry);
      continue;
    }
    if (entry.kind != EntryKind::Value || isSource(desc) || desc.native >= 0)
      return region.said + "what " + plain + ", a " + desc.kind +
             ", remembers belongs to its channel" + advice(plain);
    firsts.push_back({op, name, std::string(entry.bytes),
                      region.said + "the variable " + plain + "." + name +
                          " has changed, and is not known to be keyed by what its streams are "
                          "partitioned by" +
                          advice(plain + "." + name)});
  }
  return "";
}

/// `op`: in the first channel.
std::string Widths::dealOperator(const Program &p, const Region &region, uint32_t op,
                                 Sections &sections) {
  const OperatorDesc &desc = p.desc.operators[op];
  std::vector<std::string> before, now(region.now), dealt;
  for (uint32_t channel = 0; channel < region.before; ++channel)
    if (auto found = sections.extract(inChannel(p, op, channel)))
      before.push_back(std::move(found.mapped()));
  if (isDropped(p, plainName(p, op)) || beginsAnew(desc))
    return "";
  for (const std::string &section : before)
    if (std::string wrong = checkSection(p, op, plainName(p, op), section); !wrong.empty())
      return region.said + wrong;
  const KeyedDesc *keyed = keyOf(p, region.number, op);
  const std::vector<std::string> names = namesOfStates(desc);
  for (uint32_t i = 0; i < desc.stateCount; ++i) {
    if (!isKeyed(keyed, desc.states[i]) || isDropped(p, plainName(p, op) + "." + names[i]))
      continue;
    dealt.push_back(names[i]);
    auto parts = partsOf(before, names[i], desc.states[i].type);
    if (std::string wrong = dealOut(desc.states[i], names[i], keyed->key.type, parts, now);
        !wrong.empty())
      return region.said + "the variable " + plainName(p, op) + "." + names[i] + " " + wrong +
             advice(plainName(p, op) + "." + names[i]);
  }
  for (uint32_t channel = 0; channel < before.size(); ++channel) {
    std::string *to = channel < region.now ? &now[channel] : nullptr;
    if (std::string wrong = keepRest(p, region, op, before[channel], dealt, to); !wrong.empty())
      return wrong;
  }
  for (uint32_t channel = 0; channel < region.now; ++channel)
    sections[inChannel(p, op, channel)] = std::move(now[channel]);
  return "";
}

//===--- regions -------------------------------------------------------------------===//

/// How often final punctuation comes is another number in another width.
std::string Widths::checkEnds(const Program &p, const Region &region,
                              const Sections &sections) const {
  std::vector<bool> concerned(p.desc.operatorCount);
  auto isInside = [&](uint32_t op) {
    return p.table.instances.ofOperator[op]->region == int32_t(region.number);
  };
  for (uint32_t op = 0; op < p.desc.operatorCount; ++op)
    concerned[op] = isInside(op);
  forEachEdge(p.desc, [&](uint32_t out, uint32_t, uint32_t in) {
    if (isInside(p.desc.outPorts[out].op))
      concerned[p.desc.inPorts[in].op] = true;
  });
  for (uint32_t op = 0; op < p.desc.operatorCount; ++op) {
    if (!concerned[op])
      continue;
    const Replica &replica = *p.table.instances.ofOperator[op];
    for (uint32_t channel = 0; channel < (isInside(op) ? region.before : 1); ++channel) {
      std::string name = isInside(op) && !replica.channel ? inChannel(p, op, channel)
                                                          : labelOf(p.desc.operators[op]);
      if (auto found = sections.find(name); found != sections.end() && hasEnded(found->second))
        return region.said + "a stream of " + name +
               " had ended, so only the same width can go on from it";
    }
  }
  return "";
}

std::string Widths::dealRegion(const Program &p, const Region &region, Sections &sections) {
  const RegionDesc &desc = p.desc.regions[region.number];
  bool isNested = desc.parent >= 0;
  for (uint32_t i = 0; i < p.desc.regionCount; ++i)
    isNested |= p.desc.regions[i].parent == int32_t(region.number);
  if (isNested)
    return region.said + "a region in another one keeps its width";
  if (std::string wrong = checkEnds(p, region, sections); !wrong.empty())
    return wrong;
  for (auto &in : p.queues.domains.inPorts) // a loop counts its ports
    if (in && in->loop && p.table.instances.ofIn(in->id).region == int32_t(region.number))
      return region.said + "a region in a feedback loop keeps its width";
  for (uint32_t op = 0; op < p.desc.operatorCount; ++op) {
    const Replica &replica = *p.table.instances.ofOperator[op];
    if (replica.region != int32_t(region.number) || replica.channel ||
        p.desc.operators[op].link >= 0)
      continue;
    if (std::string wrong = dealOperator(p, region, op, sections); !wrong.empty())
      return wrong;
  }
  return "";
}

std::string Widths::deal(const Program &p, const Manifest &manifest, Sections &sections) {
  for (uint32_t number = 0; number < p.desc.regionCount; ++number)
    for (auto &[path, width] : widthsOf(p))
      for (auto &[name, before] : manifest.values)
        if (path == p.desc.regions[number].path && name == "width of " + path && before != width) {
          Region region{number, uint32_t(std::stoul(before)), uint32_t(std::stoul(width)),
                        path + " had " + before + (before == "1" ? " channel" : " channels") +
                            " and has " + width + ": "};
          if (std::string wrong = dealRegion(p, region, sections); !wrong.empty())
            return wrong;
        }
  return "";
}

std::string Widths::verify(const Program &p) const {
  for (const First &first : firsts) {
    if (!p.isHere(first.op))
      continue;
    std::vector<char> bytes;
    Saver saver(bytes);
    const OperatorDesc &op = p.desc.operators[first.op];
    saveState(saver, op, p.values.state.data() + p.table.instances.ofOperator[first.op]->state);
    std::string_view from(bytes.data(), bytes.size());
    for (Entry entry; nextEntry(from, entry);)
      if (entry.name == first.name && entry.bytes != first.value)
        return first.wrong;
  }
  return "";
}

} // namespace sluice::checkpoint
