package dev.berth.server.http.guard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestGuardTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "list|metadata.name=a|a",
        "watch|type=Opaque,metadata.name==a|a",
        "watch|metadata.name!=a|''",
        "list|type=Opaque|''",
        "list|metadata.name=a/b|''",
        "list|nonsense|''",
        "list|''|''",
        "deletecollection|metadata.name=a|''",
      })
  void whoListsOrWatchesOneNameIsCheckedForThatName(String verb, String selector, String name) {
    assertThat(RequestGuard.selectedName(verb, selector)).isEqualTo(name);
  }
}
