//===- MessageSet.cpp - the message files of a toolkit --------------------===//
#include "stdlib/native/messages/MessageSet.h"
#include "stdlib/native/xml/Reader.h"
#include <cerrno>
#include <cstdio>
#include <cstring>

using namespace sluice;
using namespace sluice::messages;

//===--- documents ------------------------------------------------------------===//

namespace {
/// Tells of elements with the names of those around them, without prefixes.
class Document : xml::Events {
public:
  virtual ~Document() = default;
  /// Why the text is no XML document; empty: it is one.
  std::string read(std::string_view text);

protected:
  using Attributes = const char *const *;
  /// An element of this name begins or ends, inside of `path.back()`.
  virtual void opened(std::string_view name, Attributes) = 0;
  virtual void closed(std::string_view name, std::string_view text) = 0;

  static std::string valueOf(Attributes, std::string_view name);
  bool isIn(std::string_view parent) const { return !path.empty() && path.back() == parent; }

private:
  void begin(const char *name, Attributes attributes) override;
  void text(std::string_view piece) override;
  bool end() override;
  bool document() override { return false; } // what is behind it is of no interest

  std::vector<std::string> path; // names of the elements that are open
  std::vector<size_t> starts;    // where their texts begin in `content`
  std::string content;           // the text of the document
  bool isWhole = false;
};
} // namespace

std::string Document::read(std::string_view text) {
  if (!xml::Reader::isThere())
    return "reading it needs libexpat.so.1, which this system does not have (install Debian's "
           "package libexpat1)";
  xml::Reader reader(*this, /*isUtf8=*/false);
  reader.read(text);
  if (!reader.problem().empty())
    return reader.problem();
  return isWhole ? "" : "it ends too early";
}

std::string Document::valueOf(Attributes attributes, std::string_view name) {
  for (; *attributes; attributes += 2)
    if (attributes[0] == name)
      return attributes[1];
  return "";
}

static std::string_view withoutPrefix(std::string_view name) {
  return name.substr(name.find(':') + 1);
}

void Document::begin(const char *name, Attributes attributes) {
  opened(withoutPrefix(name), attributes);
  path.emplace_back(withoutPrefix(name));
  starts.push_back(content.size());
}

void Document::text(std::string_view piece) { content += piece; }

bool Document::end() {
  std::string name = std::move(path.back());
  size_t start = starts.back();
  path.pop_back();
  starts.pop_back();
  closed(name, std::string_view(content).substr(start));
  isWhole = path.empty();
  return true;
}

//===--- info.xml -------------------------------------------------------------===//

static std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

/// The name of the folder that it is in.
static std::string localeOf(std::string_view file) {
  size_t slash = file.rfind('/');
  std::string_view folder = slash == file.npos ? "" : file.substr(0, slash);
  return std::string(folder.substr(folder.rfind('/') + 1));
}

namespace {
class Info : public Document {
public:
  explicit Info(const std::string &set) : set(set) {}
  std::vector<Language> languages;

private:
  void opened(std::string_view name, Attributes attributes) override {
    if (name == "messageSet")
      isWanted = valueOf(attributes, "name") == set;
    if (name == "lang")
      isDefault = valueOf(attributes, "default") == "true";
  }
  void closed(std::string_view name, std::string_view text) override {
    if (name == "lang" && isIn("messageSet") && isWanted)
      languages.push_back({std::string(trimmed(text)), localeOf(trimmed(text)), isDefault});
  }

  const std::string &set;
  bool isWanted = false, isDefault = false;
};
} // namespace

std::vector<Language> messages::languagesOf(std::string_view info, const std::string &set,
                                            std::string &problem) {
  Info document(set);
  problem = document.read(info);
  return std::move(document.languages);
}

//===--- XLIFF ----------------------------------------------------------------===//

namespace {
class Xliff : public Document {
public:
  Texts texts;

private:
  void opened(std::string_view name, Attributes attributes) override {
    if (name != "trans-unit")
      return;
    message = valueOf(attributes, "resname");
    if (message.empty())
      message = valueOf(attributes, "id");
    source.reset();
    target.reset();
  }
  void closed(std::string_view name, std::string_view text) override {
    if (name == "source" && isIn("trans-unit"))
      source = text;
    if (name == "target" && isIn("trans-unit"))
      target = text;
    if (name == "trans-unit" && (target || source))
      texts.insert_or_assign(message, target ? *target : *source);
  }

  std::string message;
  std::optional<std::string> source, target;
};
} // namespace

Texts messages::textsOf(std::string_view xliff, std::string &problem) {
  Xliff document;
  problem = document.read(xliff);
  return std::move(document.texts);
}

//===--- the set --------------------------------------------------------------===//

/// The bytes of a file; nothing, and errno says why.
static std::optional<std::string> contentOf(const std::string &path) {
  FILE *file = fopen(path.c_str(), "rbe");
  if (!file)
    return std::nullopt;
  std::string content;
  char part[4096];
  for (size_t size; (size = fread(part, 1, sizeof part, file));)
    content.append(part, size);
  bool isRead = !ferror(file);
  int error = errno;
  fclose(file);
  errno = error;
  return isRead ? std::optional(std::move(content)) : std::nullopt;
}

MessageSet::MessageSet(std::string toolkit, const std::string &name) : dir(std::move(toolkit)) {
  std::string info = dir + "/info.xml";
  std::optional<std::string> content = contentOf(info);
  if (!content) {
    unusable = info + ": " + strerror(errno);
    return;
  }
  std::string problem;
  for (Language &language : languagesOf(*content, name, problem))
    files.push_back({std::move(language), std::nullopt, ""});
  if (!problem.empty())
    unusable = info + ": " + problem;
  else if (files.empty())
    unusable = info + ": it has no message set `" + name + "`";
  bool hasDefault = false;
  for (const File &file : files)
    hasDefault |= file.language.isDefault;
  if (!files.empty() && !hasDefault)
    files.front().language.isDefault = true;
}

/// Adds to `problem` if the file cannot be read.
const std::string *MessageSet::find(File &file, std::string_view message, std::string &problem) {
  if (!file.texts) {
    file.texts.emplace();
    std::string path = dir + "/impl/nl/" + file.language.file, wrong;
    if (std::optional<std::string> content = contentOf(path))
      *file.texts = textsOf(*content, wrong);
    else
      wrong = strerror(errno);
    if (!wrong.empty())
      file.problem = path + ": " + wrong;
  }
  if (problem.empty())
    problem = file.problem;
  auto found = file.texts->find(message);
  return found == file.texts->end() ? nullptr : &found->second;
}

Found MessageSet::find(const std::vector<std::string> &locales, std::string_view message) {
  std::string problem = unusable;
  if (!problem.empty())
    return {std::nullopt, problem};
  for (const std::string &locale : locales)
    for (File &file : files)
      if (file.language.locale == locale)
        if (const std::string *text = find(file, message, problem))
          return {*text, problem};
  for (File &file : files)
    if (file.language.isDefault)
      if (const std::string *text = find(file, message, problem))
        return {*text, problem};
  if (problem.empty())
    problem = "there is no message `" + std::string(message) + "` in the files of " + dir;
  return {std::nullopt, problem};
}
