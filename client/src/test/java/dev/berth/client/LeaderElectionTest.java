package dev.berth.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.fake.FakeApi;
import dev.berth.client.fake.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class LeaderElectionTest {
  private static final ObjectKey LEASE = new ObjectKey("default", "controllers");
  private static final LeaderElection.Timing FAST =
      new LeaderElection.Timing(
          Duration.ofSeconds(2), Duration.ofMillis(400), Duration.ofMillis(5));

  /// Asks as often, but keeps the lease though the machine is busy with something else.
  private static final LeaderElection.Timing STEADY =
      new LeaderElection.Timing(Duration.ofMinutes(2), Duration.ofMinutes(1), Duration.ofMillis(5));

  private final FakeApi server = Fixtures.server();
  private final ApiClient client = new ApiClient(server);

  @Test
  void leaseIsTakenOnlyWhenItHasNotBeenRenewedForItsWholeDuration() {
    ManualTime time = new ManualTime(Instant.parse("2026-01-01T00:00:00Z"));
    LeaseLock a = new LeaseLock(client, LEASE, "a", Duration.ofSeconds(15), time);
    LeaseLock b = new LeaseLock(client, LEASE, "b", Duration.ofSeconds(15), time);

    assertThat(a.tryHold()).isTrue();
    assertThat(b.tryHold()).isFalse();
    time.advance(Duration.ofSeconds(14));
    assertThat(a.tryHold()).as("renewal").isTrue();
    time.advance(Duration.ofSeconds(14));
    assertThat(b.tryHold()).as("sees the renewal only now").isFalse();
    time.advance(Duration.ofSeconds(15));
    assertThat(b.tryHold()).isTrue();
    assertThat(a.tryHold()).isFalse();

    ObjectNode spec = (ObjectNode) client.json(ResourceType.LEASES).get(LEASE).get("spec");
    assertThat(spec.path("holderIdentity").asText()).isEqualTo("b");
    assertThat(spec.path("leaseTransitions").asInt()).isEqualTo(1);
    assertThat(spec.path("acquireTime").asText()).isEqualTo("2026-01-01T00:00:43.000000Z");
  }

  @Test
  void releasedLeaseIsTakenAtOnce() {
    ManualTime time = new ManualTime(Instant.EPOCH);
    LeaseLock a = new LeaseLock(client, LEASE, "a", Duration.ofSeconds(15), time);
    LeaseLock b = new LeaseLock(client, LEASE, "b", Duration.ofSeconds(15), time);
    assertThat(a.tryHold()).isTrue();

    a.release();

    assertThat(b.tryHold()).isTrue();
  }

  @Test
  void workRunsOnOneCandidateAndMovesToTheNext() {
    AtomicInteger running = new AtomicInteger();
    LeaderElection first = candidate("first", STEADY, running);
    Await.until(first::isLeading);
    try (LeaderElection second = candidate("second", STEADY, running)) {
      assertThat(running).hasValue(1);
      first.close();
      Await.until(second::isLeading);
      Await.until(() -> running.get() == 1);
    }
    assertThat(running).hasValue(0);
  }

  @Test
  void leaderThatGetsNoAnswerStopsItsWorkInTime() {
    AtomicInteger running = new AtomicInteger();
    try (LeaderElection only = candidate("only", FAST, running)) {
      Await.until(() -> running.get() == 1);
      try (var _ = server.mute(_ -> true)) {
        Await.until(() -> running.get() == 0);
        assertThat(only.isLeading()).isFalse();
      }
      Await.until(() -> running.get() == 1);
    }
  }

  private LeaderElection candidate(
      String identity, LeaderElection.Timing timing, AtomicInteger running) {
    return LeaderElection.start(
        client,
        LEASE,
        identity,
        timing,
        InstantSource.system(),
        () -> {
          running.incrementAndGet();
          return running::decrementAndGet;
        });
  }
}
