//===- Serve.h - what the console answers -----------------------*- C++ -*-===//
#pragma once
#include "toolkits/inet/server/Server.h"
#include "tools/console/Hub.h"
#include "tools/console/Options.h"
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <set>

namespace sluice::console {

/// The servers of the console. Answers are made by the server's own thread.
class Serving {
public:
  /// `tell`: sends a word to the job.
  Serving(const Options &, Hub &, std::function<void(const std::string &)> tell);
  /// Empty, or what is wrong.
  std::string begin();
  /// Lines that say where it can be seen.
  std::string where() const;
  void setEnded() { hasEnded.store(true, std::memory_order_relaxed); }
  /// Seconds since a page has asked for lines; a large number: none ever has.
  double sinceAsked() const;
  /// Nobody looks any more: ends the taps.
  void endTaps();

private:
  std::string serve(const Endpoint &, std::shared_ptr<inet::Server> &);
  std::string readToken();
  bool knows(const inet::Asked &) const;
  inet::Reply page() const;
  inet::Reply lines(const inet::Asked &);
  inet::Reply command(const inet::Asked &);
  inet::Reply tap(const std::string &body);
  inet::Reply metrics(const inet::Asked &) const;

  const Options &options;
  Hub &hub;
  std::function<void(const std::string &)> tell;
  std::string token;       // 256 bits, in hexadecimal digits
  std::mutex lock;         // guards `taps`
  std::set<uint32_t> taps; // ids of input ports whose tuples are shown
  std::shared_ptr<inet::Server> pages, numbers;
  std::atomic<bool> hasEnded{false}; // relaxed, both: a page sees it a little later
  std::atomic<int64_t> asked{0};     // ns; 0: never
};

} // namespace sluice::console
