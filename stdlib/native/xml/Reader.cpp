//===- Reader.cpp - XML documents that come in pieces ---------------------===//
#include "stdlib/native/xml/Reader.h"
#include "sluice/xml.h"
#include <algorithm>

namespace sluice::xml {

namespace {
/// More functions of libexpat.so.1.
struct Parser : Expat {
  /// What a parser takes its memory with.
  struct Memory {
    void *(*take)(size_t bytes);
    void *(*grow)(void *, size_t bytes);
    void (*give)(void *);
  };
  void *(*createIn)(const char *encoding, const Memory *, const char *separator);
  unsigned char (*restart)(void *parser, const char *encoding);
  void (*setUserData)(void *parser, void *data);
  void (*onElements)(void *parser, void (*)(void *, const char *, const char **),
                     void (*)(void *, const char *));
  void (*onText)(void *parser, void (*)(void *, const char *, int));
  int (*stop)(void *parser, unsigned char resumable);
  long (*offset)(void *parser); // of the event at hand, in all that the parser got
  int (*length)(void *parser);  // of its text
  /// Null in expat before 2.6, which never waits for more than it needs.
  unsigned char (*wait)(void *parser, unsigned char enabled);

  Parser() {
    void *library = dlopen("libexpat.so.1", RTLD_NOW | RTLD_LOCAL);
    find(library, "XML_ParserCreate_MM", createIn);
    find(library, "XML_ParserReset", restart);
    find(library, "XML_SetUserData", setUserData);
    find(library, "XML_SetElementHandler", onElements);
    find(library, "XML_SetCharacterDataHandler", onText);
    find(library, "XML_StopParser", stop);
    find(library, "XML_GetCurrentByteIndex", offset);
    find(library, "XML_GetCurrentByteCount", length);
    bool isComplete = isThere;
    find(library, "XML_SetReparseDeferralEnabled", wait);
    isThere = isComplete;
  }
};
} // namespace

static const Parser &expat() {
  static const Parser functions;
  return functions;
}

/// Its memory counts for the limit of the program.
static void *createParser(const char *encoding) {
  static const Parser::Memory memory = {[](size_t bytes) { return takeMemory(bytes); },
                                        [](void *p, size_t bytes) { return growMemory(p, bytes); },
                                        giveMemory};
  return expat().createIn(encoding, &memory, nullptr);
}

bool Reader::isThere() { return expat().isThere; }

Reader::Reader(Events &events, bool isUtf8) : events(events), isUtf8(isUtf8) {}

Reader::~Reader() {
  if (parser)
    expat().destroy(parser);
}

void Reader::reset() {
  isOpen = isBehind = isStopped = false;
  depth = 0;
  token.clear();
  waiting.clear();
  kept.clear();
  error.clear();
}

void Reader::open() {
  const char *encoding = isUtf8 ? "UTF-8" : nullptr;
  if (!parser)
    parser = createParser(encoding);
  else
    expat().restart(parser, encoding);
  expat().setUserData(parser, this);
  expat().onElements(parser, onBegin, onEnd);
  expat().onText(parser, onText);
  if (expat().wait)
    expat().wait(parser, 0);
  isOpen = true;
  depth = 0;
  taken = endOfDocument = 0;
  token.clear();
  kept.clear();
}

//===--- events -------------------------------------------------------------===//

void Reader::stop() {
  isStopped = true;
  expat().stop(parser, 0);
}

void Reader::onBegin(void *self, const char *name, const char **attributes) {
  auto &reader = *static_cast<Reader *>(self);
  if (reader.isStopped)
    return;
  ++reader.depth;
  reader.events.begin(name, attributes);
}

void Reader::onText(void *self, const char *text, int size) {
  auto &reader = *static_cast<Reader *>(self);
  if (!reader.isStopped)
    reader.events.text({text, size_t(size)});
}

void Reader::onEnd(void *self, const char *) {
  auto &reader = *static_cast<Reader *>(self);
  if (reader.isStopped)
    return;
  if (!reader.events.end())
    return reader.stop();
  if (--reader.depth)
    return;
  reader.endOfDocument = expat().offset(reader.parser) + expat().length(reader.parser);
  expat().stop(reader.parser, 0);
}

//===--- pieces -------------------------------------------------------------===//

/// Blanks may stand before a document; between two of them what is no beginning of one is passed.
/// 0xFE and 0xFF begin one in UTF-16.
void Reader::skipToDocument(std::string_view &piece) const {
  size_t at = isBehind ? piece.find_first_of("<\xfe\xff") : piece.find_first_not_of(" \t\r\n");
  piece.remove_prefix(std::min(at, piece.size()));
}

/// Gives the parser what it takes at once, at most up to the end of the document.
bool Reader::readPart(std::string_view &piece) {
  constexpr size_t kMost = 1 << 30;
  std::string_view part = piece.substr(0, kMost);
  if (!taken)
    isWide = part.find('\0') < 2 || part.starts_with('\xfe') || part.starts_with('\xff');
  if (keeps)
    kept += part;
  bool isRead = expat().parse(parser, part.data(), int(part.size()), 0);
  if (isStopped)
    return false;
  if (endOfDocument) {
    piece.remove_prefix(size_t(endOfDocument - taken));
    isOpen = false;
    isBehind = true;
    kept.clear();
    return events.document();
  }
  if (!isRead) {
    error = expat().problem(parser);
    return false;
  }
  taken += int64_t(part.size());
  noteToken(part);
  piece.remove_prefix(part.size());
  return true;
}

/// Notes what the parser has left of what it got, `part` at last.
void Reader::noteToken(std::string_view part) {
  int64_t at = expat().offset(parser);
  uint64_t left = at < 0 ? 0 : uint64_t(taken - at);
  if (!left)
    token.clear();
  else if (left <= part.size())
    token.begin(part.substr(part.size() - left), isWide);
  else
    token.grow(left);
}

/// Keeps a piece that needs not be given to the parser yet.
bool Reader::waitsWith(std::string_view piece) {
  constexpr uint64_t kOften = 4096; // a shorter token is read again with each piece
  bool mayEnd = token.size() && token.mayEndIn(piece);
  if (mayEnd || token.size() < kOften || waiting.size() + piece.size() >= token.size())
    return false;
  waiting += piece;
  return true;
}

bool Reader::read(std::string_view piece) {
  if (waitsWith(piece))
    return true;
  if (waiting.empty())
    return readAll(piece);
  CountedString all;
  all.swap(waiting);
  all += piece;
  return readAll(all);
}

bool Reader::readAll(std::string_view piece) {
  while (true) {
    if (!isOpen)
      skipToDocument(piece);
    if (piece.empty())
      return true;
    if (!isOpen)
      open();
    if (!readPart(piece))
      return false;
  }
}

//===--- checkpoints ----------------------------------------------------------===//

void Reader::save(Saver &saver) const {
  saver.number("isBehind", isBehind);
  saver.text("document", {kept.data(), kept.size()});
  saver.text("waiting", {waiting.data(), waiting.size()});
}

void Reader::restore(const Loader &loader) {
  isBehind = loader.number("isBehind").value_or(0) != 0;
  again = true;
  readAll(loader.text("document").value_or(""));
  again = false;
  waiting = loader.text("waiting").value_or("");
}

} // namespace sluice::xml
