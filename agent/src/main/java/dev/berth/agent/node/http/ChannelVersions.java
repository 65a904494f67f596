package dev.berth.agent.node.http;

import java.util.List;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/// Lets a client that knows only version 5 of the WebSocket channels use a runtime that knows only
/// version 4.
///
/// Version 5 adds one message, by which the client closes a channel (KEP-4006). The client closes
/// nothing but stdin, so without stdin both versions are the same bytes. With stdin they are not: a
/// command that reads to the end of its input would never end in version 4.
final class ChannelVersions {
  static final String V5 = "v5.channel.k8s.io";
  static final String V4 = "v4.channel.k8s.io";

  private ChannelVersions() {}

  /// The headers for the runtime, which takes the first version that it knows.
  static HttpFields offer(HttpFields client, boolean stdin) {
    if (stdin || !isTranslated(client)) {
      return client;
    }
    String offered = String.join(", ", protocols(client));
    return HttpFields.build(client)
        .put(HttpHeader.SEC_WEBSOCKET_SUBPROTOCOL, offered + ", " + V4)
        .asImmutable();
  }

  /// Names to the client the version that it offered.
  static void answer(HttpFields client, HttpFields.Mutable answer) {
    if (isTranslated(client) && protocols(answer).equals(List.of(V4))) {
      answer.put(HttpHeader.SEC_WEBSOCKET_SUBPROTOCOL, V5);
    }
  }

  private static boolean isTranslated(HttpFields client) {
    List<String> offered = protocols(client);
    return client.contains(HttpHeader.UPGRADE, "websocket")
        && offered.contains(V5)
        && !offered.contains(V4);
  }

  private static List<String> protocols(HttpFields headers) {
    return headers.getCSV(HttpHeader.SEC_WEBSOCKET_SUBPROTOCOL, false);
  }
}
