//===- Types.h - the values of SPL in C++ ------------------------*- C++ -*-===//
//
// What native functions and operators take and return. The names are those that toolkits use:
// SPL::int32, SPL::rstring, SPL::list<T>. Values are ordinary objects of C++, which own their
// memory.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <complex>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace SPL {

using boolean = bool;
using int8 = int8_t;
using int16 = int16_t;
using int32 = int32_t;
using int64 = int64_t;
using uint8 = uint8_t;
using uint16 = uint16_t;
using uint32 = uint32_t;
using uint64 = uint64_t;
using float32 = float;
using float64 = double;
using complex32 = std::complex<float>;
using complex64 = std::complex<double>;

/// The bits of a decimal number (IEEE 754, binary coefficient).
struct decimal32 {
  uint32_t bits = 0;
  bool operator==(const decimal32 &) const = default;
};
struct decimal64 {
  uint64_t bits = 0;
  bool operator==(const decimal64 &) const = default;
};
struct decimal128 {
  uint64_t low = 0, high = 0;
  bool operator==(const decimal128 &) const = default;
};

/// Bytes, usually text.
class rstring : public std::string {
public:
  using std::string::string;
  rstring() = default;
  rstring(const std::string &s) : std::string(s) {}
  rstring(std::string &&s) : std::string(std::move(s)) {}
  rstring(std::string_view s) : std::string(s) {}
  rstring(const char *s) : std::string(s) {}
  const std::string &string() const { return *this; }
  std::string &string() { return *this; }
};

/// Text in Unicode.
class ustring {
public:
  ustring() = default;
  ustring(std::string utf8) : text(std::move(utf8)) {}
  static ustring fromUTF8(std::string_view utf8) { return ustring(std::string(utf8)); }
  const std::string &getUTF8() const { return text; }
  bool operator==(const ustring &) const = default;
  auto operator<=>(const ustring &) const = default;

private:
  std::string text;
};

/// A well-formed document, or nothing.
class xml {
public:
  xml() = default;
  xml(std::string text) : text(std::move(text)) {}
  const std::string &getString() const { return text; }
  bool operator==(const xml &) const = default;

private:
  std::string text;
};

class blob {
public:
  blob() = default;
  blob(const unsigned char *data, uint64_t size) : bytes(data, data + size) {}
  const unsigned char *getData() const { return bytes.data(); }
  uint64_t getSize() const { return bytes.size(); }
  unsigned char &operator[](uint64_t i) { return bytes[i]; }
  unsigned char operator[](uint64_t i) const { return bytes[i]; }
  void setData(const unsigned char *data, uint64_t size) { bytes.assign(data, data + size); }
  void append(const unsigned char *data, uint64_t size) {
    bytes.insert(bytes.end(), data, data + size);
  }
  void clear() { bytes.clear(); }
  bool operator==(const blob &) const = default;
  auto operator<=>(const blob &) const = default;

private:
  std::vector<unsigned char> bytes;
};

/// A moment: seconds and nanoseconds since 1970, and who has measured it.
class timestamp {
public:
  timestamp(int64_t seconds = 0, uint32_t nanoseconds = 0, int32_t machineId = 0)
      : seconds(seconds), nanoseconds(nanoseconds), machineId(machineId) {}
  int64_t getSeconds() const { return seconds; }
  uint32_t getNanoseconds() const { return nanoseconds; }
  int32_t getMachineId() const { return machineId; }
  double getTime() const { return double(seconds) + nanoseconds * 1e-9; }
  void setSeconds(int64_t s) { seconds = s; }
  void setNanoSeconds(uint32_t n) { nanoseconds = n; }
  void setMachineId(int32_t id) { machineId = id; }
  bool operator==(const timestamp &) const = default;
  auto operator<=>(const timestamp &) const = default;

private:
  int64_t seconds;
  uint32_t nanoseconds;
  int32_t machineId;
};

