package dev.berth.server.http.nodeproxy;

import dev.berth.relay.BackendAnswer;
import dev.berth.server.http.transport.HttpLimits;
import dev.berth.server.http.transport.ServerExchange;
import dev.berth.server.http.transport.WebSocket;
import dev.berth.server.http.transport.WebSocketUpgrade;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/// Sends a container log as WebSocket messages.
record LogMessages(LogProtocol protocol, HttpLimits limits) implements NodeRelay.Output {
  private static final int BUFFER = 32 << 10;

  /// Starts with an empty message like upstream's servers: the client then knows that the log
  /// stream is open, even if the container writes nothing.
  @Override
  public void pass(ServerExchange exchange, BackendAnswer answer)
      throws IOException, InterruptedException {
    WebSocket socket = WebSocketUpgrade.accept(exchange, limits, protocol.text());
    try {
      // Somebody reads the log page by page; that is no stalled client.
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
