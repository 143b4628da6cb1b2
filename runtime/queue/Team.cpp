//===- Team.cpp - which team a build uses ---------------------------------===//
#ifdef SLUICE_OPENMP
#include "runtime/queue/OpenMPTeam.h"
#else
#include "runtime/queue/ThreadTeam.h"
#endif

using namespace sluice;

#ifdef SLUICE_OPENMP
std::unique_ptr<queue::Team> queue::makeTeam() { return std::make_unique<OpenMPTeam>(); }
#else
std::unique_ptr<queue::Team> queue::makeTeam() { return std::make_unique<ThreadTeam>(); }
void queue::limitOwnRegions(uint32_t) {} // there is no OpenMP to limit
#endif
