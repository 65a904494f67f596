package dev.berth.checks.contract;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Whoever sits at the other end of `kubectl exec`: a WebSocket whose messages begin with a
/// channel.
public final class RemoteCommandClient implements WebSocket.Listener, AutoCloseable {
  private final Map<Integer, ByteArrayOutputStream> channels = new ConcurrentHashMap<>();
  private final ByteArrayOutputStream message = new ByteArrayOutputStream();
  private volatile boolean ended;
  private volatile @Nullable WebSocket socket;

  private RemoteCommandClient() {}

  static RemoteCommandClient connect(String url) {
    return connect(url, "v4.channel.k8s.io");
  }

  /// Speaks channels of a version.
  ///
  /// @param protocol the only subprotocol that is offered
  public static RemoteCommandClient connect(String url, String protocol) {
    return connect(HttpClient.newHttpClient(), url, protocol);
  }

  /// The same as somebody.
  ///
  /// @param as who has a certificate
  public static RemoteCommandClient connect(HttpClient as, String url, String protocol) {
    RemoteCommandClient client = new RemoteCommandClient();
    client.socket =
        as.newWebSocketBuilder()
            .subprotocols(protocol)
            .buildAsync(URI.create(url.replaceFirst("http", "ws")), client)
            .join();
    return client;
  }

  /// Says that nothing more comes on a channel, which version 5 allows.
  public void closeChannel(int channel) {
    send(255, new byte[] {(byte) channel});
  }

  void send(int channel, String text) {
    send(channel, text.getBytes(StandardCharsets.UTF_8));
  }

  /// Sends one message.
  public void send(int channel, byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.allocate(bytes.length + 1).put((byte) channel).put(bytes);
    WebSocket connected = socket;
    if (connected != null) {
      connected.sendBinary(buffer.flip(), true).join();
    }
  }

  @Override
  public void close() {
    WebSocket connected = socket;
    if (connected != null) {
      connected.abort();
    }
  }

  /// The subprotocol that the server chose.
  public String protocol() {
    WebSocket connected = socket;
    return connected == null ? "" : connected.getSubprotocol();
  }

  public void awaitEnd() {
    Cri.await(() -> ended);
  }

  public boolean ended() {
    return ended;
  }

  public String text(int channel) {
    return new String(channel(channel).toByteArray(), StandardCharsets.UTF_8);
  }

  @Override
  public @Nullable CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
    byte[] bytes = new byte[data.remaining()];
    data.get(bytes);
    message.writeBytes(bytes);
    if (last) {
      byte[] whole = message.toByteArray();
      message.reset();
      if (whole.length > 0) {
        channel(whole[0]).write(whole, 1, whole.length - 1);
      }
    }
    from.request(1);
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onClose(WebSocket from, int status, String reason) {
    ended = true;
    return null;
  }

  @Override
  public void onError(WebSocket from, Throwable error) {
    ended = true;
  }

  private ByteArrayOutputStream channel(int number) {
    return channels.computeIfAbsent(number, _ -> new ByteArrayOutputStream());
  }
}
