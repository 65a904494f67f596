package dev.berth.vm.guest.wire;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What a frame is.
public enum FrameType {
  HELLO(1),
  WELCOME(2),
  REQUEST(3),
  ANSWER(4),
  DATA(5),
  CREDIT(6),
  END(7),
  RESET(8),
  EXIT(9),
  OUTPUT(10),
  ACK(11),
  EXITED(12);

  /// What a host accepts.
  public static final Set<FrameType> FROM_GUEST =
      Set.copyOf(EnumSet.complementOf(EnumSet.of(HELLO, REQUEST, ACK)));

  /// What a guest accepts.
  public static final Set<FrameType> FROM_HOST =
      Set.of(HELLO, REQUEST, DATA, CREDIT, END, RESET, ACK);

  private static final Map<Integer, FrameType> BY_CODE =
      Stream.of(values()).collect(Collectors.toMap(FrameType::code, type -> type));

  private final int code;

  FrameType(int code) {
    this.code = code;
  }

  /// The type of a code.
  ///
  /// @throws ProtocolViolation if there is no such type
  static FrameType of(int code) {
    FrameType type = BY_CODE.get(code);
    if (type == null) {
      throw new ProtocolViolation("a frame of the unknown type %d".formatted(code));
    }
    return type;
  }

  int code() {
    return code;
  }

  /// Whether the body may be in several frames.
  boolean hasLongBody() {
    return this == HELLO || this == REQUEST || this == ANSWER;
  }

  /// Whether a frame belongs to a request or channel.
  boolean hasId() {
    return switch (this) {
      case REQUEST, ANSWER, DATA, CREDIT, END, RESET, EXIT -> true;
      case HELLO, WELCOME, OUTPUT, ACK, EXITED -> false;
    };
  }
}
