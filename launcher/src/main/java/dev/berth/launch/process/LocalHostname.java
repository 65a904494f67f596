package dev.berth.launch.process;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/// The host name of this machine, without asking the network.
public final class LocalHostname {
  private LocalHostname() {}

  /// The host name in lower case, as nodes are named.
  public static String ofThisMachine() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname"))
          .strip()
          .toLowerCase(Locale.ROOT);
    } catch (IOException _) {
      return InetAddress.getLoopbackAddress().getHostName().toLowerCase(Locale.ROOT);
    }
  }
}
