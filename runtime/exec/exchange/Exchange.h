//===- Exchange.h - streams between jobs -------------------------*- C++ -*-===//
//
// A process that exports or imports listens at a socket of the registry (runtime/exchange). One
// thread answers there what the process offers, gives connections to the Exporter of a stream, and
// sends what waits for room in them.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include "runtime/exchange/Await.h"
#include "runtime/exchange/Channel.h"
#include "runtime/exchange/Messages.h"
#include "runtime/exchange/Registry.h"
#include <list>
#include <memory>

namespace sluice {

struct Program;
class Exporter;
class Importer;

class Exchange {
public:
  explicit Exchange(Program &);
  /// Ends the thread, and leaves the registry.
  ~Exchange();

  /// Before it starts.
  void add(Exporter &exporter) { exporters.push_back(&exporter); }
  void add(const Importer &importer) { importers.push_back(&importer); }
  /// Listens. What is wrong; empty: nothing.
  std::string start();

  const exchange::Registry &registry() const { return place; }
  const std::string &application() const { return name; }
  /// Something is to be sent, or an Exporter has ended. Any thread.
  void wake() { changed.raise(); }
  /// What an Exporter offers has changed: Importers are to ask again. Any thread.
  void offersChanged();

private:
  /// Somebody who has connected and not been answered.
  struct Guest {
    remote::Socket socket;
    exchange::Inbox inbox;
    exchange::Outbox outbox;
    int64_t since = 0; // ns
    bool isAnswered = false;
  };
  void run();
  void accept();
  /// False: this guest leaves.
  bool serve(Guest &);
  void answer(Guest &, std::string_view message);
  exchange::Report report() const;

  Program &p;
  const std::string name; // of the application
  exchange::Registry place;
  remote::Socket listener;
  std::vector<Exporter *> exporters; // by number of their offers
  std::vector<const Importer *> importers;
  std::list<Guest> guests;             // by the thread
  std::atomic<bool> isOffering{false}; // release, acquire: what is offered, and that it changed
  os::Event changed, ends;
  os::Thread thread;
};

/// That of the program, which is made when it is first asked for; null: nothing goes from job to
/// job (--exchange=off). By operators that open.
Exchange *exchangeOf(Program &);
/// Starts it, if there is one. 0, or -1 after a failure, which is told.
int32_t startExchange(Program &);

} // namespace sluice
