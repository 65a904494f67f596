package dev.berth.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cri.CriEndpoint.EndpointException;
import dev.berth.cri.CriEndpoint.Loopback;
import dev.berth.cri.CriEndpoint.UnixSocket;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UnixSocketIT {
  @TempDir private Path directory;
  private final Services services = new Services();

  @AfterEach
  void close() {
    services.close();
  }

  @Test
  void callsGoOverAPrivateSocketInAPrivateDirectory() throws Exception {
    Path path = directory.resolve("run/sim/sim.sock");
    services.serve(new UnixSocket(path), new FakeRuntime());

    CriConnection connection = services.connect("sim", CriEndpoint.parse("unix://" + path));

    assertThat(connection.runtime().version().getRuntimeName()).isEqualTo("fake");
    assertThat(permissions(path)).isEqualTo("rw-------");
    assertThat(permissions(directory.resolve("run/sim"))).isEqualTo("rwx------");
    assertThat(path.resolveSibling("sim.sock~")).doesNotExist();
  }

  @Test
  void theAuthorityIsLocalhost() {
    var authority = new AtomicReference<String>();
    ServerInterceptor interceptor =
        new ServerInterceptor() {
          @Override
          public <Q, R> ServerCall.Listener<Q> interceptCall(
              ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            authority.set(String.valueOf(call.getAuthority()));
            return next.startCall(call, headers);
          }
        };
    var endpoint = new UnixSocket(directory.resolve("a.sock"));
    services.serve(endpoint, List.of(ServerInterceptors.intercept(new FakeRuntime(), interceptor)));

    services.connect("a", endpoint).runtime().version();

    assertThat(authority).hasValue("localhost");
  }

  @Test
  void callsGoOverALoopbackPort() {
    CriServer server = services.serve(new Loopback("127.0.0.1", 0), new FakeRuntime());

    assertThat(server.endpoint().toString()).matches("tcp://127\\.0\\.0\\.1:[1-9]\\d*");
    assertThat(services.connect("tcp", server.endpoint()).runtime().version().getRuntimeName())
        .isEqualTo("fake");
  }

  @Test
  void aServiceThatIsAbsentIsUnavailableAndTheMessageSaysWhere() {
    var endpoint = new UnixSocket(directory.resolve("absent.sock"));
    CriConnection connection = services.connect("absent", endpoint);

    assertThatThrownBy(() -> connection.runtime().version())
        .isInstanceOfSatisfying(
            CriException.class,
            e -> {
              assertThat(e.isUnavailable()).isTrue();
              assertThat(e.reason()).isEqualTo("no such file or directory");
              assertThat(e.problem().remedy())
                  .isEqualTo("Check that the runtime is running and listens at " + endpoint);
            });
  }

  @Test
  void aSocketThatACrashedServerLeftIsReplaced() throws Exception {
    Path path = directory.resolve("stale.sock");
    try (var crashed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      crashed.bind(UnixDomainSocketAddress.of(path));
    }
    assertThat(path).exists();

    services.serve(new UnixSocket(path), new FakeRuntime());

    assertThat(services.connect("s", new UnixSocket(path)).runtime().version().getVersion())
        .isNotEmpty();
  }

  @Test
  void aSocketInUseIsLeftAlone() {
    var endpoint = new UnixSocket(directory.resolve("used.sock"));
    services.serve(endpoint, new FakeRuntime());

    assertThatThrownBy(() -> services.serve(endpoint, new FakeRuntime()))
        .isInstanceOf(EndpointException.class)
        .hasMessage(
            "cannot listen at %s: another server listens at %s. Choose another endpoint, or stop the"
                + " process that listens at this one",
            endpoint, endpoint.path());
    assertThat(services.connect("u", endpoint).runtime().version().getVersion()).isNotEmpty();
  }

  @Test
  void aFileThatIsNoSocketIsLeftAlone() throws Exception {
    Path path = Files.writeString(directory.resolve("notes.txt"), "keep");

    assertThatThrownBy(() -> services.serve(new UnixSocket(path), new FakeRuntime()))
        .hasMessageContaining(path + " exists and is not a socket");
    assertThat(path).hasContent("keep");
  }

  @Test
  void aPortInUseIsRefused() {
    CriServer server = services.serve(new Loopback("127.0.0.1", 0), new FakeRuntime());

    assertThatThrownBy(() -> services.serve(server.endpoint(), new FakeRuntime()))
        .isInstanceOf(EndpointException.class)
        .hasMessageStartingWith("cannot listen at " + server.endpoint() + ": ");
  }

  @Test
  void theSocketGoesWithItsServerButNotWithAnEarlierOne() throws Exception {
    Path path = directory.resolve("s.sock");
    CriServer first = services.serve(new UnixSocket(path), new FakeRuntime());
    Files.delete(path);
    CriServer second = services.serve(new UnixSocket(path), new FakeRuntime());

    first.stop(Duration.ZERO);
    assertThat(path).exists();
    second.stop(Duration.ofSeconds(10));
    assertThat(path).doesNotExist();
  }

  @Test
  void callsUnderWayAreFinishedWithinTheGraceAndThenCutOff() throws Exception {
    var endpoint = new UnixSocket(directory.resolve("g.sock"));
    var fake = new FakeRuntime();
    fake.hang = true;
    CriServer server = services.serve(endpoint, fake);
    RuntimeClient runtime = services.connect("g", endpoint).runtime();
    var failure = new AtomicReference<CriException>();
    Thread caller =
        Thread.startVirtualThread(
            () -> {
              try {
                runtime.version();
              } catch (CriException e) {
                failure.set(e);
              }
            });
    fake.hanging.await();

    server.stop(Duration.ofMillis(50));
    caller.join();

    assertThat(failure.get().isUnavailable() || failure.get().isCancelled()).isTrue();
  }

  private static String permissions(Path path) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
