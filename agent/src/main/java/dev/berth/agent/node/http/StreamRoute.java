package dev.berth.agent.node.http;

import dev.berth.agent.streams.CommandTranslation;
import dev.berth.agent.streams.RuntimeStreams.RequestedStreams;
import dev.berth.relay.BackendAnswer;
import dev.berth.relay.RelaySession;
import dev.berth.relay.WebSocketHandshake;
import dev.berth.relay.WebSocketTunnel;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/// How a client's streams reach a runtime: unchanged, or translated to SPDY.
///
/// Since 1.30 kubectl speaks WebSocket protocols for API servers that translate. The node
/// translates, too, so that clients that connect to the node directly can use them.
sealed interface StreamRoute {
  /// SPDY within the messages of a WebSocket.
  String TUNNELED_PORTS = "SPDY/3.1+portforward.k8s.io";

  /// The headers of the request to the runtime.
  HttpFields runtimeHeaders();

  /// Client and runtime speak the same protocol.
  ///
  /// @param runtimeHeaders those of the client
  record Direct(HttpFields runtimeHeaders) implements StreamRoute {}

  /// The client speaks WebSocket, the runtime SPDY.
  ///
  /// @param answer headers for the client
  record Translated(HttpFields runtimeHeaders, HttpFields answer, RelaySession.Opener opener)
      implements StreamRoute {}

  /// For exec and attach.
  static StreamRoute ofCommand(HttpFields client, RequestedStreams wanted) {
    return of(
        client,
        CommandTranslation.CLIENT_PROTOCOL,
        CommandTranslation.RUNTIME_PROTOCOL,
        (out, runtime) -> CommandTranslation.open(out, runtime, wanted));
  }

  static StreamRoute ofPorts(HttpFields client) {
    return of(client, TUNNELED_PORTS, "portforward.k8s.io", WebSocketTunnel::new);
  }

  private static StreamRoute of(
      HttpFields client, String offered, String spoken, RelaySession.Opener opener) {
    if (!client.contains(HttpHeader.UPGRADE, "websocket")
        || !client.getCSV(HttpHeader.SEC_WEBSOCKET_SUBPROTOCOL, false).contains(offered)) {
      return new Direct(client);
    }
    WebSocketHandshake.problem(client)
        .ifPresent(
            why -> {
              throw new HttpFailure(400, why);
            });
    HttpFields runtime =
        HttpFields.build()
            .put(HttpHeader.UPGRADE, "SPDY/3.1")
            .put("X-Stream-Protocol-Version", spoken)
            .asImmutable();
    return new Translated(runtime, WebSocketHandshake.accept(client, offered), opener);
  }

  /// The headers of the 101 response.
  default HttpFields answer(BackendAnswer runtime) {
    return switch (this) {
      case Direct _ -> runtime.headers();
      case Translated translated -> translated.answer();
    };
  }

  /// SPDY upgrades use POST, as other SPDY clients do.
  default String method(String client) {
    return switch (this) {
      case Direct _ -> client;
      case Translated _ -> "POST";
    };
  }
}
