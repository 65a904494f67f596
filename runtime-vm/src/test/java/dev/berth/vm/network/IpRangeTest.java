package dev.berth.vm.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class IpRangeTest {
  @ParameterizedTest
  @CsvSource({
    "10.99.7.2, 24, 10.99.7.0/24",
    "10.99.7.200, 26, 10.99.7.192/26",
    "10.99.7.2, 32, 10.99.7.2/32",
    "fd00:10:0:0::2, 64, fd00:10::/64",
    "fd00::1, 128, fd00::1/128",
    "2001:db8:0:1:0:0:0:5, 128, 2001:db8:0:1::5/128",
    "::1, 8, ::/8",
    "1:2:3:4:5:6:7:8, 112, 1:2:3:4:5:6:7:0/112",
  })
  void rangesAreWrittenAsTheKernelWritesThem(String address, int length, String range) {
    assertThat(IpRange.of(address, length)).hasToString(range);
  }
}
