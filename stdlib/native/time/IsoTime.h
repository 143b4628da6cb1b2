//===- IsoTime.h - times as ISO 8601 writes them ----------------*- C++ -*-===//
//
// For the functions at run time, and for warnings of the compiler about constants.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "stdlib/native/time/CivilTime.h"
#include <optional>

namespace sluice {

/// What a text says, or why it says nothing.
struct IsoTime {
  CivilTime::State state = CivilTime::OtherFormat;
  int64_t wall = 0; // seconds since 1970 as if there were no offset
  uint32_t nanos = 0;
  std::optional<int32_t> offset; // seconds east of Greenwich
};

/// `2024-05-01`, or that with a time such as `T10:20`, `T10:20:30` or `T10:20:30.123`, and behind
/// the time perhaps `Z` or an offset such as `+02:00`, `+0200` or `+02`. A year of other than four
/// digits has a sign. The last offsets of old times have seconds, `+00:53:28`.
class IsoTimeReader {
public:
  explicit IsoTimeReader(std::string_view text) : in(text) {}

  IsoTime read() {
    IsoTime result;
    int64_t year = readYear();
    in.separator("-");
    int month = in.number(2) - 1;
    in.separator("-");
    int day = in.number(2), hour = 0, minute = 0, second = 0;
    if (in.good && in.p != in.end) {
      in.separator("T");
      hour = in.number(2);
      in.separator(":");
      minute = in.number(2);
      if (take(':')) {
        second = in.number(2);
        if (take('.') || take(','))
          result.nanos = in.fraction();
      }
      readOffset(result);
    }
    if (!in.done())
      return result;
    result.state = CivilTime::NoSuchTime;
    if (!CivilTime::isDate(year, month, day) || !CivilTime::isTime(hour, minute, second) ||
        !isOffset)
      return result;
    auto wall = __int128(daysOf(year, month, day)) * kDay + hour * 3600 + minute * 60 + second;
    if (wall > INT64_MAX || wall < INT64_MIN)
      return result;
    result.state = CivilTime::Exists;
    result.wall = int64_t(wall);
    return result;
  }

private:
  bool take(char c) {
    bool isThere = in.good && in.isAt(c);
    in.p += isThere;
    return isThere;
  }
  /// Four digits, or a sign and four to twelve.
  int64_t readYear() {
    bool isNegative = take('-');
    bool isSigned = isNegative || take('+');
    int64_t year = in.number(4);
    for (int digits = 4; isSigned && digits < 12 && in.p < in.end && *in.p != '-'; ++digits)
      year = year * 10 + in.number(1);
    return isNegative ? -year : year;
  }
  void readOffset(IsoTime &result) {
    if (take('Z')) {
      result.offset = 0;
      return;
    }
    bool isNegative = take('-');
    if (!isNegative && !take('+'))
      return;
    int hours = in.number(2), minutes = 0, seconds = 0;
    bool isExtended = take(':');
    if (in.good && (isExtended || in.p != in.end))
      minutes = in.number(2);
    if (isExtended && take(':'))
      seconds = in.number(2);
    isOffset = hours < 24 && minutes < 60 && seconds < 60;
    int offset = (hours * 60 + minutes) * 60 + seconds;
    result.offset = isNegative ? -offset : offset;
  }

  FixedFields in;
  bool isOffset = true;
};

inline IsoTime isoTime(std::string_view text) { return IsoTimeReader(text).read(); }

} // namespace sluice
