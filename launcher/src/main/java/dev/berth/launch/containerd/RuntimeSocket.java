package dev.berth.launch.containerd;

import java.nio.file.Path;
import java.util.List;

/// A runtime service that can be called.
///
/// @param handlers that it offers, the default one first
public record RuntimeSocket(String name, Path socket, List<String> handlers) {
  public RuntimeSocket {
    handlers = List.copyOf(handlers);
  }
}
