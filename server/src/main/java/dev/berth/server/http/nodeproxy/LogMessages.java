package dev.berth.server.http.nodeproxy;

import dev.berth.relay.BackendAnswer;
import dev.berth.server.http.transport.HttpLimits;
import dev.berth.server.http.transport.ServerExchange;
import dev.berth.server.http.transport.WebSocket;
import dev.berth.server.http.transport.WebSocketUpgrade;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/// Sends a log as messages of a WebSocket.
record LogMessages(LogProtocol protocol, HttpLimits limits) implements NodeRelay.Output {
  private static final int BUFFER = 32 << 10;

  /// An empty message comes first, as upstream's servers send it: the client then knows that the
  /// log has begun, however quiet the container is.
  @Override
  public void pass(ServerExchange exchange, BackendAnswer answer)
      throws IOException, InterruptedException {
    WebSocket socket = WebSocketUpgrade.accept(exchange, limits, protocol.text());
    try {
      socket.allowPauses();
      send(socket, ByteBuffer.allocate(0));
      InputStream in = answer.body();
      byte[] bytes = new byte[BUFFER];
      for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
        send(socket, ByteBuffer.wrap(bytes, 0, n));
      }
    } finally {
      socket.end();
    }
  }

  private void send(WebSocket socket, ByteBuffer bytes) throws IOException {
    socket.send(protocol.opcode(), protocol.encode(bytes));
  }
}
