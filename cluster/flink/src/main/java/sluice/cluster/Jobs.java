package sluice.cluster;

import java.io.File;
import java.io.IOException;
import java.util.Set;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;

/** What runs on a cluster, and its end. */
final class Jobs {
  private static final Set<String> OVER = Set.of("FINISHED", "FAILED", "CANCELED");
  private static final int LOOK = 200; // ms
  /** What Flink answers while a job starts, or starts again after a failure. */
  private static final String STARTING = "Not all required tasks are currently running";

  private static final long STARTING_NANOS = 60_000_000_000L;

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

  /** Waits for the end of a job. The exit code. */
  static int await(Rest rest, String id) throws IOException, InterruptedException {
    String state;
    while (!OVER.contains(state = rest.get("/jobs/" + id).path("state").asText())) {
      Thread.sleep(LOOK);
    }
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
  private static String reason(String stack) {
    String found = "";
    for (String line : stack.lines().toList()) {
      if (found.isEmpty() || line.startsWith("Caused by: ")) {
        found = line.replaceFirst("^Caused by: ", "");
      }
    }
    return found.isEmpty() ? "" : ": " + found.replaceFirst("^java\\.[a-zA-Z.]*Exception: ", "");
  }

  /**
   * Ends a job; with --savepoint behind a checkpoint in that folder, whose name is printed. A job
   * that starts again after a failure is waited for.
   */
  static int stop(Options options) throws IOException, InterruptedException {
    Rest rest = new Rest(Rest.Address.parseAll(options.one("at")));
    String id = options.words.get(0);
    if (!options.has("savepoint")) {
      rest.send("PATCH", "/jobs/" + id + "?mode=cancel", "");
      while (!OVER.contains(rest.get("/jobs/" + id).path("state").asText())) {
        Thread.sleep(LOOK);
      }
      return 0;
    }
    if (!rest.get("/jobs/" + id + "/checkpoints/config").path("interval").canConvertToLong()
        || rest.get("/jobs/" + id + "/checkpoints/config").path("interval").asLong()
            == Long.MAX_VALUE) {
      throw new UsageException(
          "the job was submitted without checkpoints (--checkpoint-every): it cannot be saved");
    }
    String folder = new File(options.one("savepoint")).getAbsoluteFile().toURI().toString();
    JsonNode saved = stopWithSavepoint(rest, id, folder);
    for (long end = System.nanoTime() + STARTING_NANOS;
        whyNot(saved).contains(STARTING) && System.nanoTime() < end; ) {
      Thread.sleep(LOOK);
      saved = stopWithSavepoint(rest, id, folder);
    }
    if (!saved.path("location").isTextual()) {
      throw new UsageException(
          "no savepoint was made, and the job goes on" + reason(whyNot(saved)));
    }
    System.out.println(saved.path("location").asText());
    return 0;
  }

  private static String whyNot(JsonNode operation) {
    return operation.path("failure-cause").path("stack-trace").asText();
  }

  /** Asks once for a savepoint and an end: what Flink says of it then. */
  private static JsonNode stopWithSavepoint(Rest rest, String id, String folder)
      throws IOException, InterruptedException {
    String request =
        rest.send(
                "POST",
                "/jobs/" + id + "/stop",
                "{\"drain\":false,\"targetDirectory\":" + Rest.quoted(folder) + "}")
            .path("request-id")
            .asText();
    JsonNode answer;
    String path = "/jobs/" + id + "/savepoints/" + request;
    while (!(answer = rest.get(path)).path("status").path("id").asText().equals("COMPLETED")) {
      Thread.sleep(LOOK);
    }
    return answer.path("operation");
  }
}
