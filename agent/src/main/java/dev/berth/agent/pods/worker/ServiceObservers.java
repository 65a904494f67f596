package dev.berth.agent.pods.worker;

import dev.berth.agent.pods.metrics.PodMetrics;
import dev.berth.agent.pods.observed.ObservationListener;
import dev.berth.agent.pods.observed.ObservedContainer.State;
import dev.berth.agent.pods.observed.ObservedPod;
import dev.berth.agent.pods.observed.ServiceObserver;
import dev.berth.agent.runtimes.RuntimeEndpoint;
import dev.berth.agent.runtimes.RuntimeServices;
import dev.berth.client.DelayedActions;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/// One observer for each registered runtime service.
public final class ServiceObservers implements AutoCloseable {
  private final ObservationListener listener;
  private final DelayedActions delays;
  private final InstantSource clock;
  private final ConcurrentMap<String, ServiceObserver> byService = new ConcurrentHashMap<>();

  public ServiceObservers(
      ObservationListener listener, DelayedActions delays, InstantSource clock) {
    this.listener = listener;
    this.delays = delays;
    this.clock = clock;
  }

  /// Starts and closes observers as services are added and removed. One thread calls this at a
  /// time.
  public void follow(RuntimeServices runtimes) {
    List<RuntimeEndpoint> services = runtimes.runtimeServices();
    Set<String> names = new HashSet<>();
    for (RuntimeEndpoint service : services) {
      names.add(service.name());
      byService.compute(
          service.name(),
          (_, present) -> {
            if (present != null && present.service() == service) {
              present.activity();
              return present;
            }
            if (present != null) {
              present.close();
            }
            return ServiceObserver.start(service, listener, delays, clock);
          });
    }
    byService.forEach(
        (name, observer) -> {
          if (!names.contains(name) && byService.remove(name, observer)) {
            observer.close();
          }
        });
  }

  public @Nullable ServiceObserver of(RuntimeEndpoint service) {
    ServiceObserver observer = byService.get(service.name());
    return observer != null && observer.service() == service ? observer : null;
  }

  public Collection<ServiceObserver> all() {
    return List.copyOf(byService.values());
  }

  /// Counts the pods and containers that the observers know now.
  public PodMetrics.Present present() {
    int pods = 0;
    Map<String, Integer> containers = new TreeMap<>();
    for (ServiceObserver observer : all()) {
      for (String uid : observer.view().pods()) {
        Optional<ObservedPod> pod = observer.view().look(uid);
        pods += pod.flatMap(ObservedPod::usableSandbox).isPresent() ? 1 : 0;
        pod.stream()
            .flatMap(one -> one.containers().stream())
            .map(one -> one.isOver() ? State.EXITED : one.state())
            .forEach(
                state -> containers.merge(state.name().toLowerCase(Locale.ROOT), 1, Integer::sum));
      }
    }
    return new PodMetrics.Present(pods, containers);
  }

  @Override
  public void close() {
    byService.values().forEach(ServiceObserver::close);
  }
}
