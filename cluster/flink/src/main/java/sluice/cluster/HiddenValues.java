package sluice.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Submission-time values that are secret, as job.json says, or that stand elsewhere
 * ({@code @file:}, {@code @env:}), which is here and not on the hosts. No command line has them:
 * arguments name variables of the environment instead, which PEs get.
 */
final class HiddenValues {
  private static final String FILE = "@file:";
  private static final String ENVIRONMENT = "@env:";
  private static final String PREFIX = "SLUICE_VALUE_";

  /** Bytes: what Linux takes in a variable of the environment, with its name. */
  private static final int MOST = (128 << 10) - 64;

  private HiddenValues() {}

  /** Changes the arguments. The variables. */
  static Map<String, String> take(List<String> arguments, JobSpec job) throws IOException {
    Map<String, String> environment = new HashMap<>();
    for (int i = 0; i < arguments.size(); i++) {
      String[] parts = arguments.get(i).split("=", 2);
      if (parts.length < 2 || parts[0].startsWith("-")) {
        continue;
      }
      String name = parts[0];
      String value = elsewhere(parts[1]);
      if (value == null && job.secrets.stream().noneMatch(full -> full.endsWith(name))) {
        continue;
      }
      String variable = PREFIX + environment.size();
      environment.put(variable, checked(name, value == null ? parts[1] : value));
      arguments.set(i, name + "=" + ENVIRONMENT + variable);
    }
    return environment;
  }

  /** Null: it is the value itself. */
  private static String elsewhere(String what) throws IOException {
    if (what.startsWith(FILE)) {
      Path file = Path.of(what.substring(FILE.length()));
      if (!Files.isReadable(file)) {
        throw new UsageException("cannot read " + file);
      }
      return Files.readString(file, StandardCharsets.UTF_8).replaceFirst("\r?\n\\z", "");
    }
    if (!what.startsWith(ENVIRONMENT)) {
      return null;
    }
    String name = what.substring(ENVIRONMENT.length());
    if (System.getenv(name) == null) {
      throw new UsageException("the environment has no variable `" + name + "`");
    }
    return System.getenv(name);
  }

  private static String checked(String name, String value) {
    boolean isLong = value.getBytes(StandardCharsets.UTF_8).length >= MOST;
    if (isLong || value.indexOf('\0') >= 0) {
      throw new UsageException(
          "the value of "
              + name
              + " cannot go to a cluster: it has "
              + (isLong ? "128 KiB or more" : "a byte 0"));
    }
    return value;
  }
}
