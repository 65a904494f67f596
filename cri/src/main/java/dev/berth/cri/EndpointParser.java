package dev.berth.cri;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.api.Problem;
import dev.berth.cri.CriEndpoint.EndpointException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Parses endpoints. Each mistake has an error text of its own.
///
/// Only local addresses are accepted, because CRI has neither encryption nor authentication:
/// whoever reaches a runtime has the rights of root.
final class EndpointParser {
  static final int LAST_PORT = 65_535;

  /// The kernel's `sun_path` holds 108 bytes with the terminating zero.
  static final int LONGEST_SOCKET_PATH = 107;

  private static final String ACCEPTED =
      "Write unix:///run/containerd/containerd.sock, or tcp://127.0.0.1:PORT for a port of this machine";
  private static final Pattern URL = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):(.*)");
  private static final Pattern HOST_AND_PORT =
      Pattern.compile("//(?:\\[([0-9A-Fa-f:]+)]|([^:/\\[\\]]*))(?::([^:/]*))?/?");
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|::1|127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");

  private final String text;
  private final String operatingSystem;

  EndpointParser(String text, String operatingSystem) {
    this.text = text.strip();
    this.operatingSystem = operatingSystem;
  }

  static boolean isLoopback(String host) {
    return LOOPBACK.matcher(host).matches();
  }

  CriEndpoint parse() {
    if (text.isEmpty()) {
      throw refused("it is empty", ACCEPTED);
    }
    if (text.startsWith("/")) {
      return socket(text);
    }
    Matcher url = URL.matcher(text);
    if (!url.matches()) {
      throw refused("it is neither a URL nor an absolute path", ACCEPTED);
    }
    String rest = url.group(2);
    return switch (url.group(1)) {
      case "unix" -> unix(rest);
      case "tcp" -> tcp(rest);
      case "npipe" -> pipe(rest);
      case "inprocess" -> inProcess(rest);
      default ->
          throw refused(
              "scheme \"%s\" is not known (known: unix, tcp, npipe)".formatted(url.group(1)),
              ACCEPTED);
    };
  }

  /// Reads `unix:///path` and `unix:/path`: both are in use.
  private CriEndpoint unix(String rest) {
    String path = rest.startsWith("//") ? rest.substring(2) : rest;
    if (!path.startsWith("/")) {
      throw refused(
          path.isEmpty()
              ? "the path of the socket is missing"
              : "the path of the socket must be absolute, and \"%s\" is not".formatted(path),
          "Write it with three slashes: unix:///run/containerd/containerd.sock");
    }
    return socket(path);
  }

  private CriEndpoint socket(String path) {
    if (path.endsWith("/")) {
      throw refused("it names a directory, not a socket", "Add the name of the socket's file");
    }
    int length = path.getBytes(UTF_8).length;
    if (length > LONGEST_SOCKET_PATH) {
      throw refused(
          "the path has %d bytes, and the path of a socket can have %d"
              .formatted(length, LONGEST_SOCKET_PATH),
          "Configure a shorter path in the runtime, or make a symbolic link to its directory");
    }
    try {
      return new CriEndpoint.UnixSocket(Path.of(path));
    } catch (InvalidPathException e) {
      throw refused("the path is not valid: " + e.getReason(), ACCEPTED);
    }
  }

  private CriEndpoint tcp(String rest) {
    Matcher address = HOST_AND_PORT.matcher(rest);
    if (!address.matches()) {
      throw refused("what follows \"tcp:\" is not //HOST:PORT", ACCEPTED);
    }
    String host = address.group(1) != null ? address.group(1) : address.group(2);
    if (!isLoopback(host)) {
      throw refused(
          host.isEmpty()
              ? "the host is missing"
              : "host \"%s\" is not a loopback address; whoever reaches a runtime controls the node"
                  .formatted(host),
          "Use 127.0.0.1, [::1] or localhost, or a unix socket");
    }
    return new CriEndpoint.Loopback(host, port(address.group(3)));
  }

  private int port(String digits) {
    if (digits == null || !digits.matches("\\d{1,5}")) {
      throw refused("the port is missing or not a number", ACCEPTED);
    }
    int port = Integer.parseInt(digits);
    if (port < 1 || port > LAST_PORT) {
      throw refused("port %d is not between 1 and %d".formatted(port, LAST_PORT), ACCEPTED);
    }
    return port;
  }

  private CriEndpoint pipe(String rest) {
    String prefix = "////./pipe/";
    if (!rest.startsWith(prefix) || rest.length() == prefix.length()) {
      throw refused(
          "a named pipe is written npipe:////./pipe/NAME",
          "For example npipe:////./pipe/containerd-containerd");
    }
    if (!operatingSystem.startsWith("Windows")) {
      throw refused(
          "named pipes exist only on Windows, and this is " + operatingSystem,
          "Use the runtime's unix socket, for example unix:///run/containerd/containerd.sock");
    }
    return new CriEndpoint.NamedPipe(rest.substring(prefix.length()));
  }

  private CriEndpoint inProcess(String rest) {
    String name = rest.startsWith("//") ? rest.substring(2) : rest;
    if (name.isEmpty()) {
      throw refused("the name is missing", "Write inprocess://NAME");
    }
    return new CriEndpoint.InProcess(name);
  }

  private EndpointException refused(String why, String remedy) {
    return new EndpointException(
        new Problem("endpoint \"%s\" cannot be used".formatted(text), why, remedy));
  }
}
