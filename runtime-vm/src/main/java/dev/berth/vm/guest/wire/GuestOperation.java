package dev.berth.vm.guest.wire;

/// What a request asks for.
public enum GuestOperation {
  PING(1),
  CONFIGURE(2),
  CREATE(3),
  START(4),
  SIGNAL(5),
  REMOVE(6),
  LIMITS(7),
  INPUT(8),
  RESIZE(9),
  EXEC(10),
  EXEC_RESIZE(11),
  EXEC_SIGNAL(12),
  CONNECT(13),
  TREE_BEGIN(14),
  TREE_ADD(15),
  TREE_COMMIT(16),
  TREE_REMOVE(17),
  READ_FILE(18),
  LIST(19),
  USAGE(20),
  SHUTDOWN(21);

  /// Every answer can be a failure with its text.
  private static final int FAILURE_BYTES = 16 << 10;

  private static final int LIST_BYTES = 256 << 10;

  private final int code;

  GuestOperation(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }

  /// The longest answer, unless the request says how long it can be.
  public int answerBytes() {
    return this == LIST || this == USAGE ? LIST_BYTES : FAILURE_BYTES;
  }
}
