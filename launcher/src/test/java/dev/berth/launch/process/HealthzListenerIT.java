package dev.berth.launch.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

final class HealthzListenerIT {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @Test
  void itAnswersAsAKubelet() throws Exception {
    try (HealthzListener listener = HealthzListener.start(ANY_PORT)) {
      assertThat(get(listener, "/healthz").body()).isEqualTo("ok");
      assertThat(get(listener, "/metrics").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void aTakenPortIsNamedWithItsFlag() {
    try (HealthzListener first = HealthzListener.start(ANY_PORT)) {
      assertThatThrownBy(() -> HealthzListener.start(first.address()))
          .isInstanceOf(LaunchException.class)
          .hasMessageStartingWith("cannot listen on 127.0.0.1 port " + first.address().getPort())
          .hasMessageContaining("--healthz-port");
    }
  }

  private static HttpResponse<String> get(HealthzListener listener, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:%d%s".formatted(listener.address().getPort(), path));
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }
  }
}
