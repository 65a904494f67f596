package dev.berth.agent.node.http;

import dev.berth.agent.streams.CommandTranslation;
import dev.berth.agent.streams.RuntimeStreams.Wanted;
import dev.berth.relay.BackendAnswer;
import dev.berth.relay.RelaySession;
import dev.berth.relay.WebSocketHandshake;
import dev.berth.relay.WebSocketTunnel;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/// How the streams of a client get to a runtime: as they are, or translated to SPDY.
///
/// Since 1.30 kubectl speaks WebSocket protocols which are meant for API servers that translate;
/// here the node does, so that whoever talks to the node itself can use them too.
sealed interface StreamRoute {
  /// SPDY in the messages of a WebSocket.
  String TUNNELED_PORTS = "SPDY/3.1+portforward.k8s.io";

  /// What the runtime is asked.
  HttpFields runtimeHeaders();

  /// Both speak the same protocol.
  ///
  /// @param runtimeHeaders those of the client
  record Direct(HttpFields runtimeHeaders) implements StreamRoute {}

  /// The client speaks a protocol in a WebSocket, and the runtime SPDY.
  ///
  /// @param answer headers for the client
  record Translated(HttpFields runtimeHeaders, HttpFields answer, RelaySession.Opener opener)
      implements StreamRoute {}

  /// For exec and attach.
  static StreamRoute ofCommand(HttpFields client, Wanted wanted) {
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

  /// Headers of the answer that leaves HTTP.
  default HttpFields answer(BackendAnswer runtime) {
    return switch (this) {
      case Direct _ -> runtime.headers();
      case Translated translated -> translated.answer();
    };
  }

  /// SPDY is asked for by POST, as by its other clients.
  default String method(String client) {
    return switch (this) {
      case Direct _ -> client;
      case Translated _ -> "POST";
    };
  }
}
