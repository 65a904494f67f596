package dev.berth.sim.admin;

import static dev.berth.sim.TestService.container;
import static dev.berth.sim.TestService.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.sim.TestService;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Knobs that are turned through the admin's socket.
final class AdminIT {
  /// `curl` writes the method only where it is another than that of a body.
  private static final Pattern COMMAND =
      Pattern.compile("(?:-X ([A-Z]+) )?http://sim(/[A-Za-z/]*)(?: -d '([^']*)')?");

  @TempDir Path directory;
  private final TestService service = new TestService("linux/amd64");
  private AdminServer admin;
  private Path socket;

  @BeforeEach
  void start() {
    socket = directory.resolve("admin.sock");
    admin = AdminServer.start(service.simulator(), socket);
  }

  @AfterEach
  void close() {
    admin.close();
    service.close();
    assertThat(socket).doesNotExist();
  }

  @Test
  void faultsComeAndGo() throws Exception {
    assertThat(
            send("POST", "/faults", "{call: Version, code: INTERNAL, message: broken, count: 1}"))
        .contains("200 OK", "\"ids\" : [ 1 ]");
    assertThatThrownBy(() -> service.runtime().version()).hasMessageContaining("broken");
    service.runtime().version();
    assertThat(send("GET", "/faults", ""))
        .contains("\"code\" : \"INTERNAL\"", "\"count\" : 1", "\"acted\" : 1");
    send("POST", "/faults", "[{call: Status, code: INTERNAL}, {call: PullImage, latency: 1ms}]");
    assertThat(send("DELETE", "/faults/2", "")).contains("200 OK");
    assertThat(send("DELETE", "/faults/2", "")).contains("404", "there is no rule 2");
    service.runtime().status(false);
    assertThat(send("DELETE", "/faults", "")).contains("200 OK");
    assertThat(service.simulator().knobs().faults().list()).isEmpty();
  }

  @Test
  void mistakesChangeNothing() throws Exception {
    assertThat(send("PUT", "/handlers", "[{nam: x}]"))
        .contains("400", "handlers[0].name: is needed", "handlers[0].nam: is not known here");
    assertThat(send("PUT", "/pulls", "{latency: [}")).contains("400", "line 1");
    assertThat(send("POST", "/faults", "")).contains("400", "the body must hold a rule");
    assertThat(send("GET", "/nowhere", "")).contains("404", "the paths are GET /");
    assertThat(service.simulator().knobs().profile().defaultHandler().name()).isEqualTo("runc");
  }

  @Test
  void everythingElseCanBeTurned() throws Exception {
    send("PUT", "/handlers", "[{name: kata, features: {userNamespaces: true}}]");
    send("PUT", "/events", "{enabled: false}");
    send("PUT", "/pulls", "{bytesPerSecond: 1Mi}");
    send("PUT", "/conditions/network", "{ready: false, reason: NoNetwork}");
    String state = send("GET", "/", "");

    assertThat(state)
        .contains(
            "\"name\" : \"kata\"",
            "\"events\" : false",
            "\"bytesPerSecond\" : 1048576",
            "\"reason\" : \"NoNetwork\"",
            "\"serving\" : true");
    assertThat(service.runtime().status(false).getStatus().getConditions(1).getReason())
        .isEqualTo("NoNetwork");
  }

  @Test
  void containersEndAndServicesCrash() throws Exception {
    String id = service.start(pod("a"), container("main", "nginx"));
    assertThat(send("GET", "/pods", "")).contains(id, "CONTAINER_RUNNING");
    assertThat(send("POST", "/containers/" + id + "/exit", "{code: 137, reason: OOMKilled}"))
        .contains("200 OK");
    assertThat(service.status(id).getReason()).isEqualTo("OOMKilled");
    assertThat(send("POST", "/containers/" + id + "/exit", "{code: 1}"))
        .contains("404", "does not run");
    assertThat(send("POST", "/containers/nope/exit", "")).contains("404");

    send("POST", "/crash", "");
    assertThat(service.simulator().isServing()).isFalse();
    send("POST", "/start", "");
    assertThat(service.simulator().isServing()).isTrue();
    send("POST", "/restart", "{state: keep}");
    assertThat(service.simulator().machine().sandboxCount()).isEqualTo(1);
    send("POST", "/restart", "{state: lose}");
    assertThat(service.simulator().machine().sandboxCount()).isZero();
    assertThat(send("POST", "/restart", "{state: some}")).contains("400", "is not keep or lose");
  }

  @Test
  void theCommandsOfTheDocumentAreUnderstood() throws Exception {
    String id = service.start(pod("a"), container("main", "nginx"));
    Matcher command = COMMAND.matcher(Files.readString(Path.of("..", "docs", "simulator.md")));
    int commands = 0;
    for (; command.find(); commands++) {
      String path = command.group(2).replace("ID", id);
      String body = command.group(3) == null ? "" : command.group(3);
      String method = command.group(1);
      if (method == null) {
        method = body.isEmpty() ? "GET" : "POST";
      }

      assertThat(send(method, path, body)).as(command.group()).contains("200 OK");
    }
    assertThat(commands).isGreaterThan(8);
  }

  @Test
  void theSocketIsItsOwnersAlone() throws Exception {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
        .isEqualTo("rw-------");
    assertThatThrownBy(() -> AdminServer.start(service.simulator(), socket))
        .isInstanceOf(AdminException.class)
        .hasMessageContaining("another server listens at");
  }

  private String send(String method, String path, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String head =
        "%s %s HTTP/1.1\r\nHost: sim\r\nContent-Length: %d\r\n\r\n"
            .formatted(method, path, bytes.length);
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      channel.write(ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII)));
      channel.write(ByteBuffer.wrap(bytes));
      return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
