//===- Drawing.h - the graph as a drawing -----------------------*- C++ -*-===//
//
// Three steps: what is drawn (Content.cpp), where (Placement.cpp), and the SVG (Svg.cpp). Streams
// go downwards. Lengths are in pixels; y grows downwards.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "ir/Stream.h"
#include "passes/print/Layers.h"
#include <optional>
#include <string>

namespace sluice::drawing {

//===--- what is drawn ------------------------------------------------------===//

/// The stream of an output port.
struct Label {
  std::string name;
  std::string attributes, all; // what there is room for; all of them
  std::string whole;           // for who asks
};

/// An operator: a row of the box of its segment.
struct Row {
  std::string name, kind, whole;
  bool source = false;
  unsigned depth = 0; // how far it stands to the right: more than one operator is called
  int caller = -1;    // the row that calls it
  Label stream;       // on which it is called
};

/// An output port whose stream leaves the segment.
struct Exit {
  unsigned row;
  Label stream;
  bool ordered;
};

/// An input port that heads the segment.
struct Entry {
  std::optional<stream::Boundary> boundary; // none before phase placed
  std::string number;                       // of the port, if there are several
  std::string split;                        // how the stream enters a region
  std::string whole;
};

/// A segment: its head, and the operators that it calls.
struct Box {
  int enclosure; // the innermost, or -1
  std::string title;
  std::vector<Row> rows;
  std::vector<Exit> exits;
  std::vector<Entry> entries;
};

/// Around boxes and other enclosures.
struct Enclosure {
  int parent; // -1: none
  std::string title, style;
};

struct Wire {
  uint32_t from, exit, to, entry;
  bool back; // closes a cycle of streams
  bool link; // leads to another PE
  bool call; // to where streams of the segment meet: a call for each tuple
  std::string whole;
};

struct Content {
  std::string title;
  std::vector<Box> boxes;
  std::vector<Enclosure> enclosures; // outer ones first
  std::vector<Wire> wires;
};
Content contentOf(stream::GraphOp);

//===--- where it is drawn --------------------------------------------------===//

struct Point {
  double x, y;
};
struct Rect {
  double x, y, width, height;
};

struct PlacedBox {
  Rect rect;
  std::vector<Rect> rows;
  std::vector<Point> exits, entries; // where the wires of a port begin and end
  std::vector<double> sides; // by exit: the height at which it leaves a row at the right; 0: below
};

/// A part of a wire that goes straight down.
struct Run {
  double x, top, bottom;
};
/// Curves lead from each run to the next.
struct PlacedWire {
  std::vector<Run> runs;
  size_t up = 0; // the run before which it leads back up, at the x of `lane`; 0: it does not
  double lane = 0;
};

struct Placement {
  double width = 0, height = 0;
  std::vector<PlacedBox> boxes;
  std::vector<Rect> enclosures;
  std::vector<PlacedWire> wires;
};
/// Where there is more room than a label asks for, it gets more of its attributes.
Placement place(Content &);

void printSvg(const Content &, const Placement &, llvm::raw_ostream &);

} // namespace sluice::drawing
