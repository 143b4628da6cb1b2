package sluice.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** What `sluice build --target=flink` has made: a folder, or a jar that has the same in it. */
final class App implements AutoCloseable {
  /** What the name of an executable begins with, before its processor. */
  private static final String PE = "pe-";

  private final Path place; // as the user knows it
  private final Path folder;

  private App(Path place, Path folder) {
    this.place = place;
    this.folder = folder;
  }

  static App at(Path place) throws IOException {
    return new App(place, Files.isRegularFile(place) ? unpacked(place) : place);
  }

  private static Path unpacked(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      Path folder = Files.createTempDirectory("sluice-app-");
      for (JarEntry entry : Collections.list(file.entries())) {
        if (entry.getName().matches(PE + "\\w+")) {
          Path to = folder.resolve(entry.getName());
          try (InputStream content = file.getInputStream(entry)) {
            Files.copy(content, to);
          }
          to.toFile().setExecutable(true);
        }
      }
      return folder;
    }
  }

  /** By the names under which they travel: that of the file. */
  Map<String, Path> executables() throws IOException {
    Map<String, Path> found = new TreeMap<>();
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        files
            .filter(file -> file.getFileName().toString().matches(PE + "\\w+"))
            .filter(Files::isExecutable)
            .forEach(file -> found.put(file.getFileName().toString(), file));
      }
    }
    return found;
  }

  /** The job of a run with these arguments. What the program says of them is shown. */
  JobSpec describe(List<String> arguments) throws IOException, InterruptedException {
    Path own = executables().get(PeSpec.executableFor(System.getProperty("os.arch")));
    if (own == null) {
      throw new UsageException(
          "`"
              + place
              + "` has no program for this machine: `sluice build FILE.spl --pes=N --target=flink"
              + " -o "
              + place
              + "` makes one");
    }
    List<String> command = new ArrayList<>(List.of(own.toAbsolutePath().toString(), "--print-job"));
    command.addAll(arguments);
    Path file = Files.createTempFile("sluice-job-", ".json");
    try {
      Process process = new ProcessBuilder(command).redirectOutput(file.toFile()).start();
      process.getOutputStream().close();
      String said =
          new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new UsageException("the program cannot run so:\n" + said);
      }
      if (!said.isEmpty()) {
        System.err.println(said);
      }
      return JobSpec.read(file.toFile());
    } finally {
      Files.delete(file);
    }
  }

  /** What was unpacked goes. */
  @Override
  public void close() throws IOException {
    if (!folder.equals(place)) {
      for (Path file : executables().values()) {
        Files.delete(file);
      }
      Files.delete(folder);
    }
  }
}
