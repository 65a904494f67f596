package dev.berth.vm.machine;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is on disk about a machine, so that another process can go on with it.
///
/// @param phase written before what it names begins
/// @param process known from [MachinePhase#RUNNING] on
/// @param cgroups directories made for it
/// @param exit known at the end
record MachineRecord(
    String sandboxId,
    int user,
    MachinePhase phase,
    @Nullable MachineSize size,
    boolean sharesMemory,
    List<Path> cgroups,
    @Nullable ProcessIdentity process,
    @Nullable MachineExit exit) {
  MachineRecord {
    cgroups = List.copyOf(cgroups);
  }

  enum MachinePhase {
    RESERVED,
    STARTING,
    RUNNING,
    ENDED
  }

  static MachineRecord reserved(String sandboxId, int user) {
    return new MachineRecord(
        sandboxId, user, MachinePhase.RESERVED, null, false, List.of(), null, null);
  }

  MachineRecord starting(MachineSize newSize, boolean shares, List<Path> newCgroups) {
    return new MachineRecord(
        sandboxId, user, MachinePhase.STARTING, newSize, shares, newCgroups, null, null);
  }

  MachineRecord running(ProcessIdentity started) {
    return new MachineRecord(
        sandboxId, user, MachinePhase.RUNNING, size, sharesMemory, cgroups, started, null);
  }

  MachineRecord ended(MachineExit reason) {
    return new MachineRecord(
        sandboxId, user, MachinePhase.ENDED, size, sharesMemory, cgroups, process, reason);
  }
}
