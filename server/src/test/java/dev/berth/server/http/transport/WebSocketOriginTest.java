package dev.berth.server.http.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.server.errors.ApiException;
import org.eclipse.jetty.http.HttpFields;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebSocketOriginTest {
  private static final String BROWSER = "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/1";

  private static HttpFields.Mutable headers(String origin) {
    return HttpFields.build().put("Host", "api.example:6443").put("Origin", origin);
  }

  @Test
  void programsWithoutAnOriginAreAccepted() {
    assertThat(WebSocketOrigin.isAccepted(HttpFields.build().put("Host", "api.example:6443")))
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "https://api.example:6443, true",
    "https://API.example:6443, true",
    "https://api.example, false",
    "https://api.example:6443.evil.example, false",
    "https://evil.example, false",
    "http://localhost, false",
    "http://localhost:8080, false",
    "http://localhost.evil.example, false",
    "null, false",
    "::, false"
  })
  void aBrowserMayOpenPagesOfThisServerOnly(String origin, boolean accepted) {
    assertThat(WebSocketOrigin.isAccepted(headers(origin).put("User-Agent", BROWSER)))
        .isEqualTo(accepted);
  }

  @ParameterizedTest
  @CsvSource({
    "http://localhost, true",
    "http://localhost:8080, false",
    "https://localhost, false",
    "http://127.0.0.1, false"
  })
  void programsMayNameTheOriginThatGoClientsName(String origin, boolean accepted) {
    assertThat(WebSocketOrigin.isAccepted(headers(origin))).isEqualTo(accepted);
    assertThat(
            WebSocketOrigin.isAccepted(
                headers(origin).put("User-Agent", "e2e.test/v1.26.0 (linux/amd64)")))
        .isEqualTo(accepted);
  }

  @ParameterizedTest
  @CsvSource({"Sec-Fetch-Mode, websocket", "Cookie, a=b", "User-Agent, Mozilla/5.0"})
  void aPageOfTheUsersMachineIsNoProgram(String name, String value) {
    assertThat(WebSocketOrigin.isAccepted(headers("http://localhost").put(name, value))).isFalse();
  }

  @Test
  void whoHasATokenIsNoPageWithTheCertificateOfItsReader() {
    HttpFields.Mutable headers = headers("http://localhost:3000").put("User-Agent", BROWSER);
    assertThat(WebSocketOrigin.isAccepted(headers.put("Authorization", "Basic YTpi"))).isFalse();
    assertThat(WebSocketOrigin.isAccepted(headers.put("Authorization", "Bearer t"))).isTrue();
  }

  @Test
  void theRefusalSaysWhatWouldBeAccepted() {
    assertThatThrownBy(() -> WebSocketOrigin.check(headers("https://evil.example")))
        .isInstanceOf(ApiException.class)
        .hasMessage(
            "pages of https://evil.example may not open a WebSocket to this server: accepted are"
                + " requests without an Origin header, of the server's own origin"
                + " (https://api.example:6443), or with a bearer token");
  }
}
