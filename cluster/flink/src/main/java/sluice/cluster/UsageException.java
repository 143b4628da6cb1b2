package sluice.cluster;

/** Something is wrong that who called can put right: no stack is shown. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  UsageException(String message) {
    super(message);
  }
}
