//===- ZoneFile.cpp - the zone files of the system (RFC 8536) -------------===//
#include "runtime/base/files.h"
#include "runtime/base/os.h"
#include "stdlib/native/time/Zone.h"
#include <optional>

namespace sluice {

/// Zone files are smaller by far.
static constexpr int64_t kMostBytes = 1 << 20;

/// The bytes of a regular file, or nothing.
static std::string bytesOf(const std::string &path) {
  int fd = os::openFile(path.c_str(), os::Open::Read);
  if (fd < 0)
    return {};
  std::string bytes;
  int64_t size = os::isRegular(fd) ? os::sizeOfFile(fd) : 0;
  if (size > 0 && size <= kMostBytes) {
    bytes.resize(size_t(size));
    size_t read = 0;
    for (int64_t n; (n = os::readFile(fd, bytes.data() + read, bytes.size() - read)) > 0;)
      read += size_t(n);
    bytes.resize(read);
  }
  os::closeFile(fd);
  return bytes;
}

/// A header, a block with times of 32 bits; from version 2 on another one with 64 bits, and the
/// rule for later. Numbers are big-endian.
class ZoneFile {
public:
  explicit ZoneFile(std::string_view bytes) : rest(bytes) {}

  /// False: it is no zone file, or one with leap seconds, which no clock here counts.
  bool read(Zone &zone) {
    Header header;
    if (!readHeader(header))
      return false;
    uint64_t wide = 4;
    if (header.version >= '2') {
      if (uint64_t size = header.bytes(wide); size > rest.size())
        return false;
      else
        rest.remove_prefix(size);
      wide = 8;
      if (!readHeader(header))
        return false;
    }
    if (header.leaps || !header.types || header.bytes(wide) > rest.size() ||
        !readBlock(zone, header, wide))
      return false;
    return wide == 4 || readRule(zone);
  }

private:
  struct Header {
    char version;
    uint64_t utcMarks, standardMarks, leaps, changes, types, letters;
    uint64_t bytes(uint64_t wide) const {
      return changes * (wide + 1) + types * 6 + letters + leaps * (wide + 4) + standardMarks +
             utcMarks;
    }
  };

  int64_t number(uint64_t bytes) {
    auto first = uint8_t(rest.front());
    int64_t value = first & 0x80 ? -1 : 0;
    for (uint64_t i = 0; i < bytes; ++i)
      value = int64_t(uint64_t(value) << 8 | uint8_t(rest[i]));
    rest.remove_prefix(bytes);
    return value;
  }
  bool readHeader(Header &to) {
    constexpr size_t kSize = 44, kMagic = 4, kReserved = 15;
    if (rest.size() < kSize || !rest.starts_with("TZif"))
      return false;
    to.version = rest[kMagic];
    rest.remove_prefix(kMagic + 1 + kReserved);
    for (uint64_t *count :
         {&to.utcMarks, &to.standardMarks, &to.leaps, &to.changes, &to.types, &to.letters})
      *count = uint32_t(number(4));
    return true;
  }
  bool readBlock(Zone &zone, const Header &header, uint64_t wide) {
    for (uint64_t i = 0; i < header.changes; ++i)
      zone.changes.push_back({number(wide), 0});
    for (Zone::Change &change : zone.changes)
      if ((change.type = uint8_t(number(1))) >= header.types)
        return false;
    for (uint64_t i = 0; i < header.types; ++i) {
      auto offset = int32_t(number(4));
      bool isSummer = number(1) != 0;
      zone.types.push_back({offset, isSummer, uint32_t(uint8_t(number(1)))});
    }
    zone.names = rest.substr(0, header.letters);
    zone.names += '\0';
    rest.remove_prefix(header.bytes(wide) - header.changes * (wide + 1) - header.types * 6);
    bool isSorted = true;
    for (size_t i = 1; i < zone.changes.size(); ++i)
      isSorted &= zone.changes[i - 1].at < zone.changes[i].at;
    for (const Zone::Type &type : zone.types)
      if (type.name >= zone.names.size() || type.offset > kDay || type.offset < -kDay)
        return false;
    return isSorted;
  }
  /// Between two line ends; empty: nobody knows what comes later.
  bool readRule(Zone &zone) {
    if (rest.size() < 2 || rest.front() != '\n')
      return false;
    std::string_view text = rest.substr(1, rest.find('\n', 1) - 1);
    std::optional<PosixZone> rule = posixZone(text);
    if (!rule)
      return text.empty();
    if (rule->hasSummer())
      zone.addYears(*rule, zone.changes.empty()
                               ? 1970
                               : dateOf(floorDiv(zone.changes.back().at, kDay)).year + 1);
    return true;
  }

  std::string_view rest;
};

std::shared_ptr<const Zone> Zone::fromFile(const std::string &path) {
  std::string bytes = bytesOf(path);
  auto zone = std::make_shared<Zone>();
  return ZoneFile(bytes).read(*zone) ? zone : nullptr;
}

} // namespace sluice
