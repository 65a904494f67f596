package dev.berth.agent.runtimes.registry;

import dev.berth.agent.runtimes.RegistryContext;
import dev.berth.agent.runtimes.RuntimeEndpoint;
import dev.berth.agent.runtimes.RuntimeServices.Following;
import dev.berth.agent.runtimes.RuntimeSnapshot;
import dev.berth.agent.runtimes.ServiceClaimedException;
import dev.berth.agent.runtimes.ServiceRegistration;
import dev.berth.agent.runtimes.bindings.PodBindings;
import dev.berth.agent.runtimes.registry.RemovalResult.Refused;
import dev.berth.agent.runtimes.registry.RemovalResult.Removed;
import dev.berth.api.Problem;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The registered runtime services: added, drained and removed while the agent runs.
///
/// Readers use an immutable snapshot without a lock; changes are serialized.
public final class ServiceSet {
  private static final Logger log = LoggerFactory.getLogger(ServiceSet.class);

  /// The time after a change in which more changes are expected: administrators make several in a
  /// row.
  private static final Duration SETTLING = Duration.ofSeconds(30);

  private final RegistryContext dependencies;
  private final PodBindings bindings;
  private final RegistryListeners followers = new RegistryListeners();
  private final ReentrantLock lock = new ReentrantLock();

  // The five fields below are guarded by the lock; the last three are read without it.
  private final List<RuntimeEndpoint> endpoints = new ArrayList<>();
  private final Set<String> retiring = new HashSet<>();
  private volatile List<Problem> reported = List.of();
  private volatile Instant changedAt;
  private volatile boolean closed;

  /// The snapshot for readers. Replaced as a whole, under the lock.
  private volatile RegistrySnapshot registrySnapshot = RegistrySnapshot.of(0, List.of(), List.of());

  ServiceSet(RegistryContext dependencies, PodBindings bindings) {
    this.dependencies = dependencies;
    this.bindings = bindings;
    this.changedAt = dependencies.clock().instant();
  }

  /// The service of this name; null when there is none. Takes no lock.
  @Nullable RuntimeEndpoint find(String name) {
    return registrySnapshot.byName().get(name);
  }

  List<RuntimeEndpoint> all() {
    return registrySnapshot.inOrder();
  }

  RuntimeSnapshot snapshot() {
    return registrySnapshot.snapshot();
  }

  boolean takesPods(String name) {
    RuntimeEndpoint endpoint = find(name);
    return endpoint != null && !endpoint.isDraining();
  }

  Following follow(Consumer<RuntimeSnapshot> listener) {
    lock.lock();
    try {
      return followers.follow(registrySnapshot.snapshot(), listener);
    } finally {
      lock.unlock();
    }
  }

  /// Registers the services of the agent's start. All of them count as unanswered before the first
  /// one is asked for its pods.
  ///
  /// @throws ServiceClaimedException when another agent acts on one of them: without that service
  ///   its pods would count as lost
  void addAll(List<ServiceRegistration> registrations) {
    requireClaims(registrations);
    lock.lock();
    try {
      List<RuntimeEndpoint> added = new ArrayList<>();
      for (ServiceRegistration registration : registrations) {
        Optional<Problem> obstacle = obstacles().toAdd(registration);
        obstacle.ifPresent(
            problem -> {
              log.warn("{}", problem);
              release(registration);
            });
        if (obstacle.isEmpty()) {
          added.add(insert(endpoints.size(), registration, drainedAtStart(registration)));
        }
      }
      added.forEach(this::start);
    } finally {
      lock.unlock();
    }
  }

  private void requireClaims(List<ServiceRegistration> registrations) {
    List<ServiceRegistration> claimed = new ArrayList<>();
    for (ServiceRegistration registration : registrations) {
      Optional<Problem> obstacle = dependencies.claims().claim(registration.declaration());
      if (obstacle.isPresent()) {
        claimed.forEach(this::release);
        throw new ServiceClaimedException(obstacle.get());
      }
      claimed.add(registration);
    }
  }

