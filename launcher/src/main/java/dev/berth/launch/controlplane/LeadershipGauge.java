package dev.berth.launch.controlplane;

import dev.berth.client.LeaderElection;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Says by lease whether this process is the one that works, under upstream's name.
final class LeadershipGauge {
  private final Map<String, LeaderElection> elections = new ConcurrentHashMap<>();

  LeadershipGauge(PrometheusRegistry registry) {
    GaugeWithCallback.builder()
        .name("leader_election_master_status")
        .help("1 while this process holds the lease and works, 0 while it is a candidate.")
        .labelNames("name")
        .callback(gauge -> elections.forEach((name, one) -> gauge.call(status(one), name)))
        .register(registry);
  }

  private static double status(LeaderElection election) {
    return election.isLeading() ? 1 : 0;
  }

  /// Shows this election from now on, instead of an earlier one for the same lease.
  LeaderElection show(LeaderElection election) {
    elections.put(election.name(), election);
    return election;
  }
}
