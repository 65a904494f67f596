package dev.berth.relay;

import java.io.IOException;
import java.net.Socket;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Enables TCP keep-alive, by which the kernel finds a peer that vanished without closing within
/// about a minute, even on an idle connection.
public final class KeepAlive {
  private static final Logger log = LoggerFactory.getLogger(KeepAlive.class);
  private static final int IDLE_SECONDS = 30;
  private static final int INTERVAL_SECONDS = 10;
  private static final int PROBES = 3;

  private KeepAlive() {}

  public static void start(Socket socket) {
    try {
      socket.setKeepAlive(true);
      socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, IDLE_SECONDS);
      socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, INTERVAL_SECONDS);
      socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, PROBES);
    } catch (IOException | UnsupportedOperationException e) {
      log.debug("no keep-alive probes reason={}", e.getMessage());
    }
  }
}
