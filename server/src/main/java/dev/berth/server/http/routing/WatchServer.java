package dev.berth.server.http.routing;

import dev.berth.relay.HangUp;
import dev.berth.server.http.encoding.BinaryFormat;
import dev.berth.server.http.encoding.NegotiatedFormat;
import dev.berth.server.http.encoding.ObjectViews;
import dev.berth.server.http.encoding.WatchWriter;
import dev.berth.server.http.transport.ChunkedOutput;
import dev.berth.server.http.transport.EventOutput;
import dev.berth.server.http.transport.HttpLimits;
import dev.berth.server.http.transport.MessageOutput;
import dev.berth.server.http.transport.ServerExchange;
import dev.berth.server.http.transport.WebSocket;
import dev.berth.server.http.transport.WebSocketUpgrade;
import dev.berth.server.resources.WatchVerb;
import dev.berth.server.resources.requests.ListOptions;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.server.table.IncludeObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.InstantSource;

/// Serves watches, as the body of a plain answer or as messages of a WebSocket.
///
/// The thread of the request runs the watch until it ends. A disconnect interrupts this thread,
/// because a watch without events would otherwise notice nothing.
public final class WatchServer {
  private static final int BUFFER = 8 << 10;

  private final WatchVerb watcher;
  private final ObjectViews views;
  private final BinaryFormat binary;
  private final HttpLimits limits;
  private final InstantSource clock;

  public WatchServer(
      WatchVerb watcher,
      ObjectViews views,
      BinaryFormat binary,
      HttpLimits limits,
      InstantSource clock) {
    this.watcher = watcher;
    this.views = views;
    this.binary = binary;
    this.limits = limits;
    this.clock = clock;
  }

  void serve(ServerExchange exchange, RequestTarget target, NegotiatedFormat wanted)
      throws IOException, InterruptedException {
    ListOptions all = ListOptions.parse(exchange.query(), true);
    ListOptions options = target.name().isEmpty() ? all : all.only(target.name());
    // A bad parameter must be rejected before the header is sent.
    IncludeObject include =
        wanted.as() == NegotiatedFormat.As.TABLE
            ? ObjectViews.include(exchange)
            : IncludeObject.METADATA;
    WatchVerb.Stream stream = watcher.open(target, options);
    if (WebSocketUpgrade.isWanted(exchange)) {
      WebSocket socket = WebSocketUpgrade.accept(exchange, limits, "");
      try (MessageOutput out = new MessageOutput(socket, isBinary(wanted))) {
        run(stream, writer(exchange, target, wanted, include, out));
      }
      return;
    }
    try (HangUp _ = HangUp.listen(exchange.request(), exchange.response())) {
      startAnswer(exchange, wanted);
      ChunkedOutput out = new ChunkedOutput(exchange, BUFFER);
      run(stream, writer(exchange, target, wanted, include, out));
      out.close();
    }
  }

  private WatchWriter writer(
      ServerExchange exchange,
      RequestTarget target,
      NegotiatedFormat wanted,
      IncludeObject include,
      EventOutput out) {
    return new WatchWriter(
        target, wanted, include, views, binary, out, clock, exchange::leaveSeats);
  }

  private static boolean isBinary(NegotiatedFormat wanted) {
    return wanted.format() == NegotiatedFormat.Format.PROTOBUF;
  }

  private static void startAnswer(ServerExchange exchange, NegotiatedFormat wanted)
      throws IOException {
    exchange.start(
        200,
        isBinary(wanted) ? "application/vnd.kubernetes.protobuf;stream=watch" : "application/json");
    // The header is sent at once: clients take it as the sign that the watch is established.
    exchange.write(ByteBuffer.allocate(0), false);
  }

  private static void run(WatchVerb.Stream stream, WatchWriter writer) throws IOException {
    try {
      stream.run(writer);
    } catch (InterruptedException _) {
      // The server stops or the client disconnected: the stream ends.
    }
  }
}
