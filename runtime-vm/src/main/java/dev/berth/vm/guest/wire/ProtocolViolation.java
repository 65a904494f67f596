package dev.berth.vm.guest.wire;

/// The other side sent what the protocol does not allow. The message says what and why not.
public final class ProtocolViolation extends RuntimeException {
  private static final long serialVersionUID = 1;

  public ProtocolViolation(String message) {
    super(message);
  }
}
