package sluice.cluster;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/** The frames between a PE and its host: runtime/remote/host/README.md. */
final class Wire {
  static final int VERSION = 1;
  static final int HEAD = 5;
  static final int LINK = 8; // bytes: the receiver, the sender
  static final int LARGEST = 1 << 30;
  private static final int ESCAPE = 4; // the length of \xff

  // Of both.
  static final byte HELLO = 'H';
  static final byte DATA = 'D';
  static final byte END = 'E';
  // Of the host.
  static final byte RESTORE = 'R';
  static final byte BEGIN = 'B';
  static final byte CUT = 'C';
  static final byte COMMITTED = 'K';
  static final byte STOP = 'S';
  static final byte GONE = 'N';
  static final byte CLOSE = 'X';
  // Of the PE.
  static final byte GRANT = 'G';
  static final byte CUT_DONE = 'c';
  static final byte STATE = 'T';
  static final byte OVER = 'O';
  static final byte LOG = 'L';
  static final byte METRICS = 'M';

  private Wire() {}

  /** So many bytes, little-endian. */
  static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  static ByteBuffer wrap(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  static byte[] number(long number) {
    return buffer(8).putLong(number).array();
  }

  static byte[] hello(int pe, long job, long program, boolean saves, int relaunches) {
    return buffer(32)
        .putInt(VERSION)
        .putInt(pe)
        .putLong(job)
        .putLong(program)
        .putInt(saves ? 1 : 0)
        .putInt(relaunches)
        .array();
  }

  /** A record between operators: `[type][link][frame of the link]`, or STOP alone. */
  static byte[] record(byte type, byte[] content) {
    byte[] record = new byte[1 + content.length];
    record[0] = type;
    System.arraycopy(content, 0, record, 1, content.length);
    return record;
  }

  /** Bytes that are no UTF-8 become {@code \xff}. */
  static String text(byte[] bytes) {
    CharBuffer made = CharBuffer.allocate(ESCAPE * bytes.length);
    ByteBuffer from = ByteBuffer.wrap(bytes);
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    for (CoderResult result; (result = decoder.decode(from, made, true)).isError(); ) {
      for (int i = 0; i < result.length(); i++) {
        made.put(String.format("\\x%02x", from.get()));
      }
    }
    return made.flip().toString();
  }

  /** The link of a record or a frame, as one number. */
  static long linkAt(byte[] bytes, int at) {
    return wrap(bytes).getLong(at);
  }
}
