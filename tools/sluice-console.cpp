//===- sluice-console.cpp - shows a program in a browser ------------------===//
//
// A process of its own, so that no request meets the program (tools/console/README.md).
//
//===----------------------------------------------------------------------===//
#include "runtime/base/os.h"
#include "runtime/base/process.h"
#include "tools/console/Feed.h"
#include "tools/console/Options.h"
#include "tools/console/Serve.h"
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>

using namespace sluice;
using namespace sluice::console;

static constexpr double kPatience = 3; // seconds in which pages may fetch the last lines

static int fail(const std::string &problem) {
  fprintf(stderr, "sluice-console: error: %s\n", problem.c_str());
  return 2;
}

static bool isAlive(int process) { return kill(process, 0) == 0 || errno == EPERM; }

/// Says where it is, to who has started it or to a terminal, and is then silent.
static void sayReady(const Options &options, const std::string &where) {
  fputs(where.c_str(), stdout);
  if (!options.stays)
    fputs("ready\n", stdout);
  fflush(stdout);
  if (options.stays)
    return;
  if (int nothing = open("/dev/null", O_RDWR | O_CLOEXEC); nothing >= 0)
    for (int fd : {1, 2}) // who waits for the end of these waits for the program only
      dup2(nothing, fd);
}

static std::string readTrace(const std::string &path, Hub &hub) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return "cannot read " + path;
  bool isFirst = true;
  for (std::string line; std::getline(file, line);) {
    if (file.eof())
      break; // it was cut off
    if (isFirst && !line.starts_with("{\"line\":\"header\""))
      return path + " is no trace";
    isFirst = false;
    hub.add(-1, line + "\n");
  }
  return isFirst ? path + " is no trace" : "";
}

/// Until the job and the pages have ended.
static void follow(const Options &options, Feed &feed, Hub &hub, Serving &serving,
                   const os::Event &stop) {
  int64_t goneSince = 0, askedAt = 0;
  while (!stop.raised()) {
    feed.take(os::kNanos / 10);
    if (serving.sinceAsked() > kPatience)
      serving.endTaps();
    if (int64_t now = os::now(); now - askedAt > os::kNanos && isAlive(options.job)) {
      askedAt = now;
      if (options.stays || hub.known()) // those that were started anew, too
        feed.ask();
    }
    bool isThere = hub.present() || isAlive(options.job);
    if (isThere) {
      goneSince = 0;
      continue;
    }
    goneSince = goneSince ? goneSince : os::now();
    serving.setEnded();
    double gone = double(os::now() - goneSince) * 1e-9;
    bool nobody = serving.sinceAsked() > kPatience;
    if (!options.stays && (nobody || (hub.isRead() && gone > 1) || gone > 3 * kPatience))
      return;
  }
}

int main(int argc, char **argv) {
  os::openStandardFiles();
  Options options;
  if (std::string problem = parseOptions(argc, argv, options); !problem.empty())
    return fail(problem);
  signal(SIGPIPE, SIG_IGN);
  os::Event stop;
  if (options.stays)
    os::catchSignals(&stop, /*says=*/false);
  else
    signal(SIGINT, SIG_IGN); // of the terminal: the job gets it, and says when it has ended
  Hub hub;
  Feed feed(hub);
  std::string problem = options.job ? feed.listen(options.job) : readTrace(options.trace, hub);
  if (!problem.empty())
    return fail(problem);
  Serving serving(options, hub, [&feed](const std::string &word) { feed.tell(word); });
  if (problem = serving.begin(); !problem.empty())
    return fail(problem);
  if (options.stays && options.job && !feed.ask())
    return fail("there is no job " + std::to_string(options.job) + ": `sluice jobs` lists them");
  sayReady(options, serving.where());
  if (options.job)
    follow(options, feed, hub, serving, stop);
  serving.setEnded();
  if (options.stays)
    stop.sleep(-1);
  return 0;
}
