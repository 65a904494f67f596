package dev.berth.relay.ports;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenConnectionTest {
  @ParameterizedTest
  @CsvSource({
    "192.0.2.7, 192.0.2.7",
    "::ffff:192.0.2.7, 192.0.2.7",
    "2001:db8:1:2:3:4:5:6, 2001:db8:1:2:0:0:0:0/64",
    "2001:db8:1:2::ffff, 2001:db8:1:2:0:0:0:0/64",
    "::1, 0:0:0:0:0:0:0:0/64"
  })
  void addressesThatOneClientCanChooseFromCountAsOne(String address, String source)
      throws Exception {
    assertThat(OpenConnection.source(InetAddress.getByName(address))).isEqualTo(source);
  }
}
