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

/// A registered runtime service that can be called.
///
/// Calls go straight to the connection: belonging to a registry costs them nothing.
public final class RuntimeEndpoint {
  private final ServiceRegistration registration;
  private final CriConnection connection;
  private final CriConnection imageConnection;
  private final ImageService imageService;

  // The monitor and the loop are set once, when the endpoint is started.
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

  /// Only services for virtual machines have it; others refuse every call as unimplemented.
  public VmClient virtualMachines() {
    return connection.virtualMachines();
  }

  /// How the service is at this moment, as far as is known.
  public ServiceHealth health() {
    Instant gone = goneSince;
    if (gone != null) {
      return new ServiceHealth.Gone(gone);
    }
    Instant drained = drainedSince;
    ServiceHealth health = report.health();
    return drained == null ? health : new ServiceHealth.Draining(drained, health);
  }

  /// What the service told about itself last; empty until it answered once.
  public Optional<DiscoveredService> discovered() {
    return Optional.ofNullable(report.discovered());
  }

  /// Conditions, handlers and features: asks the service now, rather than tell what is known.
  public DiscoveredService status() {
    return new ServiceDiscovery(runtime(), registration.declaration().handlers()).ask(null);
  }

  /// Name and version: asks the service now, rather than tell what is known.
  public RuntimeVersion version() {
    return ServiceDiscovery.version(typedVersion());
  }

  /// The service's whole answer to a call of `Version`.
  public VersionResponse typedVersion() {
    return runtime().version();
  }

  public ServiceRegistration registration() {
    return registration;
  }

  /// Starts to watch the service and to find its pods.
  ///
  /// @param news gets what the monitor finds, on a thread of this service alone
  /// @param sandboxes gets what it has, once it answers
  public void start(
      RegistryContext dependencies,
      Consumer<HealthReport> news,
      Consumer<List<PodSandbox>> sandboxes) {
    monitor =
        ServiceMonitor.start(
            connection,
            registration.declaration().handlers(),
            dependencies.timings(),
            dependencies.delays(),
            dependencies.clock(),
            news);
    recovery = RecoveryLoop.start(name(), runtime(), dependencies.delays(), sandboxes);
  }

  public void report(HealthReport news) {
    report = news;
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

  /// Ends everything of this service; calls under way fail.
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
