package dev.berth.launch.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class ListenAddressIT {
  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

  @Test
  void aTakenPortIsToldWithItsHolder() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, LOOPBACK)) {
      int port = taken.getLocalPort();

      assertThatThrownBy(() -> listen(LOOPBACK, port).requireFree())
          .isInstanceOf(LaunchException.class)
          .hasMessageMatching(
              "cannot listen on 127.0.0.1 port %d: process %d \\(.*\\) holds the port\\. Stop that process, or choose another port with --secure-port \\(0 takes any free one\\)"
                  .formatted(port, ProcessHandle.current().pid()));
    }
  }

  @Test
  void anAddressOfAnotherMachineIsRefused() {
    assertThatThrownBy(() -> listen(InetAddress.ofLiteral("192.0.2.1"), 0).requireFree())
        .isInstanceOf(LaunchException.class)
        .hasMessageStartingWith("cannot listen on 192.0.2.1 port 0: ")
        .hasMessageContaining("--bind-address");
  }

  @Test
  void theHolderOfAPortDoesNotMatterForAnAddressOfAnotherMachine() throws IOException {
    try (ServerSocket everywhere = new ServerSocket(0)) {
      int port = everywhere.getLocalPort();
      // With the words of a port in use, which are not what decides.
      IOException failure = new BindException("address in use");

      assertThat(listen(InetAddress.ofLiteral("192.0.2.1"), port).refusal(failure))
          .hasMessageContaining("Choose an address of this machine");
      assertThat(listen(LOOPBACK, port).refusal(new BindException("besetzt")))
          .hasMessageContaining("holds the port");
    }
  }

  @Test
  void aNodeHasFlagsOfItsOwn() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, LOOPBACK)) {
      PortHolder holders = new PortHolder(Path.of("/proc"));
      assertThatThrownBy(
              () ->
                  new ListenAddress(LOOPBACK, taken.getLocalPort(), "--port", holders)
                      .requireFree())
          .hasMessageContaining("choose another port with --port (0 takes any free one)");
    }
    assertThatThrownBy(
            () ->
                new ListenAddress(
                        InetAddress.ofLiteral("192.0.2.1"),
                        0,
                        "--port",
                        new PortHolder(Path.of("/proc")))
                    .requireFree())
        .hasMessageContaining("with --node-ip and a port from 1024 with --port");
  }

  @Test
  void aFreePortIsFine() {
    listen(LOOPBACK, 0).requireFree();
  }

  @Test
  void onlyAFailureToBindIsThePortsFault() {
    ListenAddress listen = listen(LOOPBACK, 1);

    assertThat(listen.isCauseOf(new IOException("x", new BindException("in use")))).isTrue();
    assertThat(listen.isCauseOf(new IOException("disk full"))).isFalse();
  }

  private static ListenAddress listen(InetAddress address, int port) {
    return new ListenAddress(address, port, "--secure-port", new PortHolder(Path.of("/proc")));
  }
}
