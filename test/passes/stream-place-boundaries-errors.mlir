// RUN: not sluice-opt %s --stream-find-loops --stream-analyze-order --stream-place-boundaries=boundaries=some 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: not sluice-opt %s --stream-analyze-order=merge-order=none 2>&1 | FileCheck %s --check-prefix=MERGE

// SOME: for the --boundaries option: Cannot find option named 'some'!
// MERGE: for the --merge-order option: Cannot find option named 'none'!
stream.graph @Main submissions = [] {
}
