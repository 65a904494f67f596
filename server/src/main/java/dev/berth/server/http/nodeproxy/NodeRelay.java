package dev.berth.server.http.nodeproxy;

import dev.berth.relay.BackendAnswer;
import dev.berth.relay.BackendCall;
import dev.berth.relay.HangUp;
import dev.berth.relay.RelayBackend;
import dev.berth.relay.RequestBody;
import dev.berth.relay.UpgradedConnection;
import dev.berth.server.errors.ApiException;
import dev.berth.server.http.transport.ServerExchange;
import dev.berth.server.http.transport.WebSocketOrigin;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;

/// Relays requests to a node's server and its answers to the client.
///
/// The API server authenticates to the node with its own client certificate; the node therefore
/// trusts that the user was authorized here. Credentials of the user are not passed on. A relay
/// holds the thread of its request until both sides are done.
final class NodeRelay {
  private static final byte[] NOTHING = {};

  /// Bounds the part of a node's error that is read.
  private static final int ERROR_TEXT = 64 << 10;

  private static final int BUFFER = 32 << 10;

  private NodeRelay() {}

  /// Relays a terminal or a tunnel: the connection leaves HTTP.
  static void upgrade(ServerExchange exchange, RelayBackend node, String target)
      throws IOException, InterruptedException {
    if (!UpgradedConnection.isWanted(exchange.request())) {
      throw ApiException.badRequest("Upgrade request required");
    }
    WebSocketOrigin.check(exchange.headers());
    BackendCall call =
        new BackendCall(exchange.method(), target, exchange.headers(), RequestBody.NONE, true);
    try (BackendAnswer answer = send(call, node)) {
      if (answer.status() != BackendAnswer.SWITCHED) {
        throw refusal(answer);
      }
      leaveHttp(exchange, answer);
    }
  }

  static void leaveHttp(ServerExchange exchange, BackendAnswer answer)
      throws IOException, InterruptedException {
    UpgradedConnection connection =
        UpgradedConnection.prepare(exchange.request(), exchange.response(), answer.headers());
    exchange.switchProtocols();
    connection.relay(answer);
  }

  /// Passes the body of a node's answer to the client.
  interface Output {
    void pass(ServerExchange exchange, BackendAnswer answer)
        throws IOException, InterruptedException;
  }

  /// Relays a log: bytes are passed to the client as they arrive.
  static void stream(ServerExchange exchange, RelayBackend node, String target, Output output)
      throws IOException, InterruptedException {
    HangUp.mayBeSilent(exchange.request());
    BackendCall call = new BackendCall("GET", target, exchange.headers(), RequestBody.NONE, false);
    try (BackendAnswer answer = send(call, node)) {
      if (answer.status() != 200) {
        throw refusal(answer);
      }
      output.pass(exchange, answer);
    }
  }

  static void pass(ServerExchange exchange, BackendAnswer answer) throws IOException {
    String type = answer.headers().get(HttpHeader.CONTENT_TYPE);
    if (hasNoBody(exchange, answer)) {
      exchange.start(answer.status(), type == null ? "" : type);
      exchange.write(ByteBuffer.wrap(NOTHING), true);
      return;
    }
    exchange.allowPauses();
    try (HangUp _ = HangUp.listen(exchange.request(), exchange.response())) {
      exchange.start(answer.status(), type == null ? "text/plain" : type);
      // The head leaves at once: `kubectl logs -f` must see that the stream is open before the
      // container writes.
      exchange.write(ByteBuffer.wrap(NOTHING), false);
      InputStream in = answer.body();
      byte[] bytes = new byte[BUFFER];
      for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
        exchange.write(ByteBuffer.wrap(bytes, 0, n), false);
      }
      exchange.write(ByteBuffer.wrap(NOTHING), true);
    }
  }

  /// Such an answer has no body whatever its Content-Length says (RFC 9112 section 6.3).
  private static boolean hasNoBody(ServerExchange exchange, BackendAnswer answer) {
    return exchange.method().equals("HEAD") || answer.status() == 204 || answer.status() == 304;
  }

  static BackendAnswer send(BackendCall call, RelayBackend node) {
    try {
      return call.send(node);
    } catch (IOException e) {
      throw ApiException.unclassified(
          "error dialing backend: %s: %s".formatted(node, e.getMessage()));
    }
  }

  /// The node's error text in a Status of the same code.
  private static ApiException refusal(BackendAnswer answer) throws IOException {
    String text = answer.text(ERROR_TEXT).strip();
    return switch (answer.status()) {
      case 400 -> ApiException.badRequest(text);
      case 500 -> ApiException.internal(text);
      default ->
          ApiException.unclassified("the node answered %d: %s".formatted(answer.status(), text));
    };
  }
}
