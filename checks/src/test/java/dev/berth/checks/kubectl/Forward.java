package dev.berth.checks.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A running `kubectl port-forward` from a free port of this machine.
final class Forward implements AutoCloseable {
  private final Process process;
  private final int port;

  Forward(Kubectl kubectl, Map<String, String> environment, String pod, int remote)
      throws IOException {
    process = kubectl.start(environment, "port-forward", "pod/" + pod, ":" + remote);
    BufferedReader words = process.inputReader();
    Matcher line =
        Pattern.compile("127\\.0\\.0\\.1:(\\d+) -> " + remote)
            .matcher(String.valueOf(words.readLine()));
    assertThat(line.find()).isTrue();
    port = Integer.parseInt(line.group(1));
  }

  String get(String path) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        InputStream in = socket.getInputStream()) {
      socket
          .getOutputStream()
          .write(
              ("GET " + path + " HTTP/1.0\r\nHost: localhost\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Override
  public void close() {
    process.destroy();
  }
}
