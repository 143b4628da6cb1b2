// RUN: not sluice-opt %s --stream-find-loops --stream-analyze-order --stream-form-segments=boundaries=all 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: not sluice-opt %s --stream-find-loops --stream-analyze-order --stream-form-segments=boundaries=some 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: not sluice-opt %s --stream-analyze-order=merge-order=none 2>&1 | FileCheck %s --check-prefix=MERGE

// ALL: not supported yet: boundaries all
// SOME: unknown choice of boundaries some
// MERGE: unknown merge order 'none'
stream.graph @Main submissions = [] {
}
