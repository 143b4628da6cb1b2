package sluice.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.flink.shaded.guava33.com.google.common.hash.Hashing;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;

/** job.json: what `--print-job` of a program says (docs/job.schema.json). */
final class JobSpec {
  static final int FORMAT = 1;
  private static final String HIDDEN = "***"; // in place of a secret value

  /** A stream between PEs. */
  record Link(int receiver, String name, List<Integer> from, int to) {}

  final String program;
  final long hash;
  final List<String> pes = new ArrayList<>(); // by number: the names of operators
  final List<Link> links = new ArrayList<>();
  final double period; // seconds from one checkpoint to the next; 0: the program says none
  final Set<String> secrets = new HashSet<>(); // the full names of values that nobody is to see

  private JobSpec(JsonNode json) throws IOException {
    if (json.path("format").asInt() != FORMAT) {
      throw new IOException("its format is not " + FORMAT + ": it is of another version of Sluice");
    }
    program = text(json, "program");
    hash = Long.parseUnsignedLong(text(json, "hash"), 16);
    for (JsonNode pe : list(json, "pes")) {
      List<String> names = new ArrayList<>();
      for (JsonNode operator : list(pe, "operators")) {
        names.add(text(operator, "name"));
      }
      pes.add(String.join(", ", names));
    }
    for (JsonNode link : list(json, "links")) {
      List<Integer> from = new ArrayList<>();
      for (JsonNode pe : list(link, "from")) {
        from.add(known(pe.asInt(-1)));
      }
      links.add(
          new Link(
              link.path("receiver").asInt(-1),
              text(link, "name"),
              from,
              known(link.path("to").asInt(-1))));
    }
    JsonNode consistent = json.path("consistent");
    period = consistent.path("period").asDouble(0);
    json.path("values")
        .properties()
        .forEach(
            value -> {
              if (value.getValue().asText().equals(HIDDEN)) {
                secrets.add(value.getKey());
              }
            });
  }

  static JobSpec read(File file) throws IOException {
    try {
      return new JobSpec(new ObjectMapper().readTree(file));
    } catch (IOException | NumberFormatException wrong) {
      throw new IOException(file + ": " + wrong.getMessage(), wrong);
    }
  }

  private static String text(JsonNode json, String name) throws IOException {
    if (!json.path(name).isTextual()) {
      throw new IOException("`" + name + "` is missing, or no text");
    }
    return json.get(name).asText();
  }

  private static JsonNode list(JsonNode json, String name) throws IOException {
    if (!json.path(name).isArray()) {
      throw new IOException("`" + name + "` is missing, or no list");
    }
    return json.get(name);
  }

  private int known(int pe) throws IOException {
    if (pe < 0 || pe >= pes.size()) {
      throw new IOException("a link names PE " + pe + ", and there are " + pes.size());
    }
    return pe;
  }

  /** Which operators are in which PE, as a number. */
  long layout() {
    return Hashing.murmur3_128(0)
        .hashString(String.join("\n", pes), StandardCharsets.UTF_8)
        .asLong();
  }

  /** The PEs that send to this one, in ascending order. */
  SortedSet<Integer> sendersTo(int pe) {
    SortedSet<Integer> senders = new TreeSet<>();
    for (Link link : links) {
      if (link.to() == pe) {
        senders.addAll(link.from());
      }
    }
    return senders;
  }

  /** The PEs, each behind those that send to it. */
  List<Integer> inOrder() throws IOException {
    List<Integer> order = new ArrayList<>();
    while (order.size() < pes.size()) {
      int before = order.size();
      for (int pe = 0; pe < pes.size(); pe++) {
        if (!order.contains(pe) && order.containsAll(sendersTo(pe))) {
          order.add(pe);
        }
      }
      if (order.size() == before) {
        throw new IOException(
            "streams between its PEs form a cycle, which a Flink job cannot have: place the"
                + " operators so that no PE sends to one from which it gets tuples");
      }
    }
    return order;
  }
}
