package dev.berth.registry.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProxySettingsTest {
  private static final ProxySettings SETTINGS =
      ProxySettings.ofEnvironment(
          Map.of(
              "HTTPS_PROXY", "http://127.0.0.9:3128",
              "http_proxy", "127.0.0.8:8080",
              "NO_PROXY",
                  "example.org, .internal.net,10.0.0.0/8,*.wild.net,port.net:5000,1.2.3.4"));

  @ParameterizedTest
  @CsvSource({
    "https://registry.example.com/v2/, 127.0.0.9:3128",
    "http://registry.example.com/v2/, 127.0.0.8:8080",
    "https://example.org/, direct",
    "https://a.example.org/, direct",
    "https://myexample.org/, 127.0.0.9:3128",
    "https://a.internal.net/, direct",
    "https://internal.net/, 127.0.0.9:3128",
    "https://a.wild.net/, direct",
    "https://10.200.3.4/, direct",
    "https://11.200.3.4/, 127.0.0.9:3128",
    "https://1.2.3.4/, direct",
    "https://port.net:5000/, direct",
    "https://port.net/, 127.0.0.9:3128",
    "http://localhost:5000/, direct",
    "http://127.0.0.1:5000/, direct",
    "https://[::1]:5000/, direct",
  })
  void theEnvironmentDecides(String uri, String expected) {
    assertThat(selected(SETTINGS, uri)).isEqualTo(expected);
  }

  @Test
  void withoutAnEnvironmentThereIsNoProxy() {
    assertThat(selected(ProxySettings.direct(), "https://a.example.com/")).isEqualTo("direct");
    assertThat(
            selected(
                ProxySettings.ofEnvironment(Map.of("HTTPS_PROXY", "::", "NO_PROXY", "")),
                "https://a.example.com/"))
        .isEqualTo("direct");
    assertThat(
            selected(
                ProxySettings.ofEnvironment(
                    Map.of("HTTPS_PROXY", "http://127.0.0.9", "NO_PROXY", "*")),
                "https://a.example.com/"))
        .isEqualTo("direct");
  }

  private static String selected(ProxySettings settings, String uri) {
    Proxy proxy = settings.select(URI.create(uri)).getFirst();
    return proxy.address() instanceof InetSocketAddress address
        ? address.getHostString() + ":" + address.getPort()
        : "direct";
  }
}
