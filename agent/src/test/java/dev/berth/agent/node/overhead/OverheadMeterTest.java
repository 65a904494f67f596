package dev.berth.agent.node.overhead;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.testing.Await;
import dev.berth.api.Quantity;
import dev.berth.api.ResourceAmounts;
import dev.berth.client.fake.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OverheadMeterTest {
  private static final long MEBIBYTE = 1L << 20;
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private static final Map<String, Instant> MAIN = Map.of("main", START);

  private final ManualTime time = new ManualTime(START);
  private final List<String> events = new CopyOnWriteArrayList<>();
  private final AtomicInteger readings = new AtomicInteger();
  private volatile List<SandboxSample> samples = List.of();
  private final OverheadMeter meter =
      OverheadMeter.start(
          () -> {
            readings.incrementAndGet();
            return new OverheadReading(time.instant(), samples);
          },
          (_, reason, message) -> events.add(reason + ": " + message),
          time);

  @AfterEach
  void close() {
    meter.close();
  }

  @Test
  void theMedianOfEachHandlerIsReported() {
    samples =
        List.of(
            sample("a", "vm", 90, 0),
            sample("b", "vm", 100, 0),
            sample("c", "vm", 300, 0),
            sample("d", "runc", 1, 0));
    readAgain();

    assertThat(meter.measured())
        .containsExactly(
            new SandboxOverhead("runc", 1, MEBIBYTE, MEBIBYTE, OptionalLong.empty()),
            new SandboxOverhead("vm", 3, 100 * MEBIBYTE, 300 * MEBIBYTE, OptionalLong.empty()));
  }

  @Test
  void processorTimeNeedsTwoReadingsOfTheSameContainers() {
    OverheadReading before = new OverheadReading(START, List.of(sample("a", "vm", 90, 1)));
    OverheadReading now =
        new OverheadReading(
            START.plusSeconds(60),
            List.of(sample("a", "vm", 90, 7), sample("new", "vm", 90, 1_000)));

    assertThat(new OverheadSummary(before, now).byHandler().getFirst().milliCores()).hasValue(100);
    assertThat(new OverheadSummary(now, before).byHandler().getFirst().milliCores()).isEmpty();
  }

  @Test
  void aClassThatDeclaresMuchLessIsWarnedAboutOnce() {
    samples = List.of(sample("a", "vm", 90, 0));
    readAgain();
    readAgain();

    assertThat(events)
        .containsExactly(
            "RuntimeClassOverheadTooLow: sandboxes of RuntimeClass big (handler vm) cost more than"
                + " its overhead declares: memory 90Mi (declared: 32Mi), the median of 1 on this"
                + " node. `berth classes overhead big` proposes values");
  }

  @Test
  void smallChangesAreNotPublished() {
    samples = List.of(sample("a", "vm", 100, 0));
    readAgain();
    samples = List.of(sample("a", "vm", 101, 0));
    readAgain();
    assertThat(meter.measured().getFirst().memoryBytes()).isEqualTo(100 * MEBIBYTE);
    samples = List.of(sample("a", "vm", 120, 0));
    readAgain();
    assertThat(meter.measured().getFirst().memoryBytes()).isEqualTo(120 * MEBIBYTE);
  }

  @Test
  void whatWasMeasuredStaysWhenTheLastPodIsGone() {
    samples = List.of(sample("a", "vm", 100, 0));
    readAgain();
    samples = List.of();
    readAgain();

    assertThat(meter.measured()).extracting(SandboxOverhead::handler).containsExactly("vm");
  }

  @ParameterizedTest
  @CsvSource({
    // declared, measured, warned
    "128Mi, 130, false",
    "128Mi, 161, true",
    "0, 15, false",
    "0, 20, true",
    "100Mi, 120, false"
  })
  void onlyMuchLessIsWorthAWarning(String declared, long measured, boolean warned) {
    SandboxOverhead cost =
        new SandboxOverhead("vm", 1, measured * MEBIBYTE, measured * MEBIBYTE, OptionalLong.of(0));
    assertThat(new OverheadShortfall("big", amounts(declared), cost).message().isPresent())
        .isEqualTo(warned);
  }

  /// Lets time pass until two more readings began: the first of them is complete then.
  private void readAgain() {
    int before = readings.get();
    Await.until(
        "it was read again",
        () -> {
          time.advance(Duration.ofSeconds(30));
          return readings.get() > before + 1;
        });
  }

  private static SandboxSample sample(String pod, String handler, long mebibytes, long seconds) {
    return new SandboxSample(
        pod,
        handler,
        handler.equals("vm") ? "big" : "",
        amounts("32Mi"),
        mebibytes * MEBIBYTE,
        Duration.ofSeconds(seconds).toNanos(),
        MAIN);
  }

  private static ResourceAmounts amounts(String memory) {
    return ResourceAmounts.of(Map.of("memory", Quantity.parse(memory).orElseThrow()));
  }
}
