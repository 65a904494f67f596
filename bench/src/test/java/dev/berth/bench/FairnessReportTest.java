package dev.berth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.bench.ClosedLoopLoad.Result;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FairnessReportTest {
  @Test
  void mediansAreCompared() {
    String table =
        FairnessReport.table(
            List.of(round(90, 100), round(10, 200), round(99, 100)),
            1000,
            new ClosedLoopLoad.Times(60, 5),
            Instant.EPOCH);

    assertThat(table).contains("| GET/s | 90 | 100 | 0.900 | 90 : 100; 10 : 200; 99 : 100 |");
    assertThat(FairnessReport.median(4, 1, 3, 2)).isEqualTo(2.5);
  }

  private static FairnessBench.Round round(double with, double without) {
    Result on = new Result(with, 1, 1, 30, 0);
    Result off = new Result(without, 1, 1, 30, 0);
    return new FairnessBench.Round(on, off, on, off);
  }
}
