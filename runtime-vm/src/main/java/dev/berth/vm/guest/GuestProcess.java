package dev.berth.vm.guest;

import dev.berth.vm.guest.model.GuestExit;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;

/// A program that was started in a running container.
public interface GuestProcess extends AutoCloseable {
  /// Standard input. A write blocks while the program does not read; closing it, or the process,
  /// ends such a write. Writes to a program without standard input are dropped.
  OutputStream input();

  /// Of its terminal.
  void resize(int columns, int rows);

  void signal(int number);

  /// Waits until the program ended and its output was taken. Empty when that took longer.
  Optional<GuestExit> exit(Duration limit) throws InterruptedException;

  /// Kills the program if it still runs. No output comes after this call returned.
  @Override
  void close();
}
