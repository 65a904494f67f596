package dev.berth.server.metricsapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.server.metricsapi.MeasuredUsage.Amount;
import dev.berth.server.metricsapi.NodeSample.ContainerName;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Rates come from two readings, and readings are made only when somebody asks.
class NodeUsageCacheTest {
  private static final ContainerName WEB = new ContainerName("shop", "web", "main");

  private Instant now = Instant.parse("2030-01-01T00:00:00Z");
  private final List<Duration> pauses = new ArrayList<>();
  private final List<String> containers = new ArrayList<>(List.of("main"));
  private int readings;

  /// The node uses half a processor, each container a tenth.
  private final NodeUsageCache gauge =
      new NodeUsageCache(
          this::read,
          () -> now,
          time -> {
            pauses.add(time);
            now = now.plus(time);
          });

  private String read() {
    readings++;
    double seconds = now.getEpochSecond() % 100_000;
    StringBuilder text = new StringBuilder("# TYPE node_cpu_usage_seconds_total counter\n");
    line(text, "node_cpu_usage_seconds_total", "", seconds * 0.5);
    line(text, "node_memory_working_set_bytes", "", 4096);
    for (String container : containers) {
      String labels = "{container=\"%s\",namespace=\"shop\",pod=\"web\"}".formatted(container);
      line(text, "container_cpu_usage_seconds_total", labels, seconds * 0.1);
      line(text, "container_memory_working_set_bytes", labels, 1.5e6);
    }
    return text.append("scrape_error 0\n").toString();
  }

  private void line(StringBuilder text, String name, String labels, double value) {
    text.append(
        String.format(Locale.ROOT, "%s%s %s %d%n", name, labels, value, now.toEpochMilli()));
  }

  @Test
  void theFirstAnswerTakesTwoReadingsASecondApart() throws Exception {
    MeasuredUsage usage = gauge.usage();

    assertThat(usage.node()).hasValue(new Amount(500_000_000, 4096));
    assertThat(usage.containers()).isEqualTo(Map.of(WEB, new Amount(100_000_000, 1_500_000)));
    assertThat(usage.window()).isEqualTo(Duration.ofSeconds(1));
    assertThat(readings).isEqualTo(2);
  }

  @Test
  void answersAreGivenAgainForAWhileAndThenNeedOneReading() throws Exception {
    gauge.usage();
    now = now.plusSeconds(9);
    gauge.usage();
    assertThat(readings).isEqualTo(2);

    now = now.plusSeconds(2);
    assertThat(gauge.usage().window()).isEqualTo(Duration.ofSeconds(11));
    assertThat(readings).isEqualTo(3);
    assertThat(pauses).hasSize(1);
  }

  @Test
  void aNewContainerIsSeenAtOnce() throws Exception {
    gauge.usage();
    now = now.plusSeconds(20);
    containers.add("sidecar");

    assertThat(gauge.usage().containers().keySet())
        .containsExactlyInAnyOrder(WEB, new ContainerName("shop", "web", "sidecar"));
    assertThat(pauses).hasSize(2);
  }

  @Test
  void anOldReadingIsNoBase() throws Exception {
    gauge.usage();
    now = now.plusSeconds(600);

    assertThat(gauge.usage().window()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void aNodeThatDoesNotAnswerIsAskedAgain() {
    NodeUsageCache broken =
        new NodeUsageCache(
            () -> {
              readings++;
              throw new IOException("no route");
            },
            () -> now,
            pauses::add);

    assertThatThrownBy(broken::usage).hasMessage("no route");
    assertThatThrownBy(broken::usage).hasMessage("no route");
    assertThat(readings).isEqualTo(2);
  }

  @Test
  void windowsAreWrittenAsGoWritesThem() {
    assertThat(MetricsObjects.text(Duration.ofMillis(15_020))).isEqualTo("15.02s");
    assertThat(MetricsObjects.text(Duration.ofSeconds(10))).isEqualTo("10s");
    assertThat(MetricsObjects.text(Duration.ofSeconds(60))).isEqualTo("1m0s");
  }
}
