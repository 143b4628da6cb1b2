//===- omptlog.cpp - an OMPT tool that writes down a parallel region ------===//
//
// test/e2e/openmp.py names it in OMP_TOOL_LIBRARIES. A line of the file SLUICE_OMPT_LOG for each
// region ("region SIZE") and for each thread of it ("thread NUMBER SIZE CPU..."): the processors
// that the thread may use.
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <cstdlib>
#include <omp-tools.h>
#include <sched.h>
#include <string>

static void writeLine(const std::string &line) {
  if (FILE *file = fopen(getenv("SLUICE_OMPT_LOG"), "ae")) { // one write: lines stay whole
    fputs(line.c_str(), file);
    fclose(file);
  }
}

static void onRegion(ompt_data_t *, const ompt_frame_t *, ompt_data_t *, unsigned size, int,
                     const void *) {
  writeLine("region " + std::to_string(size) + "\n");
}

static void onTask(ompt_scope_endpoint_t endpoint, ompt_data_t *, ompt_data_t *, unsigned size,
                   unsigned number, int flags) {
  if (endpoint != ompt_scope_begin || !(flags & ompt_task_implicit))
    return;
  std::string line = "thread " + std::to_string(number) + " " + std::to_string(size);
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &set))
        line += " " + std::to_string(cpu);
  writeLine(line + "\n");
}

static int initialize(ompt_function_lookup_t lookup, int, ompt_data_t *) {
  auto set = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
  set(ompt_callback_parallel_begin, reinterpret_cast<ompt_callback_t>(&onRegion));
  set(ompt_callback_implicit_task, reinterpret_cast<ompt_callback_t>(&onTask));
  return 1;
}

static void finalize(ompt_data_t *) {}

extern "C" ompt_start_tool_result_t *ompt_start_tool(unsigned, const char *) {
  static ompt_start_tool_result_t result = {&initialize, &finalize, {0}};
  return &result;
}
