package dev.berth.sim.images;

import java.net.URI;
import java.util.Optional;
import java.util.regex.Pattern;

/// A real registry, whose images are looked up there.
///
/// @param host as references name it, such as `docker.io` or `registry.example.com:5000`
/// @param endpoint where it answers
/// @param credentials `user:password` of pulls that bring none; may be empty
public record RegistryHost(String host, URI endpoint, String credentials) {
  private static final String HOST = "[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?(?::[0-9]{1,5})?";
  private static final Pattern ENDPOINT =
      Pattern.compile("(https?)://((?:" + HOST + ")|\\[::1\\](?::[0-9]{1,5})?)/?");
  private static final Pattern THIS_MACHINE =
      Pattern.compile("(?:localhost|127\\.[0-9.]+|\\[::1\\])(?::[0-9]+)?");

  public static boolean isHost(String text) {
    return text.matches(HOST);
  }

  /// Over the network only with TLS, so that no credentials and no image come from anybody else.
  public static Optional<URI> parseEndpoint(String text) {
    var matcher = ENDPOINT.matcher(text);
    return matcher.matches() && isPrivate(matcher.group(1), matcher.group(2))
        ? Optional.of(URI.create(matcher.group(1) + "://" + matcher.group(2)))
        : Optional.empty();
  }

  /// Where a host answers that says nothing else. Docker's has another name than its references.
  public static URI usualEndpoint(String host) {
    return URI.create("https://" + (host.equals("docker.io") ? "registry-1.docker.io" : host));
  }

  /// Whether nobody else can listen.
  public static boolean isPrivate(URI uri) {
    return uri.getScheme() != null
        && uri.getAuthority() != null
        && isPrivate(uri.getScheme(), uri.getAuthority());
  }

  private static boolean isPrivate(String scheme, String authority) {
    return scheme.equals("https")
        || (scheme.equals("http") && THIS_MACHINE.matcher(authority).matches());
  }
}
