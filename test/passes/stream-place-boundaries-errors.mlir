// RUN: not sluice-opt %s --stream-find-loops --stream-analyze-order --stream-place-boundaries=boundaries=some 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: not sluice-opt %s --stream-analyze-order=merge-order=none 2>&1 | FileCheck %s --check-prefix=MERGE

// SOME: unknown choice of boundaries 'some': write none, auto or all
// MERGE: unknown merge order 'none'
stream.graph @Main submissions = [] {
}
