//===- MessageSet.h - the message files of a toolkit ------------*- C++ -*-===//
//
// The info.xml of a toolkit says which message sets it has, and the file of each language:
//
//   <resources>
//     <messageSet name="Texts">
//       <lang default="true">en_US/Texts.xlf</lang>
//       <lang>de_DE/Texts.xlf</lang>
//
// The files lie in impl/nl of the toolkit. The folder that a file is in names its locale.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::messages {

/// Names of the messages of a file, and their texts.
using Texts = std::map<std::string, std::string, std::less<>>;

/// A file of a message set.
struct Language {
  std::string file, locale;
  bool isDefault;
};

/// A text, or why there is none.
struct Found {
  std::optional<std::string> text;
  std::string problem;
};

/// The files that an info.xml (its text) has for a message set, as it names them. Nothing where it
/// is not well-formed, and `problem` says why.
std::vector<Language> languagesOf(std::string_view info, const std::string &set,
                                  std::string &problem);

/// The messages of an XLIFF document: of each `trans-unit` with a `resname`, or else an `id`, its
/// `target`, or else its `source`. `problem` is empty if the document is well-formed.
Texts textsOf(std::string_view xliff, std::string &problem);

/// The messages of a toolkit under one name, in several languages. For one thread at a time.
class MessageSet {
public:
  /// Reads the info.xml in the folder of the toolkit.
  MessageSet(std::string dir, const std::string &name);

  /// The message in the first of the locales that has it, or else in the default language. Files
  /// are read when they are first asked.
  Found find(const std::vector<std::string> &locales, std::string_view message);

private:
  struct File {
    Language language;
    std::optional<Texts> texts; // once it is read
    std::string problem;        // why it cannot be
  };
  const std::string *find(File &, std::string_view message, std::string &problem);

  const std::string dir;
  std::vector<File> files;
  std::string unusable; // why there are none; empty: there are
};

} // namespace sluice::messages
