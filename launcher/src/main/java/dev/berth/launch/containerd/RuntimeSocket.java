package dev.berth.launch.containerd;

import java.nio.file.Path;
import java.util.List;

/// Where a runtime service can be called, if it serves.
///
/// @param handlers that it offers, the default one first
/// @param obstacle why it does not serve yet; empty when it does
public record RuntimeSocket(String name, Path socket, List<String> handlers, String obstacle) {
  public RuntimeSocket {
    handlers = List.copyOf(handlers);
  }
}
