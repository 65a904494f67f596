package dev.berth.agent.runtimes;

import dev.berth.agent.runtimes.health.DiscoveredService;
import dev.berth.agent.runtimes.health.HealthReport;
import dev.berth.agent.runtimes.health.RuntimeVersion;
import dev.berth.agent.runtimes.health.ServiceDiscovery;
import dev.berth.agent.runtimes.health.ServiceHealth;
import dev.berth.agent.runtimes.health.ServiceMonitor;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.cri.CriConnection;
import dev.berth.cri.ImageClient;
import dev.berth.cri.RuntimeClient;
import dev.berth.cri.VmClient;
import dev.berth.cri.v1.PodSandbox;
import dev.berth.cri.v1.VersionResponse;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A registered runtime service with its connection.
///
/// Calls go directly to the connection: the registry adds no cost to them.
public final class RuntimeEndpoint {
  private final ServiceRegistration registration;
  private final CriConnection connection;
  private final CriConnection imageConnection;
  private final ImageService imageService;

  // The monitor and the loop are set once, by the start.
  private @Nullable ServiceMonitor monitor;
  private @Nullable RecoveryLoop recovery;

  // Written by the registry, the first two under its lock.
  private volatile HealthReport report;
  private volatile @Nullable Instant drainedSince;
  private volatile @Nullable Instant goneSince;

  public RuntimeEndpoint(ServiceRegistration registration, RegistryContext dependencies) {
    this.registration = registration;
    RuntimeDeclaration declaration = registration.declaration();
    this.connection = dependencies.channels().open(declaration.name(), declaration.endpoint());
    this.imageConnection =
        declaration.imageEndpoint().equals(declaration.endpoint())
            ? connection
            : dependencies.channels().open(declaration.name(), declaration.imageEndpoint());
    this.imageService =
        new ImageService(
            declaration.name(),
            declaration.workloadType(),
            declaration.imageEndpoint(),
            imageConnection.images());
    this.report =
        new HealthReport(new ServiceHealth.Connecting(dependencies.clock().instant()), null);
  }

  public String name() {
    return registration.name();
  }

  public RuntimeClient runtime() {
    return connection.runtime();
  }

  public ImageClient images() {
    return imageConnection.images();
  }

  public ImageService imageService() {
    return imageService;
  }

  /// Only services for virtual machines implement it; others answer UNIMPLEMENTED.
  public VmClient virtualMachines() {
    return connection.virtualMachines();
  }

  /// The current health, as far as it is known.
  public ServiceHealth health() {
    Instant gone = goneSince;
    if (gone != null) {
      return new ServiceHealth.Gone(gone);
    }
    Instant drained = drainedSince;
    ServiceHealth health = report.health();
    return drained == null ? health : new ServiceHealth.Draining(drained, health);
  }

  /// The result of the last discovery; empty until the first answer.
  public Optional<DiscoveredService> discovered() {
    return Optional.ofNullable(report.discovered());
  }

  /// Asks the service for conditions, handlers and features now.
  public DiscoveredService status() {
    return new ServiceDiscovery(runtime(), registration.declaration().handlers()).ask(null);
  }

  /// Asks the service for its name and version now.
  public RuntimeVersion version() {
    return ServiceDiscovery.version(typedVersion());
  }

  /// The complete answer to a `Version` call.
  public VersionResponse typedVersion() {
    return runtime().version();
  }

  public ServiceRegistration registration() {
    return registration;
  }

  /// Starts to monitor the service and to recover its pods.
  ///
  /// @param reports receives what the monitor finds, on a thread of this service alone
  /// @param sandboxes receives the service's sandboxes once it answers
  public void start(
      RegistryContext dependencies,
      Consumer<HealthReport> reports,
      Consumer<List<PodSandbox>> sandboxes) {
    monitor =
        ServiceMonitor.start(
            connection,
            registration.declaration().handlers(),
            dependencies.timings(),
            dependencies.delays(),
            dependencies.clock(),
            reports);
    recovery = RecoveryLoop.start(name(), runtime(), dependencies.delays(), sandboxes);
  }

  public void report(HealthReport newest) {
    report = newest;
  }

  public void drain(@Nullable Instant since) {
    drainedSince = since;
  }

  public @Nullable Instant drainedSince() {
    return drainedSince;
  }

  public boolean isDraining() {
    return drainedSince != null;
  }

  public RuntimeService view(boolean isDefault) {
    RuntimeDeclaration declaration = registration.declaration();
    return new RuntimeService(
        declaration.name(),
        declaration.workloadType(),
        declaration.endpoint(),
        declaration.imageEndpoint(),
        report.discovered(),
        health(),
        isDefault,
        registration.origin());
  }

  /// Closes the connection, the monitor and the loop; calls in progress fail.
  public void close(Instant now) {
    goneSince = now;
    if (recovery != null) {
      recovery.close();
    }
    if (monitor != null) {
      monitor.close();
    }
    connection.close();
    if (imageConnection != connection) {
      imageConnection.close();
    }
  }

  @Override
  public String toString() {
    return registration.declaration().toString();
  }
}
