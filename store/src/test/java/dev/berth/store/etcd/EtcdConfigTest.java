package dev.berth.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EtcdConfigTest {
  @Test
  void keysAreBelowAPrefix() {
    EtcdConfig config = EtcdConfig.of(List.of("http://a:2379", "http://b:2379"));
    assertThat(config.prefix()).isEqualTo("/berth/");
    assertThat(config.servers()).isEqualTo("http://a:2379, http://b:2379");
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost:2379", "http://localhost", "ftp://localhost:21", "2379"})
  void anAddressThatIsNoUrlIsRefused(String endpoint) {
    assertThatThrownBy(() -> EtcdConfig.of(List.of(endpoint)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "etcd server \"%s\" is not of the form http://HOST:PORT or https://HOST:PORT",
            endpoint);
  }

  @Test
  void whatDoesNotFitTogetherIsRefused() {
    assertThatThrownBy(() -> EtcdConfig.of(List.of())).hasMessage("no etcd server is named");
    assertThatThrownBy(() -> EtcdConfig.of(List.of("http://a:1", "https://b:1")))
        .hasMessage("etcd servers http://a:1 and https://b:1 do not agree on http or https");
    assertThatThrownBy(() -> new EtcdTls(null, Path.of("crt"), null))
        .hasMessage("an etcd client certificate needs its key and the key its certificate");
    assertThatThrownBy(
            () -> EtcdConfig.of(List.of("http://a:1")).withTls(new EtcdTls(null, null, null)))
        .hasMessage("etcd certificates are given, but http://a:1 is not an https:// address");
    assertThatThrownBy(() -> EtcdConfig.of(List.of("http://a:1")).withPrefix("berth"))
        .hasMessage("etcd prefix \"berth\" must begin and end with a slash");
  }
}
