package dev.berth.server.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoBase64Test {
  @ParameterizedTest
  @CsvSource({
    "'', -1",
    "YQ==, -1",
    "YWI=, -1",
    "YWJj, -1",
    "YW~Jj, -1",
    "YQ~=~=~, -1",
    "open sesame, 4",
    "p@ss, 1",
    "***, 0",
    "YQ, 0",
    "YWJjYQ, 4",
    "YWJj~YWI, 5",
    "YQ=, 3",
    "YQ=x, 2",
    "=, 0",
    "Y===, 1",
    "YQ==YQ==, 4",
    "YWI=x, 4",
    "Yä==, 1",
  })
  void theFirstFaultIsFoundWhereGoFindsIt(String text, int position) {
    assertThat(GoBase64.fault(text.replace('~', '\n'))).isEqualTo(position);
  }
}
