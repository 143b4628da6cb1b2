//===- MixedMode.cpp - SPL that Perl writes -----------------------------------===//
//
// The template becomes a script. Before each piece of its output the script writes the number of
// the piece's line in the template between two control characters, which no SPL text contains; so
// lines of the output can be led back to the template. `# line` directives do the same for what
// Perl complains about.
//
//===----------------------------------------------------------------------===//
#include "frontend/diagnostics/MixedMode.h"
#include "support/Processes.h"
#include "support/TemporaryFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace sluice;
using llvm::StringRef;

namespace {
constexpr char kBegin = '\1', kEnd = '\2'; // around the number of a line
constexpr unsigned kPatience = 60;         // seconds for one template

std::string quoted(StringRef text) {
  std::string result = "'";
  for (char c : text) {
    if (c == '\'' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + "'";
}

/// The script that a template means.
class Script {
public:
  Script(StringRef path) : path(path) {
    out = "BEGIN { sub _sluice_line { print \"\\x01$_[0]\\x02\" } }\n";
  }

  /// The error, or an empty text.
  std::string make(StringRef text) {
    while (!text.empty()) {
      size_t open = text.find("<%");
      plain(text.take_front(open));
      if (open == StringRef::npos)
        break;
      text = text.drop_front(open + 2);
      size_t close = text.find("%>");
      if (close == StringRef::npos)
        return "`<%` is not closed by `%>`";
      code(text.take_front(close));
      text = text.drop_front(close + 2);
    }
    return "";
  }

  std::string out;
  unsigned line = 1; // of the template

private:
  void plain(StringRef text) {
    while (!text.empty()) {
      size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
      StringRef piece = text.take_front(end);
      mark();
      out += "print " + quoted(piece) + ";\n";
      line += piece.ends_with("\n");
      text = text.drop_front(end);
    }
  }

  void code(StringRef text) {
    bool isValue = text.consume_front("=");
    mark();
    out += "# line " + std::to_string(line) + " \"" + path.str() + "\"\n";
    out += (isValue ? "print do {" + text + "};\n" : text + "\n").str();
    line += text.count('\n');
  }

  void mark() { out += "_sluice_line(" + std::to_string(line) + ");\n"; }

  StringRef path;
};

std::string textOf(const TemporaryFile &file) {
  auto buffer = llvm::MemoryBuffer::getFile(file.path());
  return buffer ? (*buffer)->getBuffer().str() : "";
}

/// Takes the numbers of lines out of what the script has written.
void separate(StringRef written, Expansion &result) {
  uint32_t line = 1;
  result.lines = {};
  bool atStart = true;
  for (size_t at = 0; at < written.size(); ++at) {
    if (written[at] == kBegin) {
      size_t end = written.find(kEnd, at);
      if (end != StringRef::npos && !written.slice(at + 1, end).getAsInteger(10, line)) {
        at = end;
        continue;
      }
    }
    if (std::exchange(atStart, written[at] == '\n'))
      result.lines.push_back(line);
    result.text += written[at];
  }
  result.lines.push_back(line); // the end of the text
}

/// "Something at FILE line 7." becomes what is wrong, and 7.
void readComplaint(StringRef path, StringRef said, Expansion &result) {
  StringRef first = said.split('\n').first;
  auto [what, where] = first.split((" at " + path + " line ").str());
  result.complaint = what.str();
  where.consumeInteger(10, result.complaintLine);
}
/// Lets Perl run the script of a template. What keeps it from starting is an error.
llvm::Error runPerl(StringRef script, StringRef path, llvm::ArrayRef<std::string> args,
                    Expansion &result) {
  auto perl = llvm::sys::findProgramByName("perl");
  if (!perl)
    return llvm::createStringError("files in mixed mode need Perl: install the package perl");
  std::vector<TemporaryFile> files; // the script, what it prints, what Perl says
  for (StringRef ending : {"pl", "spl", "txt"}) {
    auto file = TemporaryFile::make(ending);
    if (!file)
      return file.takeError();
    files.push_back(std::move(*file));
  }
  std::error_code error;
  llvm::raw_fd_ostream os(files[0].path(), error);
  os << script;
  os.close();
  if (error || (error = os.error())) {
    os.clear_error(); // else the destructor ends the program
    return llvm::createStringError("cannot write " + files[0].path() + ": " + error.message());
  }
  StringRef dir = llvm::sys::path::parent_path(path);
  std::string beside = ("-I" + (dir.empty() ? "." : dir)).str();
  std::vector<StringRef> command = {"perl", beside, files[0].path()};
  command.insert(command.end(), args.begin(), args.end());
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(files[1].path()),
                                          StringRef(files[2].path())};
  std::string why;
  int code = llvm::sys::ExecuteAndWait(*perl, command, std::nullopt, redirects, kPatience, 0, &why);
  separate(textOf(files[1]), result);
  result.failed = code != 0;
  if (std::string said = textOf(files[2]); !said.empty())
    readComplaint(path, said, result);
  else if (result.failed)
    result.complaint = code == -2    ? "Perl has not ended after 60 seconds"
                       : why.empty() ? "Perl ended with exit code " + std::to_string(code)
                                     : "Perl failed: " + whyNotStarted(why);
  return llvm::Error::success();
}
} // namespace

Expansion sluice::expandTemplate(StringRef path, StringRef text, llvm::ArrayRef<std::string> args) {
  Expansion result;
  Script script(path);
  result.complaint = script.make(text);
  if (!result.complaint.empty()) {
    result.complaintLine = script.line;
  } else if (llvm::Error error = runPerl(script.out, path, args, result)) {
    result.complaint = llvm::toString(std::move(error));
  } else {
    return result;
  }
  result.failed = true;
  return result;
}
