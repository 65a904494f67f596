package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
  @ParameterizedTest
  @CsvSource({
    "0,0",
    "0.1,100m",
    "100m,100m",
    "1000m,1",
    "1500m,1500m",
    "1.5,1500m",
    "1000,1k",
    "1024,1024",
    "1Ki,1Ki",
    "1024Mi,1Gi",
    "1.5Gi,1536Mi",
    "0.5Ki,512",
    "1e3,1e3",
    "1E,1E",
    "12e6,12e6",
    "-5,-5",
    "+2,2",
    "10G,10G",
    "1500k,1500k",
    "100n,100n",
    ".5,500m",
    "5.,5",
    "1000000n,1m",
    "1e4,10e3"
  })
  void textIsCanonical(String text, String canonical) {
    assertThat(Quantity.parse(text)).map(Quantity::toString).hasValue(canonical);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "abc", "1x", "1 Gi", "1..2", "--1", "Ki", "1Kii", "1e", "1 "})
  void otherTextIsRefused(String text) {
    assertThat(Quantity.parse(text)).isEmpty();
  }

  @Test
  void quantitiesCompareByAmount() {
    assertThat(Quantity.parse("100m")).isEqualTo(Quantity.parse("0.1"));
    assertThat(Quantity.parse("1Gi").orElseThrow().value()).isEqualTo(1L << 30);
    assertThat(Quantity.parse("1m").orElseThrow().milli()).isEqualTo(1);
    assertThat(Quantity.parse("1u").orElseThrow().milli()).isEqualTo(1);
  }
}
