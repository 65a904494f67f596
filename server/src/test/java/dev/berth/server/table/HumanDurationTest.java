package dev.berth.server.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HumanDurationTest {
  @ParameterizedTest
  @CsvSource({
    "PT-2S,<invalid>",
    "PT-1.9S,0s",
    "PT0S,0s",
    "PT119.9S,119s",
    "PT2M,2m",
    "PT3M7S,3m7s",
    "PT9M59S,9m59s",
    "PT10M,10m",
    "PT179M59S,179m",
    "PT3H,3h",
    "PT7H59M,7h59m",
    "PT8H30M,8h",
    "PT47H59M,47h",
    "PT48H,2d",
    "PT49H,2d1h",
    "PT122H,5d2h",
    "P7DT23H,7d23h",
    "P8D,8d",
    "P729D,729d",
    "P730D,2y",
    "P740D,2y10d",
    "P2919D,7y364d",
    "P2920D,8y",
    "P3700D,10y"
  })
  void durationsPrintWithAtMostTwoUnits(String duration, String text) {
    assertThat(HumanDuration.format(Duration.parse(duration))).isEqualTo(text);
  }

  @Test
  void noTimestampIsUnknown() {
    Instant now = Instant.parse("2026-01-01T00:03:07Z");
    assertThat(HumanDuration.since("", now)).isEqualTo("<unknown>");
    assertThat(HumanDuration.since("2026-01-01T00:00:00Z", now)).isEqualTo("3m7s");
    assertThat(HumanDuration.since("2026-01-01T00:00:00.000000Z", now)).isEqualTo("3m7s");
  }
}
