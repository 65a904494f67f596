package dev.berth.registry.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.registry.credentials.RegistryCredentials;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RegistryEndpointTest {
  @ParameterizedTest
  @CsvSource({
    "docker.io, https://registry-1.docker.io",
    "quay.io, https://quay.io",
    "registry.example.com:5000, https://registry.example.com:5000",
    "localhost:5000, http://localhost:5000",
    "127.0.0.1:5000, http://127.0.0.1:5000",
    "127.example.com, https://127.example.com",
    "localhost.example.com, https://localhost.example.com",
  })
  void onlyTheLoopbackInterfaceNeedsNoTls(String host, String base) {
    assertThat(RegistryEndpoint.usual(host).base()).hasToString(base);
  }

  @ParameterizedTest
  @CsvSource({
    "https://a.example.com, true",
    "http://localhost:5000/, true",
    "http://[::1]:5000, true",
    "http://a.example.com, false",
    "http://127.0.0.1@a.example.com, false",
    "http://127.1.evil.com, false",
    "ftp://a.example.com, false",
    "https://a.example.com/path, false",
  })
  void plainHttpIsForThisMachine(String text, boolean valid) {
    assertThat(RegistryEndpoint.parseBase(text).isPresent()).isEqualTo(valid);
  }

  @Test
  void anEndpointThatOthersCanReadIsNone() {
    URI base = URI.create("http://a.example.com");
    assertThatThrownBy(() -> RegistryEndpoint.mirror(base, RegistryCredentials.NONE))
        .hasMessage(
            "registry endpoint http://a.example.com is neither https nor on the loopback interface");
  }

  @Test
  void aRegistryOfTheNetworkDoesNotLeadToServicesOfThisMachine() {
    RegistryEndpoint far = RegistryEndpoint.usual("quay.io");

    assertThat(far.mayLeadTo(URI.create("https://cdn.quay.io/x"))).isTrue();
    assertThat(far.mayLeadTo(URI.create("http://127.0.0.1:2379/x"))).isFalse();
    assertThat(RegistryEndpoint.usual("localhost").mayLeadTo(URI.create("http://127.0.0.1/x")))
        .isTrue();
    assertThat(far.mayLeadTo(URI.create(""))).isFalse();
  }
}
