package dev.berth.relay;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/// Carries the bytes of a backend as binary messages of a WebSocket, wherever those begin and end.
/// Newer kubectls tunnel SPDY in this way (KEP-4006), because some proxies pass WebSockets and no
/// other upgrade.
public final class WebSocketTunnel implements RelaySession {
  private static final byte[] NOTHING = {};

  private final WebSocketPeer client;

  public WebSocketTunnel(OutputStream client, OutputStream backend) {
    this.client =
        new WebSocketPeer(
            client,
            (piece, _) -> {
              backend.write(piece);
              backend.flush();
            });
  }

  @Override
  public boolean fromClient(ByteBuffer bytes) throws IOException {
    return client.read(bytes);
  }

  @Override
  public boolean fromBackend(ByteBuffer bytes) throws IOException {
    byte[] message = new byte[bytes.remaining()];
    bytes.get(message);
    client.send(NOTHING, message);
    return true;
  }

  @Override
  public void stillWaiting() {
    client.pong();
  }

  @Override
  public void end() throws IOException {
    client.end();
  }
}
