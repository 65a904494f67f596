package dev.berth.launch.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiClient;
import dev.berth.client.LeaderElection;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.FakeApi;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class LeadershipGaugeTest {
  private static final ObjectKey LEASE = new ObjectKey("kube-system", "kube-scheduler");

  private final FakeApi server =
      new FakeApi(List.of(ResourceType.NAMESPACES, ResourceType.LEASES), InstantSource.system());
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final LeadershipGauge gauge = new LeadershipGauge(registry);

  @Test
  void theHolderOfTheLeaseShowsOneAndNobodyElse() throws InterruptedException {
    server.createNamespace("kube-system");
    CountDownLatch stopped = new CountDownLatch(1);
    try (LeaderElection holder = elect("first", stopped::countDown)) {
      awaitLeading(holder);
      gauge.show(holder);
      assertThat(shown()).containsExactly("kube-scheduler=1.0");
      try (LeaderElection candidate = elect("second", () -> {})) {
        gauge.show(candidate);
        assertThat(shown()).containsExactly("kube-scheduler=0.0");
      }
      gauge.show(holder);
    }
    assertThat(stopped.await(120, TimeUnit.SECONDS)).isTrue();
    assertThat(shown()).containsExactly("kube-scheduler=0.0");
  }

  private LeaderElection elect(String identity, AutoCloseable work) {
    return LeaderElection.start(
        new ApiClient(server),
        LEASE,
        identity,
        LeaderElection.Timing.USUAL,
        InstantSource.system(),
        () -> work);
  }

  private static void awaitLeading(LeaderElection election) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (!election.isLeading()) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.onSpinWait();
    }
  }

  private List<String> shown() {
    return registry.scrape(name -> name.equals("leader_election_master_status")).stream()
        .flatMap(snapshot -> ((GaugeSnapshot) snapshot).getDataPoints().stream())
        .map(point -> point.getLabels().get("name") + "=" + point.getValue())
        .toList();
  }
}
