package dev.berth.vm.guest;

import dev.berth.vm.guest.wire.ProtocolViolation;

/// How far a stream of a container was received, delivered and acknowledged. Guarded by the lock of
/// its container.
final class StreamPosition {
  /// Bytes that the guest keeps, and so can have sent without acknowledgement.
  static final int WINDOW = 65536;

  /// Acknowledgements are sent for larger pieces while more waits to be delivered.
  private static final int WORTH_A_FRAME = 16384;

  private long received;
  private long delivered;
  private long acknowledged;
  private boolean started;

  /// @param position what the listener has
  StreamPosition(long position) {
    received = position;
    delivered = position;
    acknowledged = position;
  }

  /// @throws ProtocolViolation if bytes are missing, come twice, or are more than the guest keeps
  void received(String container, long offset, int length) {
    if (!started && offset > received) {
      // The guest has no older byte: another client acknowledged them, and then this one forgot.
      received = offset;
      delivered = offset;
      acknowledged = offset;
    }
    started = true;
    if (offset != received) {
      throw new ProtocolViolation(
          "output of container %s from byte %d, after byte %d"
              .formatted(container, offset, received));
    }
    if (length > WINDOW - (received - acknowledged)) {
      throw new ProtocolViolation(
          "%d bytes of output of container %s without acknowledgement"
              .formatted(received - acknowledged + length, container));
    }
    received = Math.addExact(received, length);
  }

  long delivered() {
    return delivered;
  }

  /// Notes bytes as delivered.
  ///
  /// @return the position to acknowledge now, or -1
  long delivered(int count, boolean moreWaits) {
    delivered += count;
    if (moreWaits && delivered - acknowledged < WORTH_A_FRAME) {
      return -1;
    }
    acknowledged = delivered;
    return acknowledged;
  }
}
