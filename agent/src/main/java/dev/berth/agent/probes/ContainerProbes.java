package dev.berth.agent.probes;

import dev.berth.client.DelayedActions;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// Probes all containers of this node; no probe delays another one.
public final class ContainerProbes implements ProbeWorkers {
  private final ProbeRunner checks = new ProbeRunner();
  private final DelayedActions delays;
  private final InstantSource clock;
  private final ProbeMetrics metrics;
  private final ConcurrentMap<String, ProbedContainer> containers = new ConcurrentHashMap<>();

  public ContainerProbes(DelayedActions delays, InstantSource clock, ProbeMetrics metrics) {
    this.delays = delays;
    this.clock = clock;
    this.metrics = metrics;
  }

  @Override
  public void follow(Subject subject, ProbeListener listener) {
    if (ProbedContainer.hasProbes(subject.container())) {
      containers.computeIfAbsent(
          subject.containerId(),
          _ -> ProbedContainer.start(subject, listener, checks, delays, clock, metrics));
    }
  }

  @Override
  public Verdict verdict(String containerId) {
    ProbedContainer container = containers.get(containerId);
    return container == null ? Verdict.UNPROBED : container.verdict();
  }

  @Override
  public void stopping(String containerId) {
    ProbedContainer container = containers.get(containerId);
    if (container != null) {
      container.stopping();
    }
  }

  @Override
  public void forget(String containerId) {
    ProbedContainer container = containers.remove(containerId);
    if (container != null) {
      container.close();
    }
  }

  @Override
  public void close() {
    containers.keySet().forEach(this::forget);
  }
}
