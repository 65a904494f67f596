package dev.berth.server.http.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.auth.UserInfo;
import org.junit.jupiter.api.Test;

final class HealthEndpointTest {
  private static final String WHY = "the file /var/lib/berth/objects.db cannot be written";

  @Test
  void strangersAreToldThatSomethingIsWrongButNotWhat() {
    assertThat(HealthEndpoint.reason(UserInfo.ANONYMOUS, WHY)).isEqualTo("reason withheld");
    assertThat(HealthEndpoint.reason(UserInfo.of("ann"), WHY)).isEqualTo(WHY);
  }
}
