package sluice.cluster;

import java.io.File;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;

/** The end of a job that somebody asks for: in order, with a savepoint, or at once. */
final class Stop {
  private static final int LOOK = 200; // ms
  /** What Flink answers while a job starts, or starts again after a failure. */
  private static final String STARTING = "Not all required tasks are currently running";

  private static final long STARTING_NANOS = 60_000_000_000L;
  /** Where a cluster keeps what it saves: the first one that is set. */
  private static final List<String> FOLDERS =
      List.of("execution.checkpointing.savepoint-dir", "execution.checkpointing.dir");

  private final Rest rest;
  private final String id;

  private Stop(Rest rest, String id) {
    this.rest = rest;
    this.id = id;
  }

  static int run(Options options) throws IOException, InterruptedException {
    Stop job =
        new Stop(new Rest(Rest.Address.parseAll(options.one("at"))), options.words.get(0));
    if (options.has("now")) {
      job.cancel();
    } else if (options.has("savepoint")) {
      System.out.println(job.save(new File(options.one("savepoint"))));
    } else {
      job.drain();
    }
    return 0;
  }

  private void cancel() throws IOException, InterruptedException {
    rest.send("PATCH", "/jobs/" + id + "?mode=cancel", "");
    Jobs.awaitEnd(rest, id);
  }

  /** Behind a checkpoint in the folder. Its name. */
  private String save(File folder) throws IOException, InterruptedException {
    JsonNode interval = rest.get("/jobs/" + id + "/checkpoints/config").path("interval");
    if (!interval.canConvertToLong() || interval.asLong() == Long.MAX_VALUE) {
      throw new UsageException(
          "the job was submitted without checkpoints (--checkpoint-every): it cannot be saved");
    }
    return stop(false, folder.getAbsoluteFile().toURI().toString());
  }

  /** Sources end, and what they have sent is run. Of what Flink saves then nobody has any use. */
  private void drain() throws IOException, InterruptedException {
    String saved = stop(true, folder());
    carryOut("/savepoint-disposal", "{\"savepoint-path\":" + Rest.quoted(saved) + "}", "");
    Jobs.awaitEnd(rest, id);
  }

  private String folder() throws IOException, InterruptedException {
    Map<String, String> values = new HashMap<>();
    for (JsonNode each : rest.get("/jobmanager/config")) {
      values.put(each.path("key").asText(), each.path("value").asText());
    }
    return FOLDERS.stream()
        .filter(values::containsKey)
        .findFirst()
        .map(values::get)
        .orElseThrow(
            () ->
                new UsageException(
                    "the cluster has no folder for what Flink writes when a job ends in order ("
                        + FOLDERS.get(1)
                        + "): --savepoint=DIR or --now end it without"));
  }

  /** A job that starts again after a failure is waited for. The name of the savepoint. */
  private String stop(boolean drains, String folder) throws IOException, InterruptedException {
    String request =
        "{\"drain\":" + drains + ",\"targetDirectory\":" + Rest.quoted(folder) + "}";
    for (long end = System.nanoTime() + STARTING_NANOS; ; Thread.sleep(LOOK)) {
      JsonNode saved = carryOut("/jobs/" + id + "/stop", request, "/jobs/" + id + "/savepoints");
      String why = saved.path("failure-cause").path("stack-trace").asText();
      if (saved.path("location").isTextual()) {
        return saved.path("location").asText();
      }
      if (!why.contains(STARTING) || System.nanoTime() > end) {
        throw new UsageException(
            (drains ? "the job could not be ended" : "no savepoint was made")
                + ", and it goes on"
                + Jobs.reason(why));
      }
    }
  }

  /** Asks for it, and waits until it is done: below `path` if that is said. What came of it. */
  private JsonNode carryOut(String what, String request, String path)
      throws IOException, InterruptedException {
    String number = rest.send("POST", what, request).path("request-id").asText();
    JsonNode answer;
    do {
      Thread.sleep(LOOK);
      answer = rest.get((path.isEmpty() ? what : path) + "/" + number);
    } while (!answer.path("status").path("id").asText().equals("COMPLETED"));
    return answer.path("operation");
  }
}
