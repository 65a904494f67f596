package dev.berth.agent.runtimes.registry;

import dev.berth.agent.runtimes.OwnSandboxes;
import dev.berth.agent.runtimes.PodRequest;
import dev.berth.agent.runtimes.RegistryContext;
import dev.berth.agent.runtimes.ServiceRegistration;
import dev.berth.agent.runtimes.health.HealthTimings;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.agent.runtimes.testing.FakeNode;
import dev.berth.agent.runtimes.testing.FakeRuntime;
import dev.berth.api.pods.WorkloadType;
import dev.berth.client.fake.ManualTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A registry over runtimes in this process, in time that the test moves.
///
/// A name that begins with `v` is that of a service for virtual machines.
public final class TestRegistry implements AutoCloseable {
  public final FakeNode node = new FakeNode();
  public final ManualTime time = new ManualTime(Instant.EPOCH);
  private final Path directory;
  private final Map<String, FakeRuntime> runtimes = new HashMap<>();
  private @Nullable RuntimeRegistry registry;

  public TestRegistry(Path directory) {
    this.directory = directory;
  }

  /// The runtime of a service, with its knobs; it runs once it is started.
  public FakeRuntime runtime(String name) {
    return runtimes.computeIfAbsent(name, _ -> new FakeRuntime());
  }

  public void start(String... names) {
    for (String name : names) {
      node.start(name, runtime(name));
    }
  }

  public RuntimeRegistry open(String... names) throws IOException {
    return openAs(OwnSandboxes.ALL, names);
  }

  /// Opens a registry of runtimes.
  ///
  /// @param own which sandboxes count
  public RuntimeRegistry openAs(OwnSandboxes own, String... names) throws IOException {
    close(registry);
    List<ServiceRegistration> registrations =
        ServiceRegistration.configured(Arrays.stream(names).map(this::declaration).toList());
    registry =
        RuntimeRegistry.open(
            directory,
            registrations,
            new RegistryContext(node.channels, node.metrics, HealthTimings.STANDARD, time, time)
                .with(own));
    return registry;
  }

  /// With all services started and ready.
  public RuntimeRegistry openReady(String... names) throws IOException {
    start(names);
    RuntimeRegistry opened = open(names);
    for (String name : names) {
      awaitHealth(name, "Ready");
      awaitRecovery(name);
    }
    return opened;
  }

  public RuntimeDeclaration declaration(String name) {
    return new RuntimeDeclaration(
        name, name.startsWith("v") ? WorkloadType.VM : WorkloadType.CONTAINER, node.endpoint(name));
  }

  public void awaitHealth(String name, String word) {
    passTimeUntil(
        name + " is " + word,
        () -> registry().snapshot().find(name).orElseThrow().health().word().equals(word));
  }

  public void awaitRecovery(String name) {
    passTimeUntil(name + " has told its pods", () -> registry().bindings().hasAnswered(name));
  }

  public void passTimeUntil(String what, BooleanSupplier condition) {
    Await.until(
        what,
        () -> {
          time.advance(Duration.ofMillis(10));
          return condition.getAsBoolean();
        });
  }

  RuntimeRegistry registry() {
    return Objects.requireNonNull(registry);
  }

  public static PodRequest pod(String uid) {
    return new PodRequest(uid, "test/" + uid, WorkloadType.CONTAINER, null, false, false);
  }

  public static PodRequest startedPod(String uid) {
    return new PodRequest(uid, "test/" + uid, WorkloadType.CONTAINER, null, false, true);
  }

  public static PodRequest pod(String uid, String service) {
    return new PodRequest(uid, "test/" + uid, WorkloadType.CONTAINER, service, false, false);
  }

  @Override
  public void close() {
    close(registry);
    node.close();
  }

  private static void close(@Nullable RuntimeRegistry open) {
    if (open != null) {
      open.close();
    }
  }
}
