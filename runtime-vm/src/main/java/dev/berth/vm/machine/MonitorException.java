package dev.berth.vm.machine;

import java.io.IOException;

/// QEMU refused a command, did not answer it in time, or is gone.
final class MonitorException extends IOException {
  private static final long serialVersionUID = 1;

  MonitorException(String message) {
    super(message);
  }

  MonitorException(String message, Throwable cause) {
    super(message, cause);
  }
}
