package dev.berth.sim.streams;

import dev.berth.sim.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// Ports of a pod over a WebSocket: two channels per port, data and errors, each of which begins
/// with the port's number.
///
/// Nothing listens in a simulated pod: a request of HTTP is answered with the pod's name,
/// everything else comes back as it was.
final class PortForward {
  private final WebSocket socket;
  private final String pod;
  private final List<Integer> ports;

  PortForward(WebSocket socket, String pod, List<Integer> ports) {
    this.socket = socket;
    this.pod = pod;
    this.ports = ports;
  }

  void serve() {
    for (int i = 0; i < ports.size(); i++) {
      byte[] number = {(byte) (int) ports.get(i), (byte) (ports.get(i) >> 8)};
      send(2 * i, number);
      send(2 * i + 1, number);
    }
    byte[] message = socket.read();
    while (message != null) {
      if (message.length > 1 && message[0] % 2 == 0) {
        send(message[0], answer(Arrays.copyOfRange(message, 1, message.length)));
      }
      message = socket.read();
    }
    socket.close();
  }

  private byte[] answer(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    if (!text.matches("(?s)[A-Z]+ [^ ]+ HTTP/1\\.[01]\r\n.*")) {
      return bytes;
    }
    String body = "simulated pod " + pod + "\n";
    return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
        .formatted(body.length(), body)
        .getBytes(StandardCharsets.UTF_8);
  }

  private void send(int channel, byte[] bytes) {
    byte[] message = new byte[bytes.length + 1];
    message[0] = (byte) channel;
    System.arraycopy(bytes, 0, message, 1, bytes.length);
    socket.send(message);
  }
}
