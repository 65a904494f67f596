package dev.berth.registry.credentials;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// How a Docker configuration names the images that credentials are for: a host that may have
/// wildcards in its labels, perhaps with a port and the beginning of a path. The rules are those of
/// the kubelet (`pkg/credentialprovider/keyring.go`).
final class ServerPattern {
  private static final String DEFAULT_HOST = "docker.io";
  private static final List<String> DEFAULT_NAMES =
      List.of("docker.io", "index.docker.io", "registry-1.docker.io");

  private final List<Pattern> labels;
  private final String port;
  private final String path;

  private ServerPattern(List<Pattern> labels, String port, String path) {
    this.labels = labels;
    this.port = port;
    this.path = path;
  }

  /// Empty when it cannot be read.
  static Optional<ServerPattern> parse(String server) {
    String plain = server.replaceFirst("^https?://", "");
    int slash = plain.indexOf('/');
    String authority = slash < 0 ? plain : plain.substring(0, slash);
    String path = slash < 0 ? "" : plain.substring(slash);
    // The kubelet drops the versions that Docker writes behind the host.
    if (path.matches("/v[12](/.*)?")) {
      path = path.substring(3);
    }
    int colon = authority.lastIndexOf(':');
    String host = colon < 0 ? authority : authority.substring(0, colon);
    if (host.isEmpty()) {
      return Optional.empty();
    }
    List<Pattern> labels = new ArrayList<>();
    try {
      for (String label : canonical(host.toLowerCase(Locale.ROOT)).split("\\.", -1)) {
        labels.add(Pattern.compile(GlobExpression.regex(label)));
      }
    } catch (PatternSyntaxException _) {
      return Optional.empty();
    }
    return Optional.of(
        new ServerPattern(
            labels, colon < 0 ? "" : authority.substring(colon + 1), path.replaceFirst("/+$", "")));
  }

  /// @param repository in full, such as `docker.io/library/nginx`
  boolean matches(String repository) {
    int slash = repository.indexOf('/');
    String authority = slash < 0 ? repository : repository.substring(0, slash);
    int colon = authority.lastIndexOf(':');
    String host = canonical(colon < 0 ? authority : authority.substring(0, colon));
    String[] parts = host.toLowerCase(Locale.ROOT).split("\\.", -1);
    if (!port.equals(colon < 0 ? "" : authority.substring(colon + 1))
        || parts.length != labels.size()
        || !(slash < 0 ? "" : repository.substring(slash)).startsWith(path)) {
      return false;
    }
    for (int i = 0; i < parts.length; i++) {
      if (!labels.get(i).matcher(parts[i]).matches()) {
        return false;
      }
    }
    return true;
  }

  private static String canonical(String host) {
    return DEFAULT_NAMES.contains(host) ? DEFAULT_HOST : host;
  }
}
