package dev.berth.agent.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ChannelVersionsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "v5.channel.k8s.io | false | v5.channel.k8s.io, v4.channel.k8s.io",
        "v5.channel.k8s.io | true | v5.channel.k8s.io",
        "v5.channel.k8s.io, v4.channel.k8s.io | false | v5.channel.k8s.io, v4.channel.k8s.io",
        "v4.channel.k8s.io | false | v4.channel.k8s.io",
        "SPDY/3.1+portforward.k8s.io | false | SPDY/3.1+portforward.k8s.io",
      })
  void version4IsOfferedWhereItMeansTheSame(String client, boolean stdin, String offered) {
    HttpFields headers = ChannelVersions.offer(webSocket(client), stdin);

    assertThat(protocol(headers)).isEqualTo(offered);
    assertThat(headers.get(HttpHeader.UPGRADE)).isEqualTo("websocket");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "v5.channel.k8s.io | v4.channel.k8s.io | v5.channel.k8s.io",
        "v5.channel.k8s.io | v5.channel.k8s.io | v5.channel.k8s.io",
        "v5.channel.k8s.io, v4.channel.k8s.io | v4.channel.k8s.io | v4.channel.k8s.io",
        "v4.channel.k8s.io | v4.channel.k8s.io | v4.channel.k8s.io",
      })
  void theAnswerNamesAVersionThatTheClientOffered(String client, String runtime, String named) {
    HttpFields.Mutable answer = HttpFields.build(webSocket(runtime));

    ChannelVersions.answer(webSocket(client), answer);

    assertThat(protocol(answer)).isEqualTo(named);
  }

  @Test
  void otherProtocolsThanWebSocketStayAsTheyAre() {
    HttpFields spdy =
        HttpFields.build()
            .put(HttpHeader.UPGRADE, "SPDY/3.1")
            .put("X-Stream-Protocol-Version", ChannelVersions.V5)
            .asImmutable();

    assertThat(ChannelVersions.offer(spdy, false).asString()).isEqualTo(spdy.asString());
  }

  private static HttpFields webSocket(String protocols) {
    return HttpFields.build()
        .put(HttpHeader.UPGRADE, "websocket")
        .put(HttpHeader.SEC_WEBSOCKET_SUBPROTOCOL, protocols)
        .asImmutable();
  }

  private static String protocol(HttpFields headers) {
    return String.valueOf(headers.get(HttpHeader.SEC_WEBSOCKET_SUBPROTOCOL));
  }
}
