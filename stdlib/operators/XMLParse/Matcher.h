//===- Matcher.h - tuples out of the events of a document -------*- C++ -*-===//
//
// The paths of all rules make a tree, in which the matcher goes down and up as elements begin and
// end. An element that is no step of a path is passed with all that is in it. So a port makes one
// tuple at a time, and the document is not kept.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "stdlib/operators/XMLParse/Path.h"
#include "stdlib/operators/XMLParse/Slot.h"
#include <functional>
#include <span>

namespace sluice::xml {

/// What to take at a path from the root of the document, and where it belongs in the tuple of a
/// port: by the positions of attributes; of a list, 0 is the element that is being made.
struct Rule {
  uint32_t port;
  std::vector<uint32_t> at;
  std::vector<std::string> steps;
  Take take;
  std::string name; // of an attribute
};

class Matcher {
public:
  struct Options {
    bool ignoreCase = false, ignoreNamespaces = false, nullify = false;
  };

  /// `types`: of the tuples of the output ports.
  Matcher(std::span<const TypeDesc *const> types, Options);
  ~Matcher();
  Matcher(const Matcher &) = delete;
  Matcher &operator=(const Matcher &) = delete;

  /// All but those of the input.
  void add(const Rule &);

  /// An element begins. `attributes`: names and values by turns, then null.
  void begin(const char *name, const char *const *attributes);
  void text(std::string_view);
  /// The element ends. False: `complete` said so.
  bool end();
  /// The next document begins.
  void reset();

  /// The tuple of a port is complete; false: stop.
  std::function<bool(uint32_t port)> complete;
  /// A text is no value of the slot's type.
  std::function<void(uint32_t port, const Slot &, std::string_view text)> bad;

  /// In `complete`: writes the tuple to bytes that are zero. It is there until `complete` returns.
  void put(uint32_t port, void *to);

private:
  struct Target {
    uint32_t port;
    Slot *slot;
    std::string name; // of the attribute
  };
  struct Node {
    std::string name;
    std::vector<std::unique_ptr<Node>> children;
    std::vector<uint32_t> triggers;
    std::vector<Target> elements, texts, attributes, maps; // maps: all attributes
  };
  struct Port {
    explicit Port(const TypeDesc *type) : root("", type) {}
    ~Port() { arenaFree(&arena); }
    void clear();
    Slot root;
    Arena arena = {};
  };

  bool same(std::string_view, std::string_view) const;
  std::string_view nameOf(const char *name) const {
    return localName(name, options.ignoreNamespaces);
  }
  Node *child(Node &, std::string_view name) const;
  Slot &slotOf(const Rule &);
  void set(const Target &, std::string_view value);
  void setAttribute(const Target &, const char *const *attributes);

  Options options;
  std::vector<std::unique_ptr<Port>> ports;
  Node root;
  std::vector<Node *> open;         // from the root to the element at hand
  std::vector<CountedString> texts; // of these, as far as they are wanted
  uint64_t passed = 0;              // elements inside them that are no steps of a path
};

} // namespace sluice::xml
