package dev.berth.server.encryption;

/// A stored value that cannot be decrypted; says why and what to do.
public final class UnreadableValueException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String whatToDo;

  UnreadableValueException(String why, String whatToDo) {
    super(why);
    this.whatToDo = whatToDo;
  }

  /// As a full sentence without its full stop.
  public String whatToDo() {
    return whatToDo;
  }
}
