package dev.berth.sim.profile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  private static WindowsVersion version(String text) {
    return WindowsVersion.parse(text).orElseThrow();
  }
}
