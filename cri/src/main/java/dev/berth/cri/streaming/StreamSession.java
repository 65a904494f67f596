package dev.berth.cri.streaming;

import dev.berth.cri.http.SpdyConnection;
import dev.berth.cri.http.WebSocket;
import java.util.List;

/// A prepared stream, which is served once, over WebSocket or SPDY. kubectl uses WebSockets since
/// Kubernetes 1.31 and falls back to SPDY; `crictl` and older clients use SPDY.
public interface StreamSession {
  /// Supported WebSocket subprotocols, best first.
  List<String> webSocketProtocols();

  /// Supported SPDY protocols, best first.
  List<String> spdyProtocols();

  /// Serves the session on the connection's thread, and returns when it is over.
  void serve(WebSocket socket);

  /// Serves the session on the connection's thread, and returns when it is over.
  void serve(SpdyConnection connection);
}
