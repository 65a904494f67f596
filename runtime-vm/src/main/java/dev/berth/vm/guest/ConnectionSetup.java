package dev.berth.vm.guest;

import dev.berth.vm.guest.model.OutputPosition;
import dev.berth.vm.guest.wire.BodyWriter;
import dev.berth.vm.guest.wire.WireFrame;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// What all attempts to connect have in common.
///
/// @param limit of each request
record ConnectionSetup(
    Path socket, Duration limit, GuestListener listener, Map<String, OutputPosition> positions) {
  private static final SecureRandom RANDOM = new SecureRandom();

  ConnectionSetup {
    positions = Map.copyOf(positions);
  }

  /// What messages call the guest: the directory of its socket has the name of its sandbox.
  String guest() {
    Path directory = socket.toAbsolutePath().getParent();
    return String.valueOf(directory == null ? socket : directory.getFileName());
  }

  byte[] nonce() {
    byte[] nonce = new byte[WireFrame.NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    return nonce;
  }

  /// What the host says first.
  ///
  /// @param completing whether the guest may have a part of a frame of a former client
  byte[] opening(byte[] nonce, boolean completing) {
    BodyWriter hello = new BodyWriter().u32(WireFrame.VERSION).raw(nonce);
    hello.list(
        List.copyOf(positions.entrySet()),
        (body, entry) ->
            body.string(entry.getKey())
                .i64(entry.getValue().stdout())
                .i64(entry.getValue().stderr()));
    return WireFrame.opening(hello.toBytes(), completing);
  }
}
