//===- Inbox.h - what clients have sent, until it is submitted --*- C++ -*-===//
#pragma once
#include "stdlib/native/Params.h"
#include "toolkits/inet/server/Server.h"
#include <deque>
#include <mutex>
#include <string>

namespace sluice::inet {

struct Letter {
  uint32_t port = 0; // of the output
  std::string text, who;
  std::shared_ptr<const Asked> asked = nullptr; // a request
  int64_t number = 0;                           // of it, if it is answered later
  size_t size() const { return text.size() + (asked ? asked->body.size() : 0); }
};

/// The thread of a server puts letters in, a source takes them out.
class Inbox {
public:
  static constexpr size_t kMost = 1000, kMostBytes = 16 << 20;

  Inbox() = default;
  Inbox(const Inbox &) = delete;
  ~Inbox();
  /// Handler return values.
  int32_t open(Ctx *);
  /// False: there is no room, and it was not taken. `always`: it is taken all the same, as whoever
  /// sends it looks for room before the next one.
  bool put(Letter &&, bool always = false);
  bool hasRoom() const;
  /// False: it is empty. `wasFull`: there was no room until now.
  bool take(Letter &, bool *wasFull = nullptr);
  /// Waits for letters. 1: the program ends.
  int32_t await(Ctx *);
  /// Gives letters to `submit` until the program ends. Then it calls `end`, behind which no more
  /// may come, and submits the rest. Handler return values.
  template <typename Submit, typename End> int32_t submitAll(Ctx *ctx, Submit submit, End end) {
    bool ends = false;
    for (Letter letter;;) {
      if (take(letter)) {
        if (int32_t result = submit(letter))
          return result;
      } else if (ends) {
        return 0;
      } else if (await(ctx)) {
        ends = true;
        end();
      }
    }
  }

private:
  bool isFull() const { return letters.size() >= kMost || bytes >= kMostBytes; }

  int wakes = -1;
  mutable std::mutex lock; // guards what is below
  std::deque<Letter> letters;
  size_t bytes = 0;
};

} // namespace sluice::inet
