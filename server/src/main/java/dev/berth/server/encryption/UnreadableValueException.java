package dev.berth.server.encryption;

/// A stored value cannot be decrypted; contains the reason and the remedy.
public final class UnreadableValueException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String whatToDo;

  UnreadableValueException(String why, String whatToDo) {
    super(why);
    this.whatToDo = whatToDo;
  }

  /// The remedy, a sentence without its full stop.
  public String whatToDo() {
    return whatToDo;
  }
}
