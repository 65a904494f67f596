package dev.berth.launch.controlplane;

import dev.berth.client.LeaderElection;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Reports per lease whether this process is the leader, with upstream's metric. Any thread may
/// call it; a component that starts again replaces its election.
final class LeadershipGauge {
  private final Map<String, LeaderElection> elections = new ConcurrentHashMap<>();

  LeadershipGauge(PrometheusRegistry registry) {
    GaugeWithCallback.builder()
        .name("leader_election_master_status")
        .help(
            "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master. 'name' is the string used to identify the lease.")
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