  private void release(ServiceRegistration registration) {
    dependencies.claims().release(registration.declaration());
  }

  /// Why a service cannot be added; empty when it can.
  public Optional<Problem> obstacleTo(ServiceRegistration registration) {
    return obstacles().toAdd(registration);
  }

  /// Registers a service.
  ///
  /// @return why that is not possible
  public Optional<Problem> add(ServiceRegistration registration) {
    // Outside the lock: the check for other agents may take seconds.
    Optional<Problem> claimed = dependencies.claims().claim(registration.declaration());
    if (claimed.isPresent()) {
      return claimed;
    }
    lock.lock();
    try {
      Optional<Problem> obstacle = obstacles().toAdd(registration);
      if (obstacle.isEmpty()) {
        start(insert(endpoints.size(), registration, drainedAtStart(registration)));
      } else {
        release(registration);
      }
      return obstacle;
    } finally {
      lock.unlock();
    }
  }

  /// Registers a service again under its name; its pods stay bound to it.
  ///
  /// @return why that is not possible
  public Optional<Problem> replace(ServiceRegistration registration) {
    Optional<Problem> claimed = dependencies.claims().claim(registration.declaration());
    if (claimed.isPresent()) {
      return claimed;
    }
    RuntimeEndpoint old;
    lock.lock();
    try {
      old = find(registration.name());
      Optional<Problem> obstacle =
          old == null
              ? Optional.of(obstacles().absent(registration.name()))
              : obstacles().toReplace(old, registration);
      if (old == null || obstacle.isPresent()) {
        release(registration);
        return obstacle;
      }
      int place = endpoints.indexOf(old);
      endpoints.remove(place);
      retiring.remove(registration.name());
      start(insert(place, registration, old.drainedSince()));
    } finally {
      lock.unlock();
    }
    close(old);
    return Optional.empty();
  }

  /// Drains a service: no new pods; present pods keep running.
  public Optional<Problem> drain(String name) {
    return setDrained(name, dependencies.clock().instant());
  }

  /// Takes back a drain.
  public Optional<Problem> resume(String name) {
    return setDrained(name, null);
  }

