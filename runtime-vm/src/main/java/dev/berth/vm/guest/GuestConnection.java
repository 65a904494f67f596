package dev.berth.vm.guest;

import java.io.InputStream;
import java.io.OutputStream;

/// A TCP connection to a program of the guest, by the guest's loopback.
public interface GuestConnection extends AutoCloseable {
  /// Ends when the program ends its direction. Throws `IOException` when the guest is gone.
  InputStream input();

  /// Closing it ends this direction only. A write blocks while the program does not read.
  OutputStream output();

  @Override
  void close();
}
