package dev.berth.server.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-01-02T03:04:05.678Z"));

  @TempDir Path directory;

  private static AuditConfig.Rotation rotation(long bytes, int backups, boolean compress) {
    return new AuditConfig.Rotation(bytes, backups, Duration.ofDays(10), compress);
  }

  private static List<byte[]> lines(String... texts) {
    return Stream.of(texts).map(text -> text.getBytes(UTF_8)).toList();
  }

  private List<String> names() throws IOException {
    try (Stream<Path> all = Files.list(directory.resolve("logs"))) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void filesAreAppendedToReplacedWhenLargeAndPrivate() throws IOException {
    Path file = directory.resolve("logs/audit.log");
    try (AuditFile first = AuditFile.open(file, rotation(20, 0, false), CLOCK)) {
      first.write(lines("one"));
    }
    try (AuditFile second = AuditFile.open(file, rotation(20, 0, false), CLOCK)) {
      second.write(lines("two", "three", "four", "five", "a line that is longer than a file"));
    }
    assertThat(names())
        .containsExactly(
            "audit-2026-01-02T03-04-05.678.log", "audit-2026-01-02T03-04-05.679.log", "audit.log");
    assertThat(directory.resolve("logs/audit-2026-01-02T03-04-05.678.log"))
        .hasContent("one\ntwo\nthree\nfour\n");
    assertThat(directory.resolve("logs/audit-2026-01-02T03-04-05.679.log")).hasContent("five\n");
    assertThat(file).hasContent("a line that is longer than a file\n");
    for (String name : names()) {
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(directory.resolve("logs").resolve(name))))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void oldFilesAreCompressedAndRemoved() throws IOException {
    Path logs = Files.createDirectory(directory.resolve("logs"));
    Files.writeString(logs.resolve("audit-2025-12-01T00-00-00.000.log"), "too old");
    Files.writeString(logs.resolve("audit-2026-01-01T00-00-00.000.log.gz"), "one too many");
    Files.writeString(logs.resolve("audit-of-somebody-else.log"), "stays");
    Path file = logs.resolve("audit.log");
    try (AuditFile log = AuditFile.open(file, rotation(5, 2, true), CLOCK)) {
      log.write(lines("one", "two", "three"));
    }
    assertThat(names())
        .containsExactly(
            "audit-2026-01-02T03-04-05.678.log.gz",
            "audit-2026-01-02T03-04-05.679.log.gz",
            "audit-of-somebody-else.log",
            "audit.log");
    try (GZIPInputStream in =
        new GZIPInputStream(
            Files.newInputStream(logs.resolve("audit-2026-01-02T03-04-05.678.log.gz")))) {
      assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo("one\n");
    }
  }

  @Test
  void aFileThatCannotBeWrittenIsAProblemAtTheStart() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");
    assertThatThrownBy(() -> AuditFile.open(file.resolve("audit.log"), rotation(5, 2, true), CLOCK))
        .isInstanceOf(AuditFileException.class)
        .hasMessageContaining("the audit log %s/audit.log cannot be written".formatted(file))
        .hasMessageContaining("or choose another file with --audit-log-path");
  }

  /// Takes nothing until it is released, then fails once.
  private static final class SlowOutput implements AuditOutput {
    private final CountDownLatch released = new CountDownLatch(1);
    private final List<String> written = new ArrayList<>();
    private boolean failed;

    @Override
    public void write(List<byte[]> events) throws IOException {
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      if (!failed) {
        failed = true;
        throw new IOException("No space left on device");
      }
      events.forEach(event -> written.add(new String(event, UTF_8)));
    }

    @Override
    public void close() {}
  }

  @Test
  void nobodyWaitsForASlowDiskAndWhatIsLostIsCounted() {
    PrometheusRegistry registry = new PrometheusRegistry();
    SlowOutput output = new SlowOutput();
    AuditLog log = AuditLog.start(output, registry);
    for (int i = 0; i < 20_000; i++) {
      log.add(("event " + i).getBytes(UTF_8));
    }
    output.released.countDown();
    log.close();
    double lost =
        registry.scrape(name -> name.equals("apiserver_audit_error")).stream()
            .map(CounterSnapshot.class::cast)
            .flatMap(counter -> counter.getDataPoints().stream())
            .mapToDouble(CounterSnapshot.CounterDataPointSnapshot::getValue)
            .sum();
    assertThat(output.written.size() + lost).isEqualTo(20_000);
    assertThat(output.written).hasSizeBetween(9_000, 10_500);
    assertThat(lost).isGreaterThan(9_000);
  }
}
