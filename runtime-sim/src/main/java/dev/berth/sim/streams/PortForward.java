package dev.berth.sim.streams;

import dev.berth.cri.http.SpdyConnection;
import dev.berth.cri.http.SpdyConnection.Data;
import dev.berth.cri.http.SpdyConnection.Event;
import dev.berth.cri.http.SpdyConnection.Opened;
import dev.berth.cri.http.WebSocket;
import dev.berth.cri.streaming.StreamSession;
import dev.berth.cri.streaming.WebSocketChannels;
import dev.berth.sim.model.SimSandbox;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The forwarded ports of a pod.
///
/// Nothing listens in a simulated pod. An HTTP request gets an answer with the pod's name, other
/// bytes come back unchanged, as long as the sandbox is ready.
record PortForward(SimSandbox sandbox, List<Integer> ports) implements StreamSession {
  PortForward {
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
    for (int i = 0; i < ports.size(); i++) {
      byte[] number = {(byte) (int) ports.get(i), (byte) (ports.get(i) >> 8)};
      WebSocketChannels.send(socket, 2 * i, number);
      WebSocketChannels.send(socket, 2 * i + 1, number);
    }
    byte[] message = socket.read();
    while (message != null) {
      // Even channels carry data, odd ones errors.
      if (message.length > 1 && message[0] % 2 == 0) {
        if (!sandbox.ready()) {
          WebSocketChannels.send(socket, message[0] + 1, gone());
          break;
        }
        byte[] bytes = Arrays.copyOfRange(message, 1, message.length);
        WebSocketChannels.send(socket, message[0], isHttp(bytes) ? page() : bytes);
      }
      message = socket.read();
    }
    socket.close();
  }

  /// Serves two streams per connection to a port, data and errors. The `requestID` header joins
  /// them.
  @Override
  public void serve(SpdyConnection connection) {
    Map<String, Integer> errorStreams = new HashMap<>();
    Map<Integer, Integer> errorOfData = new HashMap<>();
    for (Event event = connection.read(); event != null; event = connection.read()) {
      switch (event) {
        case Opened(int stream, var headers) -> {
          String number = headers.getOrDefault("requestid", "");
          if (headers.getOrDefault("streamtype", "").equals("error")) {
            errorStreams.put(number, stream);
          } else if (errorStreams.containsKey(number)) {
            errorOfData.put(stream, errorStreams.remove(number));
            if (!sandbox.ready()) {
              refuse(connection, stream, errorOfData);
            }
          }
        }
        case Data(int stream, _, _) when !sandbox.ready() ->
            refuse(connection, stream, errorOfData);
        case Data(int stream, byte[] bytes, boolean last) -> {
          boolean http = isHttp(bytes);
          if (errorOfData.containsKey(stream)
              && connection.send(stream, http ? page() : bytes, last || http)
              && (last || http)) {
            connection.send(errorOfData.remove(stream), new byte[0], true);
          }
        }
      }
    }
    connection.close();
  }

  /// Ends one forwarded connection with an error, as a runtime does that cannot reach the port; the
  /// others stay.
  private void refuse(SpdyConnection connection, int stream, Map<Integer, Integer> errorOfData) {
    Integer error = errorOfData.remove(stream);
    if (error != null && connection.send(error, gone(), true)) {
      boolean _ = connection.send(stream, new byte[0], true);
    }
  }

  private byte[] gone() {
    return "failed to find sandbox \"%s\" in store: not found"
        .formatted(sandbox.id())
        .getBytes(StandardCharsets.UTF_8);
  }

  /// Whether the bytes begin an HTTP/1 request.
  private static boolean isHttp(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1)
        .matches("(?s)[A-Z]+ [^ ]+ HTTP/1\\.[01]\r\n.*");
  }

  private byte[] page() {
    String body = "simulated pod " + sandbox.config().getMetadata().getName() + "\n";
    return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
        .formatted(body.length(), body)
        .getBytes(StandardCharsets.UTF_8);
  }
}
