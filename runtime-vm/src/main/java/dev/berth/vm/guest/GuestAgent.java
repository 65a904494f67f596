package dev.berth.vm.guest;

import dev.berth.vm.guest.model.GuestConfig;
import dev.berth.vm.guest.model.GuestContainer;
import dev.berth.vm.guest.model.GuestContainerState;
import dev.berth.vm.guest.model.GuestExec;
import dev.berth.vm.guest.model.GuestLimits;
import dev.berth.vm.guest.model.GuestUsage;
import dev.berth.vm.guest.model.OutputPosition;
import dev.berth.vm.guest.model.TreeEntry;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/// The program that runs in a guest and does what a pod needs there.
///
/// All methods may be called from any thread. Requests throw `GuestException` when the guest
/// refuses, does not answer within the limit of the connection, or is gone. A request that timed
/// out may still be carried out.
public interface GuestAgent extends AutoCloseable {
  /// Connects to the guest's port, and again and again while nobody answers, for at most `limit`,
  /// which later bounds each request. The guest answers once it is up and takes one client at a
  /// time; programs that an earlier client started by `exec` are killed.
  ///
  /// @param positions what the caller has of containers' output. The output of other containers
  ///   comes from the oldest byte that the guest has.
  static GuestAgent connect(
      Path socket, Duration limit, GuestListener listener, Map<String, OutputPosition> positions) {
    return new GuestConnector(new ConnectionSetup(socket, limit, listener, positions)).connect();
  }

  static GuestAgent connect(Path socket, Duration limit, GuestListener listener) {
    return connect(socket, limit, listener, Map.of());
  }

  /// Sets clock, random seed, host name, network and sysctls. Needed once after a restore; a second
  /// call replaces addresses and routes.
  void configure(GuestConfig config, InstantSource clock);

  /// Makes a container with its root file system and mounts; its program waits.
  void create(GuestContainer container);

  /// Runs the program of a container. `INVALID` when it cannot be executed.
  void start(String container);

  /// Sends a signal to the program of a container. Nothing happens when it ended.
  void signal(String container, int number);

  /// Removes a container, which may run, with its writable layer. Nothing happens when it is gone.
  void remove(String container);

  /// Replaces all limits of a container.
  void limits(String container, GuestLimits limits);

  /// Standard input of a container that was created with it. Closing the stream ends standard input
  /// when the container has `stdinOnce`, and otherwise only this stream. A write blocks while the
  /// program does not read.
  OutputStream input(String container);

  /// Size of a container's terminal.
  void resize(String container, int columns, int rows);

  /// Starts a program in a running container. `INVALID` when it cannot be executed.
  GuestProcess exec(GuestExec exec, OutputSink sink);

  /// Connects to a port of the guest. `NOT_FOUND` when nothing listens there.
  GuestConnection connect(int port);

  /// Makes or replaces the files of a volume, all at once for programs that follow its `..data`
  /// link, as the kubelet does.
  void putTree(String name, List<TreeEntry> entries);

  void removeTree(String name);

  /// The last `bound` bytes of a file of a container (`FileSource`), which may have ended.
  byte[] readFile(String container, String name, int bound);

  List<GuestContainerState> list();

  GuestUsage usage();

  /// Writes what is unwritten and stops the machine. The connection ends.
  void shutdown();

  /// Ends the connection; the guest goes on. Waits for calls of the listener that are under way, so
  /// that the caller's positions are final.
  @Override
  void close();
}
