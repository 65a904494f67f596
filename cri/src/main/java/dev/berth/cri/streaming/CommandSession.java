package dev.berth.cri.streaming;

import dev.berth.cri.http.SpdyConnection;
import dev.berth.cri.http.WebSocket;
import java.util.List;
import java.util.function.Consumer;

/// A command that runs when its client connects. The URL of CRI's `Exec` only prepares it: a client
/// that never connects starts nothing.
public record CommandSession(RequestedStreams requested, Consumer<RemoteCommand> run)
    implements StreamSession {
  @Override
  public List<String> webSocketProtocols() {
    return WebSocketChannels.PROTOCOLS;
  }

  @Override
  public List<String> spdyProtocols() {
    return SpdyChannels.PROTOCOLS;
  }

  @Override
  public void serve(WebSocket socket) {
    run.accept(new RemoteCommand(new WebSocketChannels(socket), requested));
  }

  @Override
  public void serve(SpdyConnection connection) {
    SpdyChannels.open(connection, requested)
        .ifPresent(channels -> run.accept(new RemoteCommand(channels, requested)));
  }
}
