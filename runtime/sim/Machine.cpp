//===- Machine.cpp - what the simulated machine is like --------------------===//
#include "runtime/sim/Machine.h"
#include "runtime/base/os.h"
#include <charconv>
#include <cmath>

namespace sluice::sim {

double Machine::slowdown(double running) const {
  double each = running / cores; // on a core; threads are spread evenly
  if (each <= 1)
    return 1;
  double on = std::fmin(each, smt);
  double gain = smt > 1 ? 1 + (smtGain - 1) * std::log2(on) / std::log2(smt) : 1;
  return each / gain;
}

std::vector<Machine> machines() {
  Machine small, xeon;
  xeon.name = "xeon88";
  xeon.cores = 88;
  xeon.cacheBytes = 220e6;
  xeon.memoryBytesPerNano = 200;
  Machine threads = xeon;
  threads.name = "xeon176";
  threads.smt = 2;
  threads.smtGain = 1.3;
  Machine power = xeon;
  power.name = "power184";
  power.cores = 23;
  power.smt = 8;
  power.smtGain = 2.2;
  power.cacheBytes = 184e6;
  power.memoryBytesPerNano = 230;
  return {small, xeon, threads, power};
}

namespace {

struct Field {
  const char *name;
  double Machine::*value;
  double least;
  const char *about;
};
const Field kFields[] = {
    {"cores", &Machine::cores, 1, "cores"},
    {"smt", &Machine::smt, 1, "hardware threads of a core"},
    {"smtGain", &Machine::smtGain, 1, "what a core does with all of them, against one"},
    {"cacheBytes", &Machine::cacheBytes, 0, "last level, all sockets"},
    {"memoryBytesPerNano", &Machine::memoryBytesPerNano, 0.001, "bandwidth of the memory, GB/s"},
    {"flopNanos", &Machine::flopNanos, 0, "one of a chain of dependent operations"},
    {"directNanos", &Machine::directNanos, 0, "a boundary that is a call"},
    {"queueNanos", &Machine::queueNanos, 0, "a batch through a ring, in one cache"},
    {"lineNanos", &Machine::lineNanos, 0, "a cache line from another core"},
    {"touchByteNanos", &Machine::touchByteNanos, 0, "a byte from another core, in blocks"},
    {"copyByteNanos", &Machine::copyByteNanos, 0, "a byte copied in the cache"},
    {"missByteNanos", &Machine::missByteNanos, 0, "a byte copied out of the cache"},
    {"wakeNanos", &Machine::wakeNanos, 0, "until a sleeping thread runs"},
    {"wakerNanos", &Machine::wakerNanos, 0, "for the one who wakes it"},
};

std::string_view trimmed(std::string_view text) {
  size_t first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  return first == text.npos ? std::string_view() : text.substr(first, last - first + 1);
}

} // namespace

std::string describe(const Machine &machine) {
  std::string result =
      "# A machine for sluice-sim --machine FILE. Times are nanoseconds.\nname = " + machine.name +
      "\n";
  for (const Field &field : kFields) {
    char number[32];
    auto end = std::to_chars(number, number + sizeof number, machine.*field.value,
                             std::chars_format::general, 4)
                   .ptr;
    result +=
        std::string(field.name) + " = " + std::string(number, end) + "  # " + field.about + "\n";
  }
  return result;
}

bool parseMachine(std::string_view text, std::string_view file, Machine &machine,
                  std::string &error) {
  int number = 0;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line =
        trimmed(text.substr(begin, std::min(text.find('#', begin), end) - begin));
    begin = end + 1;
    ++number;
    if (line.empty())
      continue;
    std::string where = std::string(file) + ":" + std::to_string(number) + ": ";
    size_t equals = line.find('=');
    if (equals == line.npos) {
      error = where + "`" + std::string(line) + "` is not of the form NAME = VALUE";
      return false;
    }
    std::string_view name = trimmed(line.substr(0, equals)),
                     value = trimmed(line.substr(equals + 1));
    if (name == "name") {
      machine.name = value;
      continue;
    }
    const Field *found = nullptr;
    for (const Field &field : kFields)
      if (name == field.name)
        found = &field;
    double parsed = 0;
    auto [p, bad] = std::from_chars(value.data(), value.data() + value.size(), parsed);
    if (!found || bad != std::errc() || p != value.data() + value.size() ||
        !(parsed >= found->least) || parsed > 1e15) {
      error = where +
              (found ? "`" + std::string(value) + "` is no value for `" + std::string(name) + "`"
                     : "a machine has no `" + std::string(name) + "`");
      return false;
    }
    machine.*(found->value) = parsed;
  }
  if (machine.cores * machine.smt > 4096) {
    error = std::string(file) + ": more than 4096 hardware threads";
    return false;
  }
  return true;
}

