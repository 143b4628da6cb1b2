//===- Client.h - a connection to a broker of MQTT --------------*- C++ -*-===//
//
// libmosquitto without threads of its own: step() does what there is to do and does not wait, but
// for a name server. Callbacks come from step(). By one thread at a time.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/metrics.h"
#include "stdlib/native/Params.h"
#include "stdlib/native/connect/Retry.h"
#include "stdlib/native/net/Endpoint.h"
#include "toolkits/mqtt/native/Library.h"
#include "toolkits/mqtt/native/Place.h"

namespace sluice::mqtt {

/// The attribute that a parameter names; without it the only one, or that which is called `name`.
/// Null: there is none.
const Field *attributeOf(const ParamOp &, const TypeDesc &, const char *parameter,
                         const char *name);
/// rstring and blob.
bool isData(const Field &);
/// The parts of texts with commas between them.
std::vector<std::string> listOf(const Param *);

class Client {
public:
  /// What the operator does.
  struct Owner {
    virtual void connected() {}
    virtual void arrived(const mosquitto_message &) {}
    virtual void confirmed(int id) { (void)id; }
    /// An error for the error port; it was warned of.
    virtual void failed(const std::string &) = 0;

  protected:
    ~Owner() = default;
  };

  explicit Client(Owner &owner) : owner(owner) {}
  Client(const Client &) = delete;
  ~Client();
  /// Reads the parameters that both operators have. Handler return values.
  int32_t open(ParamOp &);
  /// Leaves the broker and goes to another, if `changes` (Place::kNames) say so: with a new handle,
  /// which has no messages. Outside of callbacks. What is wrong, and it stays; or empty.
  std::string move(const Properties &changes, bool &hasMoved);
  /// Where it was moved to; without the password of a key. restore() comes before open().
  void save(Saver &) const;
  void restore(const Loader &);
  /// Does what there is to do; any thread. False: it gives up, as problem() says.
  bool step();
  bool isConnected() const { return state == State::Connected; }
  const std::string &problem() const { return lastProblem; }
  /// Can be read when there is something to do, at the latest after a tenth of a second.
  int descriptor();
  /// There are bytes that were not sent.
  bool wantsToWrite() const { return isConnected() && lib->mosquitto_want_write(handle); }
  /// Ends the connection in order. With answersLater, while the broker has not heard of a message,
  /// ~Client() breaks it off.
  void close();
  const std::string &keyPassword() { return settings["keyStorePassword"]; }

  /// Before open(): the broker hears of a message by the next step, and not before arrived().
  bool answersLater = false;
  const Library *lib = nullptr;
  mosquitto *handle = nullptr;
  std::string shown; // host:port, for messages

private:
  enum class State { Idle, Probing, Connecting, Connected, Ended };

  int32_t readLogin();
  std::string use(const Properties &);
  std::string useTls(mosquitto *, const Place &) const;
  void leave();
  void setCallbacks();
  void begin();
  void probe();
  void converse();
  void lost(const std::string &why, bool isHopeless = false);
  void answered(int code);

  Owner &owner;
  ParamOp *op = nullptr;
  Ctx *home = nullptr; // for any thread
  State state = State::Idle;
  Properties settings;   // by Place::kNames
  bool wasMoved = false; // they are no longer what the parameters say
  Place place;
  std::string user, password;
  net::Socket attempt; // that only sees whether the broker is there
  int keepAlive = 60;
  int64_t due = 0, deadline = 0; // of the next attempt; of the present one
  size_t attempts = 0;
  int64_t failures = 0, bound = -1; // since it was connected; the most of them, or any number
  Backoff backoff;
  Warnings warnings;
  std::string lastProblem, lastLog;
  int waits = -1, timer = -1, watched = -1; // epoll, timerfd, and what else it waits for
  Metric *isConnectedMetric = nullptr, *lostMetric = nullptr;
};

} // namespace sluice::mqtt
