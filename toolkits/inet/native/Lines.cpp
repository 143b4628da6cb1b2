//===- Lines.cpp - texts that come in pieces ------------------------------===//
#include "toolkits/inet/native/Lines.h"

namespace sluice::inet {

bool Events::line(std::string_view line, Event &event) {
  if (line.empty()) {
    bool isEvent = std::exchange(hasData, false);
    id = nextId; // only now: an event that a connection breaks off comes again
    event = {std::exchange(data, {}), std::exchange(type, {}), id};
    return isEvent;
  }
  size_t colon = line.find(':');
  std::string_view name = line.substr(0, colon), value;
  if (colon != std::string_view::npos)
    value = line.substr(colon + 1);
  if (value.starts_with(' '))
    value.remove_prefix(1);
  if (name == "data") {
    isTooLong |= data.size() + value.size() >= Lines::kMost;
    if (isTooLong)
      return false;
    if (hasData)
      data += '\n';
    data += value;
    hasData = true;
  } else if (name == "event") {
    type = value;
  } else if (name == "id" && value.find('\0') == std::string_view::npos) {
    nextId = value;
  }
  return false;
}

} // namespace sluice::inet
