package dev.berth.sim.streams;

import dev.berth.sim.http.WebSocket;

/// A prepared stream; is used once.
interface Session {
  /// Runs on the connection's thread until the session is over.
  void serve(WebSocket socket);
}