static int readAll(const std::string &path, std::string &text) {
  int fd = os::openFile(path.c_str(), os::Open::Read);
  if (fd < 0)
    return fd;
  char buffer[4096];
  int64_t count;
  while ((count = os::readFile(fd, buffer, sizeof buffer)) > 0 && text.size() < 1 << 20)
    text.append(buffer, size_t(count));
  os::closeFile(fd);
  return int(count < 0 ? count : 0);
}

bool findMachine(std::string_view name, Machine &machine, std::string &error) {
  std::string known;
  for (const Machine &each : machines()) {
    if (each.name == name) {
      machine = each;
      return true;
    }
    known += (known.empty() ? "" : ", ") + each.name;
  }
  std::string text, path(name);
  if (int code = readAll(path, text); code < 0) {
    error = "`" + path + "` is neither a machine (" + known +
            ") nor a file that can be read: " + os::errorText(-code);
    return false;
  }
  machine = Machine();
  machine.name = path;
  return parseMachine(text, path, machine, error);
}

//===--- runtimes ---------------------------------------------------------------===//

/// Batches move by reference. What the other side reads crosses the cores; the payload stays.
static Runtime sluice(const Machine &m, double payload) {
  constexpr double kRead = 16; // bytes of a row that an operator reads
  Runtime r;
  r.name = "sluice";
  r.rowNanos = 1;
  r.batchNanos = m.directNanos;
  r.sharedBatchNanos = m.lineNanos;
  r.enqueueBatchNanos = m.queueNanos / 2 + m.lineNanos / 2;
  r.dequeueBatchNanos = m.queueNanos / 2 + m.lineNanos;
  r.dequeueRowNanos = kRead * m.touchByteNanos;
  r.sourceRowNanos = 1 + payload * m.copyByteNanos;
  r.batchRows = std::fmax(1, std::fmin(1024, std::floor(16384 / std::fmax(payload, 16))));
  r.ringBatches = 16;
  r.quantumRows = 64 * r.batchRows;
  r.quantumNanos = 200'000;
  r.helpRows = 16 * r.batchRows;
  r.findNanos = 100;
  r.spinNanos = r.wakeNanos = m.wakeNanos;
  r.wakerNanos = m.wakerNanos;
  return r;
}

/// IBM's runtime: a tuple at a time, an atomic flag on every hop, a deep copy into each queue.
static Runtime copying(const Machine &m, double payload) {
  Runtime r;
  r.name = "copying";
  r.copies = true;
  r.rowNanos = 68;
  r.sharedRowNanos = 60;
  r.enqueueRowNanos = 60 + 20; // flag, tail and head in one line; a tuple's small parts
  r.dequeueRowNanos = 60;
  r.sourceRowNanos = 68 + payload * m.copyByteNanos;
  r.copyBytes = payload;
  r.copyByteNanos = m.copyByteNanos;
  r.missByteNanos = m.missByteNanos;
  r.batchRows = 200; // of one event of the engine; the runtime has no batches
  r.ringRows = 1000;
  r.quantumRows = 1000;
  r.helpRows = 250;
  r.findNanos = 200;
  r.scanNanos = 100;
  r.wakes = false;
  return r;
}

bool makeRuntime(std::string_view name, const Machine &machine, double payload, Runtime &runtime) {
  if (name == "sluice")
    runtime = sluice(machine, payload);
  else if (name == "copying")
    runtime = copying(machine, payload);
  else
    return false;
  return true;
}

} // namespace sluice::sim
