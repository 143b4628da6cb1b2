//===- Boost.h - patterns of Perl's syntax, by Boost.Regex ------*- C++ -*-===//
//
// What the functions for bytes and those for characters share. Boost has no bound on the work of
// one call: it counts the states that one search enters, in proportion to the square of the text,
// but not the characters that a state passes, nor the searches of one replacement. So the text is
// passed by iterators that count moves. They make these instances of Boost's templates ours, too:
// native code of a program may use another release of Boost.
//
//===----------------------------------------------------------------------===//
#pragma once
#define BOOST_REGEX_STANDALONE
#include "stdlib/native/LastUsed.h"
#include "stdlib/native/Library.h"
#include "value/Text.h"
#include <boost/regex.hpp>
#include <compare>
#include <iterator>
#include <stdexcept>

namespace sluice::perl {

/// A pattern asked for more moves than a call has.
struct TooManyMoves {};
[[noreturn, gnu::cold]] void failTooManyMoves();

/// Moves that the running call of this thread has left.
inline constinit thread_local int64_t movesLeft = 0;
constexpr int64_t kMoves = 1 << 25, kMovesOfCharacter = 16;

template <typename Char> struct Cursor {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = Char;
  using difference_type = ptrdiff_t;
  using pointer = const Char *;
  using reference = const Char &;

  const Char *at = nullptr;

  reference operator*() const { return *at; }
  reference operator[](ptrdiff_t n) const { return at[n]; }
  Cursor &operator++() { return step(1); }
  Cursor &operator--() { return step(-1); }
  Cursor operator++(int) { return std::exchange(*this, *this + 1); }
  Cursor operator--(int) { return std::exchange(*this, *this - 1); }
  Cursor &operator+=(ptrdiff_t n) {
    at += n;
    return *this;
  }
  Cursor &operator-=(ptrdiff_t n) { return *this += -n; }
  friend Cursor operator+(Cursor c, ptrdiff_t n) { return c += n; }
  friend Cursor operator-(Cursor c, ptrdiff_t n) { return c -= n; }
  friend ptrdiff_t operator-(Cursor a, Cursor b) { return a.at - b.at; }
  friend auto operator<=>(const Cursor &, const Cursor &) = default;

private:
  Cursor &step(ptrdiff_t n) {
    if (--movesLeft < 0)
      failTooManyMoves();
    return *this += n;
  }
};

/// Where Boost puts the characters of a replacement: what an iterator has besides `= character`.
template <typename Self> struct Output {
  using iterator_category = std::output_iterator_tag;
  using value_type = void;
  using difference_type = ptrdiff_t;
  using pointer = void;
  using reference = void;

  Self &operator*() { return static_cast<Self &>(*this); }
  Self &operator++() { return static_cast<Self &>(*this); }
  Self &operator++(int) { return static_cast<Self &>(*this); }
};

/// Says what is wrong with a pattern in Boost's words, without where and how to go on.
int32_t failBad(Ctx *, const Str *pattern, const std::exception &);
/// Says that a search was given up.
int32_t failEndless(Ctx *, const Str *pattern, size_t characters);

/// Characters are of Traits::char_type.
template <typename Traits> struct Engine {
  using Char = typename Traits::char_type;
  using Regex = boost::basic_regex<Char, Traits>;
  using At = Cursor<Char>;
  using Match = boost::match_results<At>;

  /// `characters` of the pattern. Null after sl_error.
  static const Regex *compile(Ctx *ctx, const Str *pattern, auto charactersOf) {
    thread_local LastUsed<Regex> kept;
    if (Regex *known = kept.find(viewOf(*pattern)))
      return known;
    try {
      const auto &characters = charactersOf(pattern);
      const Char *from = characters.data();
      return kept.add(viewOf(*pattern), Regex(from, from + characters.size(), boost::regex::perl));
    } catch (const std::exception &e) {
      failBad(ctx, pattern, e);
      return nullptr;
    }
  }

  /// Of this thread: a search that has begun overwrites it, and allocates only where a pattern has
  /// more groups than those before.
  static Match &lastMatch() {
    thread_local Match found;
    return found;
  }

  /// Runs work(first, last), which may search the text.
  static int32_t search(Ctx *ctx, const Str *pattern, const auto &text, auto work) {
    movesLeft = kMoves + kMovesOfCharacter * int64_t(text.size());
    try {
      work(At{text.data()}, At{text.data() + text.size()});
      return 0;
    } catch (const TooManyMoves &) {
    } catch (const std::runtime_error &) { // too many states, or too many that it could go back to
    }
    return failEndless(ctx, pattern, text.size());
  }

  /// The match and its groups, which textOf(from, to) makes strings.
  static int32_t match(Ctx *ctx, Seq *result, const Regex &regex, const Str *pattern,
                       const auto &text, auto textOf) {
    *result = {};
    return search(ctx, pattern, text, [&](At first, At last) {
      Match &found = lastMatch();
      if (!boost::regex_search(first, last, found, regex, boost::match_perl))
        return;
      *result = scratchList(ctx, found.size(), sizeof(Str));
      for (size_t i = 0; i < found.size(); ++i) {
        bool took = found[i].matched;
        listData<Str>(*result)[i] = took ? textOf(found[i].first.at, found[i].second.at) : Str{};
      }
    });
  }

  /// The text with the first match, or with all, replaced, to `out`, which is an iterator for one
  /// character and has copy(from, to) for many.
  static int32_t replace(Ctx *ctx, auto out, const Regex &regex, const Str *pattern,
                         const auto &text, const auto &replacement, bool global) {
    return search(ctx, pattern, text, [&](At first, At last) {
      Match &found = lastMatch();
      At at = first; // behind what was replaced
      boost::match_flag_type flags = boost::match_default;
      while (boost::regex_search(at, last, found, regex, flags, first)) {
        out.copy(at.at, found[0].first.at);
        out = found.format(out, replacement, boost::format_all, regex);
        at = found[0].second;
        flags =
            found.length() ? boost::match_default : boost::regex_constants::match_not_initial_null;
        if (!global)
          break;
      }
      out.copy(at.at, last.at);
    });
  }
};

} // namespace sluice::perl
