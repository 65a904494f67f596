package dev.berth.server.http.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.http.ApiHandlers;
import org.junit.jupiter.api.Test;

class OpenStreamsTest {
  @Test
  void aServerThatEndsItsStreamsIsNotReady() {
    OpenStreams streams = new OpenStreams();
    assertThat(ApiHandlers.stopping(streams)).isEmpty();
    streams.endAll();
    assertThat(ApiHandlers.stopping(streams)).contains("the server is stopping");
  }
}
