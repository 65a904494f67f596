package dev.berth.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EndpointsResolverTest {
  @Test
  void aTargetHoldsNamesAndAddressesOfBothFamilies() {
    List<URI> members =
        List.of(
            URI.create("http://a:1"),
            URI.create("http://10.0.0.1:2"),
            URI.create("http://[::1]:3"));

    URI target = URI.create(EndpointsResolver.Provider.target(members));

    assertThat(EndpointsResolver.Provider.endpoints(target))
        .extracting(endpoint -> endpoint.getHost() + " " + endpoint.getPort())
        .containsExactly("a 1", "10.0.0.1 2", "[::1] 3");
  }
}
