//===- KeptConnection.h - a connection that outlives the process -*- C++ -*-===//
//
// Where a launcher starts the program again, and what the source brings is logged, the launcher
// holds the socket, too, and memory with what was read of it. So the next process goes on behind
// the last row that is in the log: no byte is lost that the system had acknowledged.
//
// Bytes are read straight into that memory, where byte N of the connection has its place. How many
// were read is what the system says of the socket, so a process may die at any moment. Before a
// batch is logged the memory gets the row behind which its frame ends.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/job/KeptFiles.h"
#include "runtime/exec/spool/Spool.h"
#include "runtime/remote/carrier/SharedMemory.h"
#include "stdlib/native/csv/RowReader.h"
#include "stdlib/native/net/Endpoint.h"

namespace sluice {

/// By the thread of the source. The functions that return int: 0, or a negative errno.
class KeptConnection final : Spool::Watcher {
public:
  ~KeptConnection();
  /// Whether the launcher of the operator holds its sockets. What it holds is found while operators
  /// are opened.
  bool open(const ParamOp &);
  /// The listener of an earlier process, if there is one.
  net::Socket findListener();
  int keepListener(const net::Socket &);
  void dropListener();

  /// Begins with a connection that was just made, between these two.
  int begin(const net::Socket &, const net::Numbers &local, const net::Numbers &remote);
  /// Lost: there is one, but it cannot be said what of it is in the log.
  enum class Found { None, Connection, Lost };
  /// Goes on with the one of an earlier process.
  Found resume(net::Socket &to, net::Numbers &local, net::Numbers &remote);
  /// Behind which row it goes on, and how many tuples are in the log.
  const RowReader::Progress &progress() const { return reached; }
  uint64_t tuples() const { return logged; }
  /// Its end is in the log as well.
  bool hasEnded() const { return ended; }

  /// The bytes that follow, until the next call: how many; 0: it has ended; or a negative errno.
  int64_t read(const net::Socket &, std::string_view &piece);
  /// All rows that came before were submitted. Outside of all submissions.
  void reach(const RowReader::Progress &);
  /// What is logged from now on is the end of the connection.
  void end() { ended = true; }
  /// The launcher lets it go.
  void drop();

private:
  struct Memory;
  Memory &memory();
  void willLog(uint64_t frame, uint32_t port, uint32_t rows) override;
  void note(uint64_t frame);
  bool find(const net::Socket &);
  int mapWindow();
  void forget();

  KeptFiles *files = nullptr;
  Spool *spool = nullptr;
  std::string name;
  std::vector<net::Socket> earlier; // the connection of an earlier process, and its memory
  net::Socket file;                 // the memory: what Memory says, and then the bytes
  remote::Mapping head, window;
  uint64_t windowBegin = 0, forgotten = 0; // positions in the connection
  uint64_t at = 0, filled = 0; // the next byte for read(), and the end of what is in the memory
  uint64_t logged = 0;         // tuples of the connection
  uint64_t noted = 0;          // the last frame that the memory knows
  RowReader::Progress reached; // with no more tuples than `logged`
  std::optional<RowReader::Progress> next; // a later one
  bool ended = false, isReset = false;
};

} // namespace sluice
