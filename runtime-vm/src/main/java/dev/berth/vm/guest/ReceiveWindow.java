package dev.berth.vm.guest;

import dev.berth.vm.guest.wire.BodyWriter;
import dev.berth.vm.guest.wire.FrameType;
import dev.berth.vm.guest.wire.ProtocolViolation;

/// How much of the guest's credit of a channel is in use. Guarded by its channel's lock.
final class ReceiveWindow {
  /// Credit is returned in larger pieces while more waits to be taken.
  private static final int WORTH_A_FRAME = 16384;

  private int used;
  private int taken;

  void received(int bytes) {
    if (bytes > GuestChannel.WINDOW - used) {
      throw new ProtocolViolation(
          "%d bytes of data where %d were allowed".formatted(bytes, GuestChannel.WINDOW - used));
    }
    used += bytes;
  }

  /// Notes bytes as taken.
  ///
  /// @return how much credit is due now, or 0
  int taken(int bytes, boolean moreWaits) {
    taken += bytes;
    if (moreWaits && taken < WORTH_A_FRAME) {
      return 0;
    }
    int due = taken;
    used -= due;
    taken = 0;
    return due;
  }

  static void sendCredit(GuestLink link, int id, int bytes) throws InterruptedException {
    if (bytes > 0) {
      link.send(FrameType.CREDIT, id, new BodyWriter().u32(bytes).toBytes());
    }
  }
}
