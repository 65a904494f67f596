package dev.berth.server.http.encoding;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IndentedJsonTest {
  private static String indented(String json) {
    return new String(IndentedJson.of(json.getBytes(UTF_8)), UTF_8);
  }

  @Test
  void everyLevelIsTwoSpacesDeeper() {
    assertThat(indented("{\"kind\":\"L\",\"metadata\":{},\"items\":[{\"a\":[1,-2.5]},[],null]}"))
        .isEqualTo(
            """
            {
              "kind": "L",
              "metadata": {},
              "items": [
                {
                  "a": [
                    1,
                    -2.5
                  ]
                },
                [],
                null
              ]
            }""");
  }

  @Test
  void textIsLeftAlone() {
    assertThat(indented("{\"a\":\"{ [:, \\\\\",\"b\":\"\\\"},\\n\",\"ä\":\"ö\"}"))
        .isEqualTo(
            """
            {
              "a": "{ [:, \\\\",
              "b": "\\"},\\n",
              "ä": "ö"
            }""");
  }

  @Test
  void spacesThatWereThereBeforeDoNotMatter() {
    assertThat(indented("{ \"a\" : [ ] , \"b\" :\n1 }")).isEqualTo(indented("{\"a\":[],\"b\":1}"));
  }

  @ParameterizedTest
  @CsvSource({
    "'', curl/8.5.0, true",
    "'', Wget/1.21, true",
    "'', Mozilla/5.0 (X11), true",
    "'', kubectl/v1.32.0 (linux/amd64) kubernetes/70d3cc9, false",
    "'', '', false",
    "true, kubectl/v1.32.0, true",
    "1, '', true",
    "false, curl/8.5.0, false",
    "0, curl/8.5.0, false",
    "maybe, curl/8.5.0, false",
  })
  void itIsForPeopleAndForWhoAsks(String pretty, String userAgent, boolean wanted) {
    assertThat(IndentedJson.isWanted(pretty, userAgent)).isEqualTo(wanted);
  }
}
