package dev.berth.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cri.CriEndpoint.UnixSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LeakIT {
  @TempDir private Path directory;

  @Test
  void nothingIsLeftWhenEverythingIsClosed() throws Exception {
    useOnce(); // Loads classes, which opens files.
    long before = sockets();
    for (int i = 0; i < 20; i++) {
      useOnce();
    }

    Await.until("sockets are closed", () -> sockets() <= before);
    Await.until("threads have ended", () -> ioThreads() == 0);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void manyConnectionsShareTheirThreads() throws Exception {
    try (var services = new Services()) {
      for (int i = 0; i < 50; i++) {
        var endpoint = new UnixSocket(directory.resolve(i + ".sock"));
        services.serve(endpoint, new FakeRuntime());
        services.connect("s" + i, endpoint).runtime().version();
      }

      assertThat(ioThreads()).isLessThanOrEqualTo(2);
    }
  }

  private void useOnce() {
    try (var services = new Services()) {
      var endpoint = new UnixSocket(directory.resolve("s.sock"));
      CriServer server = services.serve(endpoint, new FakeRuntime());
      CriConnection connection = services.connect("s", endpoint);
      connection.runtime().version();
      server.stopNow();
      assertThatThrownBy(() -> connection.runtime().version()).isInstanceOf(CriException.class);
    }
  }

  private static long ioThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("cri-io-"))
        .count();
  }

  private static long sockets() {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.filter(LeakIT::isSocketOrPoll).count();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static boolean isSocketOrPoll(Path descriptor) {
    try {
      String target = Files.readSymbolicLink(descriptor).toString();
      return target.startsWith("socket:") || target.startsWith("anon_inode:");
    } catch (IOException _) {
      return false;
    }
  }
}
