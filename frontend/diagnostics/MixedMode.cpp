//===- MixedMode.cpp - SPL that Perl writes -----------------------------------===//
//
// The template becomes a script. Before each piece of its output the script writes the number of
// the piece's line in the template between two control characters, which no SPL text contains; so
// lines of the output can be led back to the template. `# line` directives do the same for what
// Perl complains about.
//
//===----------------------------------------------------------------------===//
#include "frontend/diagnostics/MixedMode.h"
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

/// A file that is removed when it is not needed any more.
struct Temporary {
  llvm::SmallString<128> path;
  explicit Temporary(StringRef ending) {
    if (llvm::sys::fs::createTemporaryFile("sluice", ending, path))
      path.clear();
  }
  ~Temporary() {
    if (!path.empty())
      llvm::sys::fs::remove(path);
  }
  std::string text() const {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "";
  }
};

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
} // namespace

Expansion sluice::expandTemplate(StringRef path, StringRef text, llvm::ArrayRef<std::string> args) {
  Expansion result;
  Script script(path);
  std::string wrong = script.make(text);
  auto perl = llvm::sys::findProgramByName("perl");
  if (wrong.empty() && !perl)
    wrong = "files in mixed mode need Perl: install the package perl";
  if (!wrong.empty()) {
    result.failed = true;
    result.complaint = wrong;
    result.complaintLine = script.line;
    return result;
  }
  Temporary program("pl"), output("spl"), errors("txt");
  std::error_code error;
  llvm::raw_fd_ostream(program.path, error) << script.out;
  StringRef dir = llvm::sys::path::parent_path(path);
  std::string beside = ("-I" + (dir.empty() ? "." : dir)).str();
  std::vector<StringRef> command = {"perl", beside, program.path};
  command.insert(command.end(), args.begin(), args.end());
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(output.path),
                                          StringRef(errors.path)};
  std::string why;
  int code = llvm::sys::ExecuteAndWait(*perl, command, std::nullopt, redirects, kPatience, 0, &why);
  separate(output.text(), result);
  result.failed = code != 0;
  if (std::string said = errors.text(); !said.empty())
    readComplaint(path, said, result);
  else if (result.failed)
    result.complaint = code == -2 ? "Perl has not ended after 60 seconds" : "Perl failed " + why;
  return result;
}
