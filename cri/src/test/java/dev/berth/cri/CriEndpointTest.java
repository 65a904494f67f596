package dev.berth.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cri.CriEndpoint.EndpointException;
import dev.berth.cri.CriEndpoint.InProcess;
import dev.berth.cri.CriEndpoint.Loopback;
import dev.berth.cri.CriEndpoint.UnixSocket;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class CriEndpointTest {
  @ParameterizedTest
  @MethodSource
  void whatIsAcceptedIsUnderstood(String text, CriEndpoint endpoint) {
    assertThat(CriEndpoint.parse(text)).isEqualTo(endpoint);
  }

  static Stream<Arguments> whatIsAcceptedIsUnderstood() {
    var socket = new UnixSocket(Path.of("/run/containerd/containerd.sock"));
    return Stream.of(
        Arguments.of("unix:///run/containerd/containerd.sock", socket),
        Arguments.of("unix:/run/containerd/containerd.sock", socket),
        Arguments.of("/run/containerd/containerd.sock", socket),
        Arguments.of(" unix:///run/containerd/containerd.sock\n", socket),
        Arguments.of("tcp://127.0.0.1:4000", new Loopback("127.0.0.1", 4000)),
        Arguments.of("tcp://127.8.8.8:4000/", new Loopback("127.8.8.8", 4000)),
        Arguments.of("tcp://localhost:65535", new Loopback("localhost", 65535)),
        Arguments.of("tcp://[::1]:1", new Loopback("::1", 1)),
        Arguments.of("inprocess://fleet/7", new InProcess("fleet/7")));
  }

  @ParameterizedTest
  @MethodSource("whatIsAcceptedIsUnderstood")
  void whatIsPrintedCanBeReadAgain(String text, CriEndpoint endpoint) {
    assertThat(CriEndpoint.parse(endpoint.toString())).isEqualTo(endpoint);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      textBlock =
          """
          ''                           | it is empty
          containerd.sock              | it is neither a URL nor an absolute path
          http://127.0.0.1:80          | scheme "http" is not known (known: unix, tcp, npipe)
          unix://                      | the path of the socket is missing
          unix://run/x.sock            | the path of the socket must be absolute, and "run/x.sock" is not
          unix:///run/                 | it names a directory, not a socket
          tcp://10.0.0.1:80            | host "10.0.0.1" is not a loopback address; whoever reaches a runtime controls the node
          tcp://127.0.0.1.evil.com:80  | host "127.0.0.1.evil.com" is not a loopback address; whoever reaches a runtime controls the node
          tcp://:80                    | the host is missing
          tcp://127.0.0.1              | the port is missing or not a number
          tcp://127.0.0.1:http         | the port is missing or not a number
          tcp://127.0.0.1:0            | port 0 is not between 1 and 65535
          tcp://127.0.0.1:70000        | port 70000 is not between 1 and 65535
          tcp:127.0.0.1:80             | what follows "tcp:" is not //HOST:PORT
          npipe://pipe                 | a named pipe is written npipe:////./pipe/NAME
          inprocess://                 | the name is missing
          """)
  void everyMistakeHasItsOwnWords(String text, String why) {
    assertThatThrownBy(() -> CriEndpoint.parse(text))
        .isInstanceOfSatisfying(
            EndpointException.class,
            e -> {
              assertThat(e.problem().what()).isEqualTo("endpoint \"%s\" cannot be used", text);
              assertThat(e.problem().why()).isEqualTo(why);
              assertThat(e.problem().remedy()).isNotEmpty();
            });
  }

  @Test
  void aPathThatTheKernelCannotHoldIsRefused() {
    assertThat(CriEndpoint.parse("/" + "x".repeat(106))).isInstanceOf(UnixSocket.class);
    assertThatThrownBy(() -> CriEndpoint.parse("unix:///" + "x".repeat(107)))
        .hasMessageContaining("the path has 108 bytes, and the path of a socket can have 107");
  }

  @Test
  void namedPipesAreRefusedOffWindows() {
    assertThatThrownBy(
            () -> new EndpointParser("npipe:////./pipe/containerd-containerd", "Linux").parse())
        .hasMessage(
            "endpoint \"npipe:////./pipe/containerd-containerd\" cannot be used: named pipes exist"
                + " only on Windows, and this is Linux. Use the runtime's unix socket, for example"
                + " unix:///run/containerd/containerd.sock");
  }

  @Test
  void namedPipesAreReadOnWindowsAndNotSpokenYet() {
    CriEndpoint pipe = new EndpointParser("npipe:////./pipe/x", "Windows 11").parse();

    assertThat(pipe).isEqualTo(new CriEndpoint.NamedPipe("x"));
    assertThat(pipe).hasToString("npipe:////./pipe/x");
    try (Services services = new Services()) {
      assertThatThrownBy(() -> services.connect("windows", pipe))
          .hasMessage(
              "endpoint \"npipe:////./pipe/x\" cannot be used: named pipes are not supported: gRPC"
                  + " for Java has no transport for them. Configure the runtime to listen at"
                  + " tcp://127.0.0.1:PORT");
    }
  }
}
