package dev.berth.launch.runtimes;

import dev.berth.agent.runtimes.RuntimeService;
import dev.berth.agent.runtimes.RuntimeSnapshot;
import dev.berth.cri.CriEndpoint;
import dev.berth.launch.process.PortHolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/// The processes on this machine that serve the node's runtime services, for their resource usage.
/// Any thread may call it; two calls at once may both search.
public final class RuntimeProcesses {
  /// How long a result is used. A search reads the open files of all processes.
  private static final Duration REMEMBERED = Duration.ofMinutes(1);

  private record Found(Set<Path> sockets, List<Path> processes, Instant at) {}

  private final PortHolder holder;
  private final Supplier<RuntimeSnapshot> runtimes;
  private final InstantSource clock;
  private volatile Found found = new Found(Set.of(), List.of(), Instant.EPOCH);

  public RuntimeProcesses(
      PortHolder holder, Supplier<RuntimeSnapshot> runtimes, InstantSource clock) {
    this.holder = holder;
    this.runtimes = runtimes;
    this.clock = clock;
  }

  /// The directories of the processes in `/proc`. Only processes that listen at sockets in the file
  /// system are found.
  public List<Path> directories() {
    Set<Path> sockets = new HashSet<>();
    for (RuntimeService service : runtimes.get().services()) {
      if (service.endpoint() instanceof CriEndpoint.UnixSocket(var path)) {
        sockets.add(path);
      }
    }
    Instant now = clock.instant();
    Found last = found;
    boolean isStillTrue =
        last.sockets.equals(sockets)
            && now.isBefore(last.at.plus(REMEMBERED))
            && last.processes.stream().allMatch(Files::exists);
    if (!isStillTrue) {
      last = new Found(sockets, holder.processes(sockets), now);
      found = last;
    }
    return last.processes;
  }
}
