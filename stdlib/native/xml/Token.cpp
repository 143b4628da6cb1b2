//===- Token.cpp - a token that the parser has got a part of --------------===//
#include "stdlib/native/xml/Token.h"
#include <algorithm>
#include <cstring>
#include <string>

namespace sluice::xml {

static constexpr std::string_view kComment = "<!--";

/// What the token is, as far as its first bytes say.
void Token::look(std::string_view start) {
  auto mayBe = [&](std::string_view whole) { return whole.starts_with(start.substr(0, 4)); };
  kind = isWide                        ? Kind::Other // these bytes are halves of characters there
         : start.starts_with(kComment) ? Kind::Comment
         : start.starts_with("<?")     ? Kind::Instruction
         : mayBe("<!-")                ? Kind::Unknown
         : start.starts_with("<!")     ? Kind::Other
         : start.starts_with("<")      ? Kind::Tag
                                       : Kind::Other;
}

void Token::begin(std::string_view start, bool wide) {
  bytes = start.size();
  isWide = wide;
  kind = Kind::Unknown;
  head.clear();
  hasEnded = false;
  if (mayEndIn(start)) // and it does not: it is not what it seems
    kind = Kind::Other;
  hasEnded = false;
}

void Token::grow(uint64_t size) {
  bytes = size;
  if (hasEnded)
    kind = Kind::Other;
  hasEnded = false;
}

/// In a comment, "-->"; in an instruction, "?>". Their beginnings may have come before.
bool Token::endsWith(std::string_view end, std::string_view more) {
  std::string joint(last, sizeof last);
  joint += more.substr(0, 2);
  bool isFound = joint.find(end) != joint.npos || more.find(end) != more.npos;
  joint = joint.substr(joint.size() - 2);
  if (more.size() >= sizeof last)
    joint = more.substr(more.size() - sizeof last);
  memcpy(last, joint.data(), sizeof last);
  return isFound;
}

/// A ">" that is not in the value of an attribute.
bool Token::endsTag(std::string_view more) {
  for (size_t at = 0; at < more.size(); ++at) {
    if (quote) {
      at = more.find(quote, at);
      if (at == more.npos)
        return false;
      quote = 0;
    } else if (more[at] == '>') {
      return true;
    } else if (more[at] == '"' || more[at] == '\'') {
      quote = more[at];
    }
  }
  return false;
}

bool Token::scan(std::string_view more) {
  switch (kind) {
  case Kind::Tag:
    return endsTag(more);
  case Kind::Comment:
    return endsWith("-->", more);
  case Kind::Instruction:
    return endsWith("?>", more);
  case Kind::Unknown:
  case Kind::Other:
    break;
  }
  return more.find('>') != more.npos;
}

bool Token::mayEndIn(std::string_view more) {
  if (kind != Kind::Unknown)
    return hasEnded |= scan(more);
  head += more;
  look(head);
  if (kind == Kind::Unknown)
    return false;
  quote = last[0] = last[1] = 0;
  std::string start;
  start.swap(head);
  size_t begun = kind == Kind::Comment ? kComment.size() : 1;
  return hasEnded |= scan(std::string_view(start).substr(std::min(begun, start.size())));
}

} // namespace sluice::xml
