package dev.berth.server.http.nodeproxy;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.server.errors.ApiException;
import dev.berth.server.resources.requests.RequestQuery;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogOptionsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "container=c&follow=true&previous=1&timestamps",
        "tailLines=0&limitBytes=1&sinceSeconds=1",
        "sinceTime=2026-01-01T00:00:00Z",
        "sinceTime=2026-01-01T00:00:00.5%2B02:00&tailLines=5"
      })
  void soundOptionsPass(String query) {
    assertThatCode(() -> LogOptions.check("g", RequestQuery.parse(query)))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "tailLines=-1&sinceSeconds=0 | [tailLines: Invalid value: -1: must be greater than or equal"
            + " to 0, sinceSeconds: Invalid value: 0: must be greater than 0]",
        "limitBytes=0 | limitBytes: Invalid value: 0: must be greater than 0",
        "sinceSeconds=5&sinceTime=2026-01-01T00:00:00Z | : Forbidden: at most one of `sinceTime` or"
            + " `sinceSeconds` may be specified",
        "stream=Stdout | stream: Forbidden: may not be specified",
      })
  void optionsThatMakeNoSenseAreAllNamed(String query, String errors) {
    assertThatThrownBy(() -> LogOptions.check("g", RequestQuery.parse(query)))
        .isInstanceOf(ApiException.class)
        .hasMessage("PodLogOptions \"g\" is invalid: " + errors);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "tailLines=ten | strconv.ParseInt: parsing \"ten\": invalid syntax",
        "sinceTime=noon | parsing time \"noon\" as \"2006-01-02T15:04:05Z07:00\": cannot parse"
            + " \"noon\" as \"2006\"",
      })
  void whatCannotBeReadIsABadRequest(String query, String message) {
    assertThatThrownBy(() -> LogOptions.check("g", RequestQuery.parse(query)))
        .isInstanceOf(ApiException.class)
        .hasMessage(message);
  }
}
