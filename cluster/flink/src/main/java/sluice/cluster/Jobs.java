package sluice.cluster;

import java.io.IOException;
import java.util.Set;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;

/** What runs on a cluster. */
final class Jobs {
  private static final Set<String> OVER = Set.of("FINISHED", "FAILED", "CANCELED");
  private static final int LOOK = 200; // ms

  private Jobs() {}

  /** Prints all jobs, with the PEs of those that run. */
  static int list(Options options) throws IOException, InterruptedException {
    Rest rest = new Rest(Rest.Address.parseAll(options.one("at")));
    JsonNode jobs = rest.get("/jobs/overview").path("jobs");
    if (jobs.isEmpty()) {
      System.out.println("no job was submitted");
    }
    for (JsonNode job : jobs) {
      String id = job.path("jid").asText();
      System.out.printf(
          "%s  %-10s %8.1f s  %s%s%n",
          id,
          job.path("state").asText(),
          job.path("duration").asLong() / 1000.0,
          job.path("name").asText(),
          checkpoint(rest, id));
      if (!OVER.contains(job.path("state").asText())) {
        printPes(rest, id);
      }
    }
    return 0;
  }

  private static String checkpoint(Rest rest, String id) throws IOException, InterruptedException {
    JsonNode checkpoints = rest.get("/jobs/" + id + "/checkpoints");
    JsonNode last = checkpoints.path("latest").path("completed");
    if (!last.path("id").isNumber()) {
      return "";
    }
    return String.format(
        "  checkpoint %d, %.1f KiB in %d ms; restored %d times",
        last.path("id").asLong(),
        last.path("state_size").asLong() / 1024.0,
        last.path("end_to_end_duration").asLong(),
        checkpoints.path("counts").path("restored").asLong());
  }

  private static void printPes(Rest rest, String id) throws IOException, InterruptedException {
    for (JsonNode vertex : rest.get("/jobs/" + id).path("vertices")) {
      String path = "/jobs/" + id + "/vertices/" + vertex.path("id").asText();
      JsonNode task = rest.get(path).path("subtasks").path(0);
      String name = vertex.path("name").asText();
      int pe = name.indexOf("PE ");
      System.out.printf(
          "    %-24s %-10s %s%n",
          task.path("endpoint").asText(task.path("host").asText("?")),
          task.path("status").asText(),
          pe < 0 ? name : name.substring(pe));
    }
  }

  /** Waits for the end of a job: its state then. */
  static String awaitEnd(Rest rest, String id) throws IOException, InterruptedException {
    String state;
    while (!OVER.contains(state = rest.get("/jobs/" + id).path("state").asText())) {
      Thread.sleep(LOOK);
    }
    return state;
  }

  /** The same. The exit code, behind a message if it has failed. */
  static int await(Rest rest, String id) throws IOException, InterruptedException {
    String state = awaitEnd(rest, id);
    if (state.equals("FINISHED")) {
      return 0;
    }
    String why =
        rest.get("/jobs/" + id + "/exceptions")
            .path("exceptionHistory")
            .path("entries")
            .path(0)
            .path("stacktrace")
            .asText();
    System.err.println("sluice: error: the job is " + state + reason(why));
    return 1;
  }

  /** The innermost cause. */
  static String reason(String stack) {
    String found = "";
    for (String line : stack.lines().toList()) {
      if (found.isEmpty() || line.startsWith("Caused by: ")) {
        found = line.replaceFirst("^Caused by: ", "");
      }
    }
    return found.isEmpty() ? "" : ": " + found.replaceFirst("^java\\.[a-zA-Z.]*Exception: ", "");
  }
}
