package sluice.cluster;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.Collections;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** One jar of a folder that `sluice build --target=flink` has made, with all of host.jar in it. */
final class Pack {
  private static final LocalDateTime TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

  private Pack() {}

  static int run(Options options) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, FlinkRun.class.getName());
    Path out = Path.of(options.one("out"));
    Path part = Path.of(out + ".part"); // a jar that is there is whole
    try (JarFile host = new JarFile(options.one("host-jar"));
        Stream<Path> files = Files.list(Path.of(options.one("from")));
        JarOutputStream jar = new JarOutputStream(Files.newOutputStream(part))) {
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      manifest.write(text);
      add(jar, JarFile.MANIFEST_NAME, new ByteArrayInputStream(text.toByteArray()));
      for (var entry : Collections.list(host.entries())) {
        if (entry.getName().endsWith(".class")) {
          try (InputStream content = host.getInputStream(entry)) {
            add(jar, entry.getName(), content);
          }
        }
      }
      for (Path file : files.sorted().toList()) {
        try (InputStream content = Files.newInputStream(file)) {
          add(jar, file.getFileName().toString(), content);
        }
      }
    }
    Files.move(part, out, StandardCopyOption.REPLACE_EXISTING);
    return 0;
  }

  /** All of one time, so that the same program makes the same jar. */
  private static void add(JarOutputStream jar, String name, InputStream content)
      throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(TIME);
    jar.putNextEntry(entry);
    content.transferTo(jar);
    jar.closeEntry();
  }
}
