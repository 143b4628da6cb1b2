package sluice.cluster;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process of a PE, and the two pipes to it. */
final class PeProcess {
  /** What the PE says. By the thread that reads. */
  interface Listener {
    void frame(byte type, byte[] content) throws InterruptedException;

    /** Nothing more comes; the process has ended with this code, or `wrong` happened. */
    void ended(int code, IOException wrong);
  }

  private static final Logger LOG = LoggerFactory.getLogger("sluice.pe");
  private static final int BUFFER = 1 << 16;
  private static final int FAULT = 70; // the exit code of a program that has crashed
  private static final int ENDED_AT_ONCE = 75; // of one that has called abort()
  private static final int OF_SIGNALS = 128;

  private final PeSpec spec;
  private final Process process;
  private final OutputStream to;
  private final DataInputStream from;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream(); // the program prints it
  private volatile String lastError = "";
  private Thread reader;
  private Thread errors;

  PeProcess(PeSpec spec, File executable) throws IOException {
    this.spec = spec;
    List<String> command = new ArrayList<>(List.of(executable.getAbsolutePath(), "--hosted"));
    command.addAll(spec.arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(spec.environment);
    process = builder.start();
    to = process.getOutputStream();
    from = new DataInputStream(new BufferedInputStream(process.getInputStream(), BUFFER));
    errors = start("errors", this::readErrors);
  }

  private Thread start(String what, Runnable body) {
    Thread thread = new Thread(body, "PE " + spec.pe + " " + what);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  long pid() {
    return process.pid();
  }

  /** The last line of its standard error. */
  String lastError() {
    return lastError;
  }

  /**
   * Why its task fails. A PE that a signal or a fault has ended is started again, with all that it
   * is joined with; one that has failed with an error of its own would fail again.
   */
  Exception failure(int code, IOException wrong) {
    String what =
        wrong != null
            ? " does not keep to the protocol: " + wrong.getMessage()
            : " has ended with exit code " + code + ": " + lastError;
    IOException failure = new IOException("PE " + spec.pe + what);
    boolean hasDied =
        wrong != null
            || code == 0
            || code == FAULT
            || code == ENDED_AT_ONCE
            || code >= OF_SIGNALS;
    return hasDied ? failure : new SuppressRestartsException(failure);
  }

  /** Parts of one frame. */
  void write(byte type, byte[] content, int at, int bytes) throws IOException {
    try {
      to.write(Wire.buffer(Wire.HEAD).putInt(bytes).put(type).array());
      to.write(content, at, bytes);
      to.flush();
    } catch (IOException gone) {
      throw why(gone);
    }
  }

  /** What a PE that takes nothing more has ended of: who reads it may see that later. */
  private IOException why(IOException gone) {
    try {
      if (process.waitFor(1, TimeUnit.SECONDS)) {
        awaitError();
        Exception failure = failure(process.exitValue(), null);
        if (failure instanceof RuntimeException lasting) {
          throw lasting;
        }
        return (IOException) failure;
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
    return gone;
  }

  void write(byte type, byte[] content) throws IOException {
    write(type, content, 0, content.length);
  }

  /** Reads its first frame: it is of this program and speaks this protocol. */
  void awaitHello() throws Exception {
    byte[] head = from.readNBytes(Wire.HEAD);
    if (head.length < Wire.HEAD) {
      awaitError();
      throw failure(process.waitFor(), null);
    }
    byte[] hello = readContent(head);
    if (head[4] != Wire.HELLO || hello.length != 16 || Wire.wrap(hello).getInt() != Wire.VERSION) {
      throw new IOException("PE " + spec.pe + " speaks another protocol");
    }
  }

  private byte[] readContent(byte[] head) throws IOException {
    int bytes = Wire.wrap(head).getInt();
    if (bytes < 0 || bytes > Wire.LARGEST) {
      throw new IOException("a frame of " + Integer.toUnsignedLong(bytes) + " bytes");
    }
    byte[] content = from.readNBytes(bytes);
    if (content.length < bytes) {
      throw new EOFException("it ends within a frame");
    }
    return content;
  }

  void listen(Listener listener) {
    reader = start("output", () -> read(listener));
  }

  private void read(Listener listener) {
    try {
      for (byte[] head; (head = from.readNBytes(Wire.HEAD)).length == Wire.HEAD; ) {
        byte[] content = readContent(head);
        if (head[4] == Wire.LOG) {
          print(content);
        } else {
          listener.frame(head[4], content);
        }
      }
      if (line.size() > 0) {
        printLine();
      }
      int code = process.waitFor();
      awaitError();
      listener.ended(code, null);
    } catch (IOException wrong) {
      listener.ended(-1, wrong);
    } catch (RuntimeException wrong) {
      listener.ended(-1, new IOException(wrong));
    } catch (InterruptedException closed) {
      // the task ends
    }
  }

  /** Whole lines of what the program prints. */
  private void print(byte[] text) {
    for (byte each : text) {
      if (each != '\n') {
        line.write(each);
      } else {
        printLine();
      }
    }
  }

  private void printLine() {
    LOG.info("PE {} prints: {}", spec.pe, Wire.text(line.toByteArray()));
    line.reset();
  }

  private void readErrors() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
      for (String text; (text = lines.readLine()) != null; ) {
        lastError = text;
        LOG.warn("PE {}: {}", spec.pe, text);
      }
    } catch (IOException closed) {
      // it has ended
    }
  }

  private void awaitError() {
    try {
      errors.join(1000);
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  /** The process ends: by itself if it was told so, else at once. */
  void end(boolean inOrder) throws InterruptedException {
    if (inOrder) {
      process.waitFor(10, TimeUnit.SECONDS);
    }
    process.destroyForcibly();
    if (reader != null) {
      reader.interrupt();
    }
  }
}
