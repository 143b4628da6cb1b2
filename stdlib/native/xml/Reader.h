//===- Reader.h - XML documents that come in pieces -------------*- C++ -*-===//
#pragma once
#include "memory/Counted.h"
#include "sluice/saved.h"
#include "stdlib/native/xml/Token.h"
#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::xml {

/// What a Reader tells. A function that returns false stops it.
struct Events {
  virtual ~Events() = default;
  /// `attributes`: names and values by turns, then null.
  virtual void begin(const char *name, const char *const *attributes) = 0;
  virtual void text(std::string_view) = 0;
  virtual bool end() = 0;
  /// A document is complete.
  virtual bool document() = 0;
};

/// Reads one document after another. Expat reads each piece as it comes, so elements are told as
/// soon as they have come; what cannot end a long token (Token.h) waits here.
class Reader {
public:
  /// `isUtf8`: whatever a document says of its encoding.
  Reader(Events &, bool isUtf8);
  ~Reader();
  Reader(const Reader &) = delete;
  Reader &operator=(const Reader &) = delete;

  /// Whether the system has expat.
  static bool isThere();

  /// False: it was stopped, or the document is not well-formed. Then it needs reset().
  bool read(std::string_view piece);
  /// What is wrong with the document, and where; empty: nothing.
  const std::string &problem() const { return error; }
  /// Whether the root of a document has begun and did not end.
  bool isInside() const { return depth > 0; }
  /// The next piece begins a document.
  void reset();

  /// From now on it keeps the bytes of the document that has begun.
  void keep() { keeps = true; }
  /// Saves where it is, if it keeps that. Another reader reads the bytes again: it tells all events
  /// of the document so far, while isAgain().
  void save(Saver &) const;
  void restore(const Loader &);
  bool isAgain() const { return again; }

private:
  static void onBegin(void *self, const char *name, const char **attributes);
  static void onEnd(void *self, const char *name);
  static void onText(void *self, const char *text, int size);
  void open();
  void skipToDocument(std::string_view &piece) const;
  bool readAll(std::string_view piece);
  bool readPart(std::string_view &piece);
  bool waitsWith(std::string_view piece);
  void noteToken(std::string_view part);
  void stop();

  Events &events;
  const bool isUtf8;
  void *parser = nullptr;
  bool isOpen = false;   // the parser is within a document
  bool isBehind = false; // a document is complete since reset()
  bool isStopped = false;
  uint64_t depth = 0;        // of open elements
  int64_t taken = 0;         // bytes that the parser got before this part
  int64_t endOfDocument = 0; // if it has come: where it is, counted as `taken`
  bool isWide = false;       // the document is in UTF-16
  Token token;               // that has not ended yet
  CountedString waiting;     // bytes of it that the parser has not got
  std::string error;
  bool keeps = false, again = false;
  CountedString kept; // what the parser got of the document that has begun
};

} // namespace sluice::xml
