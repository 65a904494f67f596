package dev.berth.api.platforms;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WindowsVersionTest {
  @ParameterizedTest
  @CsvSource({
    "10.0.17763.805, 10.0.17763.1, true, true",
    "10.0.17763, 10.0.18362, false, true",
    "10.0.18362, 10.0.17763, false, false",
    "10.0.17763, 10.0.20348, false, true",
    "10.0.20348, 10.0.20348.2340, true, true",
    "10.0.20348, 10.0.25398, true, true",
    "10.0.25398, 10.0.20348, false, false",
    "10.0.20348, 10.0.26100, true, true",
    "10.0.17763, 10.0.26100, false, true",
    "10.0.26099, 10.0.26101, false, true",
    "10.0.26100, 10.0.26101, true, true",
    "10.0.20347, 10.0.20348, false, true",
    "10.1.20348, 10.0.20348, false, false",
  })
  void containersRunOnTheBuildsThatWindowsAllows(
      String image, String host, boolean process, boolean hyperV) {
    assertThat(version(image).runsAsProcessOn(version(host))).isEqualTo(process);
    assertThat(version(image).runsUnderHyperVOn(version(host))).isEqualTo(hyperV);
  }

  @Test
  void theLabelHasNoRevision() {
    assertThat(version("10.0.17763.805").label()).isEqualTo("10.0.17763");
    assertThat(WindowsVersion.parse("ten")).isEmpty();
  }

  @Test
  void versionsAreComparedByTheirNumbers() {
    assertThat(version("10.0.17763.805")).isLessThan(version("10.0.17763.1069"));
    assertThat(version("10.0.9600")).isLessThan(version("10.0.17763"));
    assertThat(version("10.0.17763")).isEqualByComparingTo(version("10.0.17763.0"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10",
        "10.0",
        "10.0.",
        ".10.0.1",
        "10..1",
        "10.0.1.2.3",
        "10.0.1234567",
        "10.0.-1"
      })
  void otherTextsAreNoVersions(String text) {
    assertThat(WindowsVersion.parse(text)).isEmpty();
  }

  private static WindowsVersion version(String text) {
    return WindowsVersion.parse(text).orElseThrow();
  }
}
