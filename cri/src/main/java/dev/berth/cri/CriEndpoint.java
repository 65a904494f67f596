package dev.berth.cri;

import dev.berth.api.Problem;
import java.nio.file.Path;

/// The address at which a runtime service listens.
public sealed interface CriEndpoint {
  /// Reads an endpoint as the kubelet does: `unix:///path`, `tcp://127.0.0.1:port`,
  /// `npipe:////./pipe/name` on Windows, or a bare path.
  static CriEndpoint parse(String text) throws EndpointException {
    return new EndpointParser(text, System.getProperty("os.name", "")).parse();
  }

  /// A unix socket, which is the usual case.
  record UnixSocket(Path path) implements CriEndpoint {
    @Override
    public String toString() {
      return "unix://" + path;
    }
  }

  /// A port of the loopback interface, for tests and tools. Every user of the machine can connect.
  ///
  /// @param host a literal loopback address, or `localhost`
  /// @param port 0 makes a server choose a free port
  record Loopback(String host, int port) implements CriEndpoint {
    public Loopback {
      if (!EndpointParser.isLoopback(host) || port < 0 || port > EndpointParser.LAST_PORT) {
        throw new IllegalArgumentException("not a loopback address: " + host + ":" + port);
      }
    }

    @Override
    public String toString() {
      return "tcp://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
  }

  /// A named pipe of Windows. Only agents on Windows parse such an endpoint.
  ///
  /// @param name the text after `npipe:////./pipe/`
  record NamedPipe(String name) implements CriEndpoint {
    @Override
    public String toString() {
      return "npipe:////./pipe/" + name;
    }

    /// The error for named pipes: gRPC for Java has no transport for them.
    EndpointException notSpoken() {
      return new EndpointException(
          new Problem(
              "endpoint \"%s\" cannot be used".formatted(this),
              "named pipes are not supported: gRPC for Java has no transport for them",
              "Configure the runtime to listen at tcp://127.0.0.1:PORT"));
    }
  }

  /// A server in this process, for fleets of simulated runtimes. It needs no file descriptor and
  /// copies no message.
  record InProcess(String name) implements CriEndpoint {
    @Override
    public String toString() {
      return "inprocess://" + name;
    }
  }

  /// An endpoint cannot be used.
  final class EndpointException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient Problem problem;

    EndpointException(Problem problem) {
      super(problem.toString());
      this.problem = problem;
    }

    EndpointException(Problem problem, Throwable cause) {
      super(problem.toString(), cause);
      this.problem = problem;
    }

    public Problem problem() {
      return problem;
    }
  }
}
