package dev.berth.agent.node.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.node.http.RefusedProtocols.Offer;
import java.time.Duration;
import java.time.Instant;
import org.eclipse.jetty.http.HttpFields;
import org.junit.jupiter.api.Test;

final class RefusedProtocolsTest {
  private static final Offer NEWEST = new Offer("c", "1.6", "exec", "v5.channel.k8s.io");

  private Instant now = Instant.parse("2030-01-01T00:00:00Z");
  private final RefusedProtocols refused = new RefusedProtocols(() -> now);

  @Test
  void whatARuntimeRefusedItIsNotAskedAgainForAWhile() {
    assertThatCode(() -> refused.require(NEWEST)).doesNotThrowAnyException();

    String why =
        "runtime service c does not speak the WebSocket protocol v5.channel.k8s.io: use SPDY, or a protocol that it knows";
    assertThatThrownBy(() -> refused.learn(NEWEST, 403)).hasMessage(why);
    assertThatThrownBy(() -> refused.require(NEWEST)).hasMessage(why);
    now = now.plus(Duration.ofHours(1));
    assertThatCode(() -> refused.require(NEWEST)).doesNotThrowAnyException();
  }

  @Test
  void otherProtocolsPurposesVersionsAndServicesAreNoneOfIt() {
    assertThatThrownBy(() -> refused.learn(NEWEST, 403)).isInstanceOf(HttpFailure.class);

    assertThatCode(
            () -> {
              refused.require(new Offer("c", "1.6", "exec", "v4.channel.k8s.io"));
              refused.require(new Offer("c", "1.6", "attach", "v5.channel.k8s.io"));
              refused.require(new Offer("c", "2.2", "exec", "v5.channel.k8s.io"));
              refused.require(new Offer("d", "1.6", "exec", "v5.channel.k8s.io"));
            })
        .doesNotThrowAnyException();
  }

  @Test
  void otherFailuresAreNotHeldAgainstTheProtocol() {
    Offer spdy = new Offer("c", "1.6", "exec", "");

    assertThatCode(
            () -> {
              refused.learn(NEWEST, 404);
              refused.require(NEWEST);
              refused.learn(spdy, 403);
              refused.require(spdy);
            })
        .doesNotThrowAnyException();
  }

  @Test
  void protocolsAreThoseOfAWebSocket() {
    HttpFields.Mutable headers =
        HttpFields.build()
            .add("Upgrade", "websocket")
            .add("Sec-WebSocket-Protocol", "v5.channel.k8s.io, v4.channel.k8s.io");

    assertThat(Offer.protocols(headers)).isEqualTo("v5.channel.k8s.io, v4.channel.k8s.io");
    assertThat(Offer.protocols(headers.put("Upgrade", "SPDY/3.1"))).isEmpty();
  }
}
