package dev.berth.sim;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The client's end of the remote command protocol, on the JDK's WebSocket.
public final class ChannelClient implements WebSocket.Listener {
  private final Map<Integer, ByteArrayOutputStream> channels = new ConcurrentHashMap<>();
  private final ByteArrayOutputStream message = new ByteArrayOutputStream();
  private final AtomicInteger count = new AtomicInteger();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final CompletableFuture<WebSocket> socket;

  private ChannelClient(String url, String protocol) {
    socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .subprotocols(protocol)
            .buildAsync(URI.create(url.replaceFirst("http", "ws")), this);
  }

  /// Fails when the server does not take it.
  public static ChannelClient connect(String url, String protocol) {
    ChannelClient client = new ChannelClient(url, protocol);
    client.socket.join();
    return client;
  }

  public void send(int channel, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer buffer = ByteBuffer.allocate(bytes.length + 1).put((byte) channel).put(bytes);
    socket.join().sendBinary(buffer.flip(), true).join();
  }

  public void endInput() {
    socket.join().sendBinary(ByteBuffer.wrap(new byte[] {(byte) 255, 0}), true).join();
  }

  public String text(int channel) {
    return new String(bytes(channel), StandardCharsets.UTF_8);
  }

  public byte[] bytes(int channel) {
    return channels.computeIfAbsent(channel, _ -> new ByteArrayOutputStream()).toByteArray();
  }

  public int messages() {
    return count.get();
  }

  public void awaitEnd() {
    try {
      if (!ended.await(120, TimeUnit.SECONDS)) {
        throw new AssertionError("the stream did not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public @Nullable CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
    byte[] bytes = new byte[data.remaining()];
    data.get(bytes);
    message.writeBytes(bytes);
    if (last) {
      byte[] whole = message.toByteArray();
      message.reset();
      channels
          .computeIfAbsent((int) whole[0], _ -> new ByteArrayOutputStream())
          .write(whole, 1, whole.length - 1);
      count.incrementAndGet();
    }
    from.request(1);
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onClose(WebSocket from, int status, String reason) {
    ended.countDown();
    return null;
  }

  @Override
  public void onError(WebSocket from, Throwable error) {
    ended.countDown();
  }
}
