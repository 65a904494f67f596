package dev.berth.vm.machine;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Consumer;

/// A running machine. It outlives this process, and every call is bounded in time.
public interface VirtualMachine {
  /// Disks for images that every machine has: slots 0 to 9.
  int IMAGE_SLOTS = 10;

  String sandboxId();

  long pid();

  MachineSize size();

  /// Whether it is a clone that shares memory with other clones of its template.
  boolean sharesMemory();

  /// The socket of the channel to the guest program.
  Path agentSocket();

  /// Puts a disk into an empty slot; the guest finds it by the serial number `imageN`. Its content
  /// is that of the files, one behind the other; their sizes are multiples of 512 bytes. The files
  /// get hard links in the machine's directory: they must be readable by all and on the same file
  /// system, and their own names may go away.
  ///
  /// @throws MachineException also if the slot is in use
  void attachImage(int slot, List<Path> extents);

  /// Empties a slot, which the guest must have unmounted before.
  void detachImage(int slot);

  /// The slots in use, also those that an earlier process filled.
  SortedSet<Integer> usedSlots();

  /// Stops all processors; the guest notices nothing.
  void pause();

  void resume();

  boolean paused();

  /// Asks the guest to leave all but this much memory to the host. Only machines that do not share
  /// memory can give it back.
  ///
  /// @throws MachineException if the machine shares memory
  void balloon(long bytes);

  MachineUsage usage();

  /// The last lines that the guest wrote to its console.
  String console();

  /// Whether it is gone, and why.
  Optional<MachineExit> exit();

  /// Waits until it is gone, at most as long as the limit.
  Optional<MachineExit> awaitExit(Duration limit) throws InterruptedException;

  /// Calls the listener once, on a thread of its own, when it is gone; also if it is gone already.
  void onExit(Consumer<MachineExit> listener);

  /// Kills QEMU and waits until the process is gone. What it leaves on disk stays until
  /// [VirtualMachines#remove].
  void kill();
}
