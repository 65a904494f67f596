package dev.berth.launch.containerd;

import java.nio.file.Path;
import java.util.List;

/// The socket of a private containerd, and why it does not serve if it does not.
///
/// @param handlers the handlers that it offers, the default one first
/// @param obstacle why it does not serve yet; empty when it does
public record RuntimeSocket(String name, Path socket, List<String> handlers, String obstacle) {
  public RuntimeSocket {
    handlers = List.copyOf(handlers);
  }
}
