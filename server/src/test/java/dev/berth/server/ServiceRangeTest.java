package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceRangeTest {
  @ParameterizedTest
  @CsvSource({
    "10.96.0.0/16, 10.96.0.1",
    "10.96.3.77/12, 10.96.0.1",
    "192.0.2.255/29, 192.0.2.249",
    "fd00:10:96::/112, fd00:10:96:0:0:0:0:1"
  })
  void theFirstAddressIsThatAfterTheNetworks(String range, String first) {
    assertThat(ServiceRange.parse(range).first()).isEqualTo(first);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "10.96.0.0     | must be a range of addresses such as 10.96.0.0/16 or fd00:10:96::/112",
        "10.96.0.0/x   | must be a range of addresses such as 10.96.0.0/16 or fd00:10:96::/112",
        "services/16   | 'services' is not an IP address",
        "10.0.0.0/8    | must have from /12 to /29, which is 1048576 to 8 addresses",
        "10.0.0.0/30   | must have from /12 to /29, which is 1048576 to 8 addresses",
        "fd00::/64     | must have from /108 to /125, which is 1048576 to 8 addresses"
      })
  void otherRangesAreRefused(String range, String why) {
    assertThatThrownBy(() -> ServiceRange.parse(range))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(why);
  }

  @Test
  void theStandardRangeIsThatOfTheHelpText() {
    assertThat(ServiceRange.STANDARD).isEqualTo(ServiceRange.parse("10.96.0.0/16"));
  }
}
