//===- Reader.cpp - XML documents that come in pieces ---------------------===//
#include "stdlib/operators/XMLParse/Reader.h"
#include "sluice/xml.h"
#include <algorithm>

namespace sluice::xml {

namespace {
/// More functions of libexpat.so.1.
struct Parser : Expat {
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

bool Reader::isThere() { return expat().isThere; }

Reader::Reader(Events &events, bool isUtf8) : events(events), isUtf8(isUtf8) {}

Reader::~Reader() {
  if (parser)
    expat().destroy(parser);
}

void Reader::reset() {
  isOpen = isBehind = isStopped = false;
  depth = 0;
  error.clear();
}

void Reader::open() {
  const char *encoding = isUtf8 ? "UTF-8" : nullptr;
  if (!parser)
    parser = expat().create(encoding);
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
  bool isRead = expat().parse(parser, part.data(), int(part.size()), 0);
  if (isStopped)
    return false;
  if (endOfDocument) {
    piece.remove_prefix(size_t(endOfDocument - taken));
    isOpen = false;
    isBehind = true;
    return events.document();
  }
  if (!isRead) {
    error = expat().problem(parser);
    return false;
  }
  taken += int64_t(part.size());
  piece.remove_prefix(part.size());
  return true;
}

bool Reader::read(std::string_view piece) {
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

} // namespace sluice::xml
