package dev.berth.chaos.arenas;

import dev.berth.bench.servers.BenchCredentials;
import dev.berth.chaos.faults.FaultKind;
import dev.berth.chaos.faults.FaultOption;
import dev.berth.chaos.load.StoreLoad;
import dev.berth.chaos.machine.LoopDisk;
import dev.berth.chaos.machine.ManagedProcess;
import dev.berth.chaos.machine.ProcessClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A server with the embedded store on a disk that can lose its power and fill up. Controllers and
/// scheduler are off: their writes would add requests that no client records.
public final class EmbeddedArena implements AttackArena {
  /// Large enough for the load of a long run, and small enough to fill within a fault.
  private static final int DISK_MEBIBYTES = 96;

  private final ArenaContext context;
  private final LoopDisk disk;
  private final ServerUnderAttack server;
  private @Nullable StoreLoad load;

  public EmbeddedArena(ArenaContext context) throws IOException {
    this.context = context;
    this.disk = LoopDisk.create(context.directory(), DISK_MEBIBYTES);
    this.server =
        new ServerUnderAttack(
            context,
            "server",
            disk.directory().resolve("data"),
            List.of("--no-scheduler", "--no-controllers"));
  }

  @Override
  public void start() throws IOException {
    server.start();
    load = StoreLoad.start(servers(), context.calm(), context.log(), context.seed());
  }

  /// The faults of this arena; those of the disk exist here only. Clock jumps need libfaketime.
  @Override
  public List<FaultOption> faults() {
    List<FaultOption> faults = new ArrayList<>();
    faults.add(ProcessFaults.kill(server.process()));
    faults.add(ProcessFaults.stop(server.process()));
    faults.add(ProcessFaults.cut(server.port()));
    faults.add(
        FaultOption.of(
            FaultKind.POWER_CUT,
            "server",
            0,
            1_000,
            ProcessFaults.of(this::cutPower, this::restorePower)));
    faults.add(
        FaultOption.of(
            FaultKind.FULL_DISK, "disk", 500, 6_000, ProcessFaults.of(disk::fill, disk::free)));
    faults.add(ProcessFaults.hostileClient(context, server, List.of(), List.of()));
    if (ProcessClock.isAvailable()) {
      faults.add(ProcessFaults.jump("server", server.clock()));
    }
    return faults;
  }

  /// Shuts the disk down first: the server sees the errors while it still serves.
  private void cutPower() throws IOException {
    disk.cutPower();
    server.process().kill();
    disk.unmount();
  }

  /// Mounts the disk, which replays the file system's journal, and starts the server.
  private void restorePower() throws IOException {
    disk.mount();
    server.process().start();
  }

  @Override
  public List<ManagedProcess> processes() {
    return List.of(server.process());
  }

  @Override
  public String obstacle() {
    return server.obstacle();
  }

  @Override
  public void check() {
    if (load != null) {
      load.check(servers());
    }
    server.checkBounds();
  }

  private List<BenchCredentials> servers() {
    return List.of(server.credentials());
  }

  @Override
  public void close() throws IOException {
    if (load != null) {
      load.close();
    }
    server.close();
    disk.close();
  }
}
