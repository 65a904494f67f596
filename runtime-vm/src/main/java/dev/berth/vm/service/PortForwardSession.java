package dev.berth.vm.service;

import dev.berth.cri.http.SpdyConnection;
import dev.berth.cri.http.SpdyConnection.Data;
import dev.berth.cri.http.SpdyConnection.Event;
import dev.berth.cri.http.SpdyConnection.Opened;
import dev.berth.cri.http.WebSocket;
import dev.berth.cri.streaming.StreamSession;
import dev.berth.cri.streaming.WebSocketChannels;
import dev.berth.vm.pods.LivePod;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// The forwarded ports of a pod: each connection of the client becomes one to the guest's loopback.
record PortForwardSession(LivePod pod, List<Integer> ports) implements StreamSession {
  /// A client with more connections than that waits for its own.
  private static final int MOST_CONNECTIONS = 256;

  PortForwardSession {
    ports = List.copyOf(ports);
  }

  @Override
  public List<String> webSocketProtocols() {
    return WebSocketChannels.PROTOCOLS;
  }

  @Override
  public List<String> spdyProtocols() {
    return List.of("portforward.k8s.io");
  }

  /// Serves two channels per port, data and errors. The first message of each is the port's number
  /// in little-endian order.
  @Override
  public void serve(WebSocket socket) {
    AtomicInteger open = new AtomicInteger(ports.size());
    ForwardedPort[] forwarded = new ForwardedPort[ports.size()];
    for (int i = 0; i < forwarded.length; i++) {
      byte[] number = {(byte) (int) ports.get(i), (byte) (ports.get(i) >> 8)};
      int channel = 2 * i;
      WebSocketChannels.send(socket, channel, number);
      WebSocketChannels.send(socket, channel + 1, number);
      forwarded[i] =
          ForwardedPort.open(
              pod,
              ports.get(i),
              new ForwardedPort.PortClient() {
                @Override
                public void send(byte[] bytes) {
                  WebSocketChannels.send(socket, channel, bytes);
                }

                @Override
                public void end(byte[] error) {
                  if (error.length > 0) {
                    WebSocketChannels.send(socket, channel + 1, error);
                  }
                  // There is no message for the end of one channel.
                  if (open.decrementAndGet() == 0) {
                    socket.close();
                  }
                }
              });
    }
    try {
      for (byte[] message = socket.read(); message != null; message = socket.read()) {
        int channel = message.length == 0 ? 1 : message[0];
        if (channel % 2 == 0 && channel >= 0 && channel / 2 < forwarded.length) {
          forwarded[channel / 2].write(Arrays.copyOfRange(message, 1, message.length));
        }
      }
    } finally {
      List.of(forwarded).forEach(ForwardedPort::close);
      socket.close();
    }
  }

  /// Serves two streams per connection to a port, data and errors. The `requestID` header joins
  /// them; the stream for errors comes first.
  @Override
  public void serve(SpdyConnection connection) {
    Map<String, Integer> errors = new HashMap<>();
    // The threads of connections remove themselves.
    Map<Integer, ForwardedPort> open = new ConcurrentHashMap<>();
    try {
      for (Event event = connection.read(); event != null; event = connection.read()) {
        switch (event) {
          case Opened(int stream, var headers) -> opened(connection, stream, headers, errors, open);
          case Data(int stream, byte[] bytes, boolean last) -> {
            ForwardedPort port = open.get(stream);
            if (port != null) {
              port.write(bytes);
              if (last) {
                port.endInput();
              }
            }
          }
        }
      }
    } finally {
      open.values().forEach(ForwardedPort::close);
      connection.close();
    }
  }

  private void opened(
      SpdyConnection connection,
      int stream,
      Map<String, String> headers,
      Map<String, Integer> errors,
      Map<Integer, ForwardedPort> open) {
    String request = headers.getOrDefault("requestid", "");
    if (errors.size() + open.size() >= MOST_CONNECTIONS) {
      boolean _ = connection.send(stream, new byte[0], true);
    } else if (headers.getOrDefault("streamtype", "").equals("error")) {
      errors.put(request, stream);
    } else if (errors.containsKey(request)) {
      int error = errors.remove(request);
      ForwardedPort port =
          ForwardedPort.open(
              pod,
              number(headers),
              new SpdyPortClient(connection, stream, error, () -> open.remove(stream)));
      open.put(stream, port);
      if (port.isClosed()) {
        open.remove(stream);
      }
    }
  }

  /// 0 for a header that is no port, where nothing listens.
  private static int number(Map<String, String> headers) {
    String port = headers.getOrDefault("port", "");
    return port.matches("\\d{1,5}") ? Integer.parseInt(port) : 0;
  }

  private record SpdyPortClient(SpdyConnection connection, int data, int error, Runnable onEnd)
      implements ForwardedPort.PortClient {
    @Override
    public void send(byte[] bytes) {
      boolean _ = connection.send(data, bytes, false);
    }

    @Override
    public void end(byte[] message) {
      onEnd.run();
      boolean _ = connection.send(error, message, true);
      boolean _ = connection.send(data, new byte[0], true);
    }
  }
}
