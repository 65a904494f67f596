package dev.berth.chaos.arenas;

import dev.berth.chaos.faults.FaultActor;
import dev.berth.chaos.faults.FaultKind;
import dev.berth.chaos.faults.FaultOption;
import dev.berth.chaos.fuzz.HostileClient;
import dev.berth.chaos.machine.ManagedProcess;
import dev.berth.chaos.machine.NetworkPort;
import dev.berth.chaos.machine.ProcessClock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// The faults that apply to any process, network port or clock.
final class ProcessFaults {
  /// The offsets of clock jumps. A day stands for a wrong date; larger jumps would expire
  /// certificates.
  private static final List<Duration> JUMPS =
      List.of(
          Duration.ofSeconds(40),
          Duration.ofSeconds(-40),
          Duration.ofMinutes(15),
          Duration.ofMinutes(-15),
          Duration.ofHours(3),
          Duration.ofHours(-3),
          Duration.ofDays(1));

  /// Paths for requests with any method; none of them is a whole collection, which a DELETE would
  /// empty.
  private static final List<String> PATHS =
      List.of(
          "/api",
          "/apis",
          "/version",
          "/openapi/v2",
          "/healthz",
          "/metrics",
          "/nowhere",
          "/apis/apps/v1/namespaces/fuzz/deployments",
          "/apis/coordination.k8s.io/v1/namespaces/fuzz/leases",
          "/apis/authentication.k8s.io/v1/tokenreviews",
          "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews");

  /// The begin or end of a fault.
  interface Change {
    void apply() throws IOException;
  }

  private ProcessFaults() {}

  /// A kill with SIGKILL; the end of the fault starts the process again.
  static FaultOption kill(ManagedProcess process) {
    return FaultOption.of(
        FaultKind.KILL, process.name(), 0, 1_500, of(process::kill, process::start));
  }

  /// A stop with SIGSTOP: the process keeps its connections and locks, which is harder for others
  /// than its end.
  static FaultOption stop(ManagedProcess process) {
    return FaultOption.of(
        FaultKind.STOP, process.name(), 200, 8_000, of(process::stop, process::resume));
  }

  static FaultOption cut(NetworkPort port) {
    return FaultOption.of(
        FaultKind.NETWORK_CUT, port.name(), 500, 10_000, of(port::cut, port::join));
  }

  /// @param ports the ports of nodes; the API server's is always attacked
  static FaultOption hostileClient(
      ArenaContext context,
      ServerUnderAttack server,
      List<InetSocketAddress> ports,
      List<String> paths) {
    List<String> all = new ArrayList<>(PATHS);
    all.addAll(paths);
    return FaultOption.of(
        FaultKind.HOSTILE_CLIENT,
        "clients of " + server.process().name(),
        3_000,
        15_000,
        new HostileClient(server::credentials, ports, all, context.calm(), context.log()));
  }

  /// A jump of the wall clock, and back at the end of the fault.
  static FaultOption jump(String target, ProcessClock clock) {
    FaultActor actor =
        seeded(
            random -> clock.jump(JUMPS.get(random.nextInt(JUMPS.size()))),
            () -> clock.jump(Duration.ZERO));
    return FaultOption.of(FaultKind.CLOCK_JUMP, target, 2_500, 8_000, actor);
  }

  /// The begin of a fault that varies with its seed.
  interface SeededChange {
    void apply(RandomGenerator random) throws IOException;
  }

  static FaultActor of(Change first, Change last) {
    return seeded(_ -> first.apply(), last);
  }

  static FaultActor seeded(SeededChange first, Change last) {
    return new FaultActor() {
      @Override
      public void begin(RandomGenerator random) throws IOException {
        first.apply(random);
      }

      @Override
      public void end() throws IOException {
        last.apply();
      }
    };
  }
}
