package dev.berth.bench.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.bench.api.ClosedLoopLoad.Result;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ServerPairReportTest {
  @Test
  void mediansAreCompared() {
    String table =
        ServerPairReport.table(
            ServerDifference.audit(),
            List.of(round(90, 100), round(10, 200), round(99, 100)),
            1000,
            new ClosedLoopLoad.Times(60, 5),
            Instant.EPOCH);

    assertThat(table).startsWith("# Cost of the audit log, 1970-01-01T00:00:00Z");
    assertThat(table).contains("| GET/s | 90 | 100 | 0.900 | 90 : 100; 10 : 200; 99 : 100 |");
    assertThat(table).contains("Made by `./dev bench audit`");
    assertThat(ServerPairReport.median(4, 1, 3, 2)).isEqualTo(2.5);
  }

  private static ServerPairBench.Round round(double with, double without) {
    Result on = new Result(with, 1, 1, 30, 0);
    Result off = new Result(without, 1, 1, 30, 0);
    return new ServerPairBench.Round(on, off, on, off);
  }
}
