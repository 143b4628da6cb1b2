//===- Packed.cpp - a checkpoint of one process as one text -----------------===//
#include "runtime/exec/member/Packed.h"
#include "runtime/exec/checkpoint/Snapshot.h"
#include "runtime/exec/state/Program.h"
#include <algorithm>
#include <cstring>
#include <iterator>

namespace sluice::member {

namespace {
struct Head {
  uint64_t manifest, state; // bytes
};
} // namespace

std::string pack(const Program &p, const std::vector<checkpoint::Section> &sections) {
  checkpoint::Manifest manifest;
  manifest.program = p.desc.mainName;
  for (auto &[path, width] : checkpoint::widthsOf(p))
    manifest.values.emplace_back("width of " + path, width);
  std::string text = checkpoint::writeManifest(manifest), state = checkpoint::writeState(sections);
  const Head head = {text.size(), state.size()};
  return std::string(reinterpret_cast<const char *>(&head), sizeof head) + text + state;
}

/// Takes one from the beginning.
static std::string unpackOne(std::string_view &packed, checkpoint::Manifest &manifest,
                             std::vector<checkpoint::Section> &sections) {
  Head head;
  if (packed.size() < sizeof head)
    return "it is cut off";
  memcpy(&head, packed.data(), sizeof head);
  packed.remove_prefix(sizeof head);
  if (head.manifest > packed.size() || head.state > packed.size() - head.manifest)
    return "it is cut off";
  if (std::string wrong = checkpoint::readManifest(packed.substr(0, head.manifest), manifest);
      !wrong.empty())
    return wrong;
  std::vector<checkpoint::Section> more;
  std::string wrong = checkpoint::readState(packed.substr(head.manifest, head.state), more);
  std::ranges::move(more, std::back_inserter(sections));
  packed.remove_prefix(head.manifest + head.state);
  return wrong;
}

std::string unpack(std::string_view packed, checkpoint::Manifest &manifest,
                   std::vector<checkpoint::Section> &sections) {
  do {
    manifest = {};
    if (std::string wrong = unpackOne(packed, manifest, sections); !wrong.empty())
      return wrong;
  } while (!packed.empty());
  return "";
}

} // namespace sluice::member
