package dev.berth.sim.streams;

import dev.berth.sim.http.SpdyConnection;
import dev.berth.sim.http.WebSocket;
import java.util.List;

/// A prepared stream; is used once, over whichever the client speaks.
interface StreamSession {
  /// Best first.
  List<String> webSocketProtocols();

  /// Best first.
  List<String> spdyProtocols();

  /// Runs on the connection's thread until the session is over.
  void serve(WebSocket socket);

  /// The same.
  void serve(SpdyConnection connection);
}