  private Optional<Problem> setDrained(String name, @Nullable Instant since) {
    if (find(name) == null) {
      return Optional.of(obstacles().absent(name));
    }
    // Outside the lock: a slow disk must not delay updates of other services.
    if (since == null) {
      bindings.resume(name);
    } else {
      bindings.drain(name, since);
    }
    lock.lock();
    try {
      RuntimeEndpoint endpoint = find(name);
      if (endpoint == null) {
        return Optional.of(obstacles().absent(name));
      }
      if (since == null) {
        retiring.remove(name);
        endpoint.drain(null);
      } else if (!endpoint.isDraining()) {
        endpoint.drain(since);
      }
      publish();
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /// Whether no registration is pending: nothing has changed for a while, and no file is unusable
  /// that may declare a missing service.
  boolean isSettled() {
    return !closed
        && reported.isEmpty()
        && !dependencies.clock().instant().isBefore(changedAt.plus(SETTLING));
  }

  /// Removes a service without pods.
  ///
  /// @param force whether to remove a service with pods, which are let go
  public RemovalResult remove(String name, boolean force) {
    RuntimeEndpoint endpoint;
    lock.lock();
    try {
      endpoint = find(name);
      if (endpoint == null) {
        return removeAbsent(name, force);
      }
      // Admission stops first, then pods are counted: see
      // [dev.berth.agent.runtimes.bindings.PodBindings#bind].
      Instant before = endpoint.drainedSince();
      endpoint.drain(before == null ? dependencies.clock().instant() : before);
      int pods = bindings.count(name);
      if (pods > 0 && !force) {
        endpoint.drain(before);
        return new Refused(ChangeObstacles.podsAreBound(name, pods));
      }
      endpoints.remove(endpoint);
      retiring.remove(name);
      changedAt = dependencies.clock().instant();
      publish();
    } finally {
      lock.unlock();
    }
    close(endpoint);
    dependencies.metrics().forget(name);
    bindings.resume(name);
    var removed = new Removed(bindings.forget(name));
    log.info("runtime service removed name={} podsLetGo={}", name, removed.letGo().size());
    return removed;
  }

  /// Removes a service that only an earlier agent had registered.
  private RemovalResult removeAbsent(String name, boolean force) {
    return force && bindings.count(name) > 0
        ? new Removed(bindings.forget(name))
        : new Refused(obstacles().absent(name));
  }

  /// Removes a service as soon as it has no pods; until then it is drained.
  public void retire(String name) {
    if (drain(name).isPresent()) {
      return; // Already removed.
    }
    lock.lock();
    try {
      retiring.add(name);
    } finally {
      lock.unlock();
    }
    podsChanged();
  }

  /// Removes retired services that have no pods any more.
  void podsChanged() {
    List<String> due;
    lock.lock();
    try {
      if (retiring.isEmpty()) {
        return;
      }
      due = retiring.stream().filter(name -> bindings.count(name) == 0).toList();
    } finally {
      lock.unlock();
    }
    due.forEach(name -> remove(name, false));
  }

  /// Publishes registration problems in snapshots.
  public void report(List<Problem> problems) {
    lock.lock();
    try {
      if (!reported.equals(problems)) {
        reported = List.copyOf(problems);
        publish();
      }
    } finally {
      lock.unlock();
    }
  }

  void close() {
    List<RuntimeEndpoint> open;
    lock.lock();
    try {
      open = List.copyOf(endpoints);
      closed = true;
      endpoints.clear();
      publish();
    } finally {
      lock.unlock();
    }
    followers.close();
    open.forEach(this::close);
  }

  /// Closes the endpoint before its claim is released to other agents.
  private void close(RuntimeEndpoint endpoint) {
    endpoint.close(dependencies.clock().instant());
    release(endpoint.registration());
  }

  /// The caller holds the lock.
  private RuntimeEndpoint insert(
      int place, ServiceRegistration registration, @Nullable Instant drainedSince) {
    bindings.expect(registration.name());
    var endpoint = new RuntimeEndpoint(registration, dependencies);
    endpoint.drain(drainedSince);
    endpoints.add(place, endpoint);
    changedAt = dependencies.clock().instant();
    publish();
    log.info("runtime service registered {} origin={}", endpoint, registration.origin());
    return endpoint;
  }

  /// Called with the lock held.
  private void start(RuntimeEndpoint endpoint) {
    endpoint.start(
        dependencies,
        newest -> publishIfPresent(endpoint, () -> endpoint.report(newest)),
        sandboxes -> {
          if (find(endpoint.name()) == endpoint) {
            bindings.recover(endpoint.name(), dependencies.own().of(sandboxes));
            publishIfPresent(endpoint, () -> {});
          }
        });
  }

  /// Ignores updates of a service that was removed or replaced in between.
  private void publishIfPresent(RuntimeEndpoint endpoint, Runnable change) {
    lock.lock();
    try {
      if (find(endpoint.name()) == endpoint) {
        change.run();
        publish();
      }
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Instant drainedAtStart(ServiceRegistration registration) {
    return bindings.drainedAtStart().get(registration.name());
  }

  /// Called with the lock held.
  private void publish() {
    List<Problem> problems = new ArrayList<>(reported);
    problems.addAll(bindings.conflicts());
    registrySnapshot =
        RegistrySnapshot.of(registrySnapshot.snapshot().version() + 1, endpoints, problems);
    followers.publish(registrySnapshot.snapshot());
  }

  private ChangeObstacles obstacles() {
    return new ChangeObstacles(registrySnapshot.inOrder(), bindings);
  }
}
