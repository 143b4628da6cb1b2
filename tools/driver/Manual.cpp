//===- Manual.cpp - the manual page ---------------------------------------===//
#include "tools/driver/OptionTable.h"
#include "tools/driver/Reference.h"
#include "llvm/ADT/StringExtras.h"

using namespace sluice::driver;
using llvm::StringRef;

static const char *const kBehind = R"(.SH EXIT STATUS
.TP
.B 0
success
.TP
.B 1
an error in the program or in its input
.TP
.B 2
wrong usage
.TP
.B 70
a bug in Sluice
.TP
.B 141
a running program prints to a pipe that has been closed
.PP
.B sluice run
ends with the exit code of the program.
.SH ENVIRONMENT
.BR SLUICE_ELASTIC ,
.B SLUICE_THREADS
and
.B SLUICE_QUEUES
stand for the options of these names; the command line wins.
.PP
.B SLUICE_TOOLKITS
and
.B STREAMS_SPLPATH
list toolkits, behind those of
.BR \-t .
.B SLUICE_CACHE
is where the objects of C++ code of toolkits are kept (by default
.IR ~/.cache/sluice ).
.B SLUICE_APP_CONFIG
is the folder of application configurations (by default
.IR ~/.config/sluice/app-config ).
Sockets of programs are in
.BR XDG_RUNTIME_DIR ,
else in
.BR TMPDIR .
.SH SEE ALSO
The documentation in
.IR PREFIX/share/doc/sluice .
)";

/// Text in which troff finds nothing to do.
static std::string plain(StringRef text) {
  std::string result;
  for (char c : text) {
    if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n'))
      result += "\\&";
    result += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  }
  return result;
}

/// Paragraphs are filled; lines that begin with spaces are examples, and stay.
static void printDetails(StringRef text, llvm::raw_ostream &os) {
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  bool example = false;
  os << ".PP\n";
  for (StringRef line : lines) {
    if (line.starts_with("  ") != example)
      os << ((example = !example) ? ".PP\n.nf\n" : ".fi\n.PP\n");
    if (!line.empty())
      os << plain(line) << "\n";
  }
  os << (example ? ".fi\n" : "");
}

void sluice::driver::printManual(llvm::raw_ostream &os) {
  os << ".TH SLUICE 1 \"\" \"sluice " SLUICE_VERSION "\" \"User Commands\"\n"
     << ".SH NAME\nsluice \\- compile and run SPL, the Streams Processing Language\n"
     << ".SH SYNOPSIS\n.B sluice\n.I COMMAND\n.RI [ OPTION ]...\n"
     << ".SH DESCRIPTION\nSluice compiles SPL to native code for x86\\-64 and ppc64le, and runs "
        "it.\n.SH COMMANDS\n";
  for (const CommandInfo &command : installedCommands()) {
    os << ".SS sluice " << plain(command.name) << " " << plain(command.usage) << "\n"
       << plain(command.summary) << "\n";
    if (command.details)
      printDetails(command.details, os);
    for (const OptionInfo &option : optionTable())
      if (isOf(option, command.command))
        os << ".TP\n.B " << plain(headOf(option)) << "\n" << plain(option.help) << "\n";
  }
  os << kBehind;
}

bool sluice::driver::printReference(StringRef option) {
  if (option.consume_front("--completion="))
    return printCompletion(option, llvm::outs());
  if (option != "--man")
    return false;
  printManual(llvm::outs());
  return true;
}
