package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DnsNamesTest {
  @ParameterizedTest
  @CsvSource({
    "a, true, true",
    "web-1, true, true",
    "web-1.example.com, false, true",
    "'', false, false",
    "Web, false, false",
    "web_1, false, false",
    "-web, false, false",
    "web-, false, false",
    "web..x, false, false",
    "web.-x, false, false",
    "../web, false, false",
  })
  void namesHaveAForm(String name, boolean label, boolean subdomain) {
    assertThat(DnsNames.isLabel(name)).isEqualTo(label);
    assertThat(DnsNames.isSubdomain(name)).isEqualTo(subdomain);
  }

  @Test
  void theyHaveALongestLength() {
    assertThat(DnsNames.isLabel("a".repeat(63))).isTrue();
    assertThat(DnsNames.isLabel("a".repeat(64))).isFalse();
    assertThat(DnsNames.isSubdomain("a".repeat(253))).isTrue();
    assertThat(DnsNames.isSubdomain("a".repeat(254))).isFalse();
  }
}
