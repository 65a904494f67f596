package dev.berth.agent.node;

import dev.berth.agent.node.machine.MachineFacts;
import dev.berth.agent.pressure.Pressure;
import dev.berth.agent.runtimes.Origin;
import dev.berth.agent.runtimes.RuntimeService;
import dev.berth.agent.runtimes.RuntimeSnapshot;
import dev.berth.agent.runtimes.health.Discovered;
import dev.berth.agent.runtimes.health.Handlers;
import dev.berth.agent.runtimes.health.Health;
import dev.berth.agent.runtimes.health.RuntimeVersion;
import dev.berth.agent.runtimes.registration.Handler;
import dev.berth.api.Problem;
import dev.berth.api.pods.WorkloadType;
import dev.berth.cri.CriEndpoint;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Machines and runtime services as tests need them.
final class TestNodes {
  static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  static final Health READY = new Health.Ready(NOW);
  static final Health DOWN =
      new Health.NotReady(NOW, new Problem("it hangs", "no answer", ""), false, false);
  static final Set<Pressure> ROOMY = Set.of();
  static final MachineFacts MACHINE =
      new MachineFacts(
          "linux",
          "amd64",
          "",
          "6.1.0",
          "Debian",
          MachineFacts.Ids.UNKNOWN,
          new MachineFacts.Size(4, 8L << 30, 100L << 30, Map.of("hugepages-2Mi", 0L)));
  static final NodeOptions OPTIONS = NodeOptions.of("node-1", InetAddress.ofLiteral("192.0.2.7"));

  private TestNodes() {}

  static RuntimeService container(String name, Health health, boolean isDefault, Handler... offer) {
    return service(name, WorkloadType.CONTAINER, health, isDefault, offer);
  }

  static RuntimeService service(
      String name, WorkloadType type, Health health, boolean isDefault, Handler... offer) {
    CriEndpoint endpoint = new CriEndpoint.InProcess(name);
    Discovered discovered =
        new Discovered(
            new RuntimeVersion("fake", "1.2", "v1"),
            new Handlers(Handlers.Source.REPORTED, List.of(offer)),
            List.of(),
            true,
            false);
    return new RuntimeService(
        name, type, endpoint, endpoint, discovered, health, isDefault, new Origin.Configured());
  }

  static RuntimeSnapshot snapshot(RuntimeService... services) {
    return new RuntimeSnapshot(1, List.of(services), List.of());
  }

  static Observed observed(RuntimeService... services) {
    return new Observed(MACHINE, snapshot(services), ROOMY, List.of(), 10250);
  }
}
