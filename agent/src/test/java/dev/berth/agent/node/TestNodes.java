package dev.berth.agent.node;

import dev.berth.agent.node.machine.MachineInfo;
import dev.berth.agent.pressure.PressureCondition;
import dev.berth.agent.runtimes.RegistrationOrigin;
import dev.berth.agent.runtimes.RuntimeService;
import dev.berth.agent.runtimes.RuntimeSnapshot;
import dev.berth.agent.runtimes.health.DiscoveredService;
import dev.berth.agent.runtimes.health.RuntimeVersion;
import dev.berth.agent.runtimes.health.ServiceHandlers;
import dev.berth.agent.runtimes.health.ServiceHealth;
import dev.berth.agent.runtimes.registration.ServiceHandler;
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
  static final ServiceHealth READY = new ServiceHealth.Ready(NOW);
  static final ServiceHealth DOWN =
      new ServiceHealth.NotReady(NOW, new Problem("it hangs", "no answer", ""), false, false);
  static final Set<PressureCondition> ROOMY = Set.of();
  static final MachineInfo MACHINE =
      new MachineInfo(
          "linux",
          "amd64",
          "",
          "6.1.0",
          "Debian",
          MachineInfo.Ids.UNKNOWN,
          new MachineInfo.Size(4, 8L << 30, 100L << 30, Map.of("hugepages-2Mi", 0L)));
  static final NodeOptions OPTIONS = NodeOptions.of("node-1", InetAddress.ofLiteral("192.0.2.7"));

  private TestNodes() {}

  static RuntimeService container(
      String name, ServiceHealth health, boolean isDefault, ServiceHandler... offer) {
    return service(name, WorkloadType.CONTAINER, health, isDefault, offer);
  }

  static RuntimeService service(
      String name,
      WorkloadType type,
      ServiceHealth health,
      boolean isDefault,
      ServiceHandler... offer) {
    CriEndpoint endpoint = new CriEndpoint.InProcess(name);
    DiscoveredService discovered =
        new DiscoveredService(
            new RuntimeVersion("fake", "1.2", "v1"),
            new ServiceHandlers(ServiceHandlers.Source.REPORTED, List.of(offer)),
            List.of(),
            true,
            false);
    return new RuntimeService(
        name,
        type,
        endpoint,
        endpoint,
        discovered,
        health,
        isDefault,
        new RegistrationOrigin.Configured());
  }

  static RuntimeSnapshot snapshot(RuntimeService... services) {
    return new RuntimeSnapshot(1, List.of(services), List.of());
  }

  static ObservedNode observed(RuntimeService... services) {
    return new ObservedNode(MACHINE, snapshot(services), ROOMY, List.of(), List.of(), 10250);
  }
}