/// Of an enumeration, whose members `Names::all` lists.
template <typename Names> class enumeration {
public:
  enumeration(uint32_t index = 0) : index(index) {}
  uint32_t getIndex() const { return index; }
  /// The name of the member.
  rstring getValue() const { return Names::all[index]; }
  bool operator==(const enumeration &) const = default;
  auto operator<=>(const enumeration &) const = default;

private:
  uint32_t index;
};

/// The hash of any value.
struct Hash {
  static size_t mix(size_t a, size_t b) { return a * 0x9e3779b97f4a7c15 ^ (b + (a >> 29)); }
  size_t operator()(const std::string &s) const { return std::hash<std::string>()(s); }
  size_t operator()(const ustring &s) const { return (*this)(s.getUTF8()); }
  size_t operator()(const xml &s) const { return (*this)(s.getString()); }
  size_t operator()(const blob &b) const {
    return std::hash<std::string_view>()(
        {reinterpret_cast<const char *>(b.getData()), size_t(b.getSize())});
  }
  size_t operator()(const timestamp &t) const { return mix(t.getSeconds(), t.getNanoseconds()); }
  size_t operator()(decimal32 d) const { return d.bits; }
  size_t operator()(decimal64 d) const { return d.bits; }
  size_t operator()(decimal128 d) const { return mix(d.low, d.high); }
  template <typename N> size_t operator()(const enumeration<N> &e) const { return e.getIndex(); }
  template <typename T> size_t operator()(const std::complex<T> &c) const {
    return mix(std::hash<T>()(c.real()), std::hash<T>()(c.imag()));
  }
  template <typename T>
    requires(!std::is_convertible_v<const T &, const std::string &>)
  size_t operator()(const T &value) const {
    if constexpr (requires { std::hash<T>()(value); }) {
      return std::hash<T>()(value);
    } else if constexpr (requires { value.hash(); }) {
      return value.hash();
    } else {
      size_t all = 0;
      for (const auto &part : value)
        all = mix(all, (*this)(part));
      return all;
    }
  }
  template <typename A, typename B> size_t operator()(const std::pair<A, B> &p) const {
    return mix((*this)(p.first), (*this)(p.second));
  }
};

template <typename T> class list : public std::vector<T> {
public:
  using std::vector<T>::vector;
  list() = default;
  list(std::vector<T> v) : std::vector<T>(std::move(v)) {}
  int32_t getSize() const { return int32_t(this->size()); }
  void add(const T &value) { this->push_back(value); }
  void removeAll() { this->clear(); }
};

template <typename T> class set : public std::unordered_set<T, Hash> {
public:
  using std::unordered_set<T, Hash>::unordered_set;
  set() = default;
  int32_t getSize() const { return int32_t(this->size()); }
  void add(const T &value) { this->insert(value); }
  bool has(const T &value) const { return this->count(value) != 0; }
  void removeAll() { this->clear(); }
};

template <typename K, typename V> class map : public std::unordered_map<K, V, Hash> {
public:
  using std::unordered_map<K, V, Hash>::unordered_map;
  map() = default;
  int32_t getSize() const { return int32_t(this->size()); }
  void add(const K &key, const V &value) { (*this)[key] = value; }
  bool has(const K &key) const { return this->count(key) != 0; }
  void removeAll() { this->clear(); }
};

template <typename T> class optional : public std::optional<T> {
public:
  using std::optional<T>::optional;
  optional() = default;
  bool isPresent() const { return this->has_value(); }
};

// Values do not know the bound of their type: what is too much is dropped behind the function.
template <int32_t N> using bstring = rstring;
template <typename T, int32_t N> using blist = list<T>;
template <typename T, int32_t N> using bset = set<T>;
template <typename K, typename V, int32_t N> using bmap = map<K, V>;

/// What all types of tuples derive from. A tuple has get_NAME() and set_NAME(value) for each
/// attribute.
struct Tuple {
  bool operator==(const Tuple &) const = default;
};

} // namespace SPL
