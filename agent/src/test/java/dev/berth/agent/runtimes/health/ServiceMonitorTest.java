package dev.berth.agent.runtimes.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.health.ServiceHealth.NotReady;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.agent.runtimes.testing.FakeNode;
import dev.berth.agent.runtimes.testing.FakeRuntime;
import dev.berth.client.fake.ManualTime;
import dev.berth.cri.CriConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ServiceMonitorTest {
  private final FakeNode node = new FakeNode();
  private final FakeRuntime runtime = new FakeRuntime();
  private final ManualTime time = new ManualTime(Instant.EPOCH);
  private final CriConnection connection = node.channels.open("a", node.endpoint("a"));
  private final List<HealthReport> reports = new CopyOnWriteArrayList<>();
  private @Nullable ServiceMonitor monitor;

  @AfterEach
  void close() {
    if (monitor != null) {
      monitor.close();
    }
    connection.close();
    node.close();
  }

  @Test
  void aServiceBecomesReadyAndTellsWhatItOffers() {
    node.start("a", runtime);
    watch();

    awaitHealth("Ready");

    assertThat(Objects.requireNonNull(last().discovered()).handlers()).hasToString("runc");
  }

  @Test
  void aDeadServiceIsNotReadyAtOnceAndReadyAgainWhenItAnswers() {
    node.start("a", runtime);
    watch();
    awaitHealth("Ready");

    node.kill("a");
    awaitHealth("NotReady");
    runtime.version = "2.0";
    node.start("a", runtime);
    passTimeUntilHealth("Ready");

    // Another server may be behind the same endpoint: everything was asked again.
    assertThat(Objects.requireNonNull(last().discovered()).version().runtimeVersion())
        .isEqualTo("2.0");
  }

  @Test
  void aServiceThatIsAbsentAtFirstIsFoundLater() {
    watch();
    awaitHealth("NotReady");

    node.start("a", runtime);

    passTimeUntilHealth("Ready");
  }

  @Test
  void aServiceThatHangsIsNotReadyAfterTheLimitAndItsCallIsCancelled() {
    node.start("a", runtime);
    watch();
    awaitHealth("Ready");
    runtime.hangs = true;
    passTimeUntilAsked();

    time.advance(HealthTimings.STANDARD.probeLimit());
    awaitHealth("NotReady");

    assertThat(((NotReady) last().health()).reason().why())
        .isEqualTo("it did not answer within 5 seconds");
    Await.until("the call is cancelled", () -> runtime.cancelledCalls.get() > 0);
    runtime.hangs = false;
    passTimeUntilHealth("Ready");
  }

  @Test
  void conditionsOfTheRuntimeAreFollowed() {
    runtime.networkReady = false;
    node.start("a", runtime);
    watch();
    awaitHealth("NotReady");
    assertThat(((NotReady) last().health()).computeReady()).isTrue();

    runtime.networkReady = true;

    passTimeUntilHealth("Ready");
  }

  @Test
  void nothingIsToldWhenNothingChanges() {
    node.start("a", runtime);
    watch();
    awaitHealth("Ready");
    passTimeUntilAsked();
    int told = reports.size();
    passTimeUntilAsked();
    passTimeUntilAsked();

    assertThat(reports).hasSize(told);
  }

  @Test
  void closingEndsTheProbeThatIsUnderWay() {
    runtime.hangs = true;
    node.start("a", runtime);
    ServiceMonitor closed = watch();
    Await.until("the runtime is asked", () -> runtime.versionCalls.get() > 0);

    closed.close();

    Await.until("the call is cancelled", () -> runtime.cancelledCalls.get() > 0);
    Await.until("no timer is left", () -> time.pendingCount() == 0);
    assertThat(reports).isEmpty();
  }

  private ServiceMonitor watch() {
    monitor =
        ServiceMonitor.start(
            connection, List.of(), HealthTimings.STANDARD, time, time, reports::add);
    return monitor;
  }

  private HealthReport last() {
    return reports.getLast();
  }

  private void awaitHealth(String word) {
    Await.until("health is " + word, () -> isHealth(word));
  }

  private void passTimeUntilHealth(String word) {
    passTimeUntil("health is " + word, () -> isHealth(word));
  }

  private void passTimeUntilAsked() {
    int asked = calls();
    passTimeUntil("the runtime is asked", () -> calls() > asked);
  }

  private int calls() {
    return runtime.versionCalls.get() + runtime.statusCalls.get();
  }

  /// Slowly enough for a probe to be answered within its limit.
  private void passTimeUntil(String what, BooleanSupplier condition) {
    Await.until(
        what,
        () -> {
          time.advance(Duration.ofMillis(10));
          return condition.getAsBoolean();
        });
  }

  private boolean isHealth(String word) {
    return !reports.isEmpty() && last().health().word().equals(word);
  }
}
