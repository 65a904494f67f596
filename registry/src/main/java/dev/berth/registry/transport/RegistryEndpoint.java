package dev.berth.registry.transport;

import dev.berth.registry.credentials.RegistryCredentials;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// Where a registry, or a mirror of it, answers.
///
/// @param base `https://HOST[:PORT]`, or `http://` on the loopback interface; with a path when the
///   API is not below `/v2`, as for a proxy project of Harbor
/// @param credentials of a mirror, which never sees those of the registry; of a registry, for
///   requests that bring none
/// @param role whether it is the registry itself
/// @param uses what a mirror may be asked for; the registry itself is asked for everything
/// @param trust the authorities of this endpoint; null for those of the settings
public record RegistryEndpoint(
    URI base,
    RegistryCredentials credentials,
    EndpointRole role,
    Set<EndpointUse> uses,
    @Nullable SSLContext trust) {
  private static final String HOST = "[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?(?::[0-9]{1,5})?";
  private static final Pattern ENDPOINT =
      Pattern.compile("(https?)://((?:" + HOST + ")|\\[::1\\](?::[0-9]{1,5})?)/?");
  private static final Pattern LOOPBACK =
      Pattern.compile("(?:localhost|127(?:\\.[0-9]{1,3}){3}|\\[::1\\])(?::[0-9]+)?");

  /// What an endpoint is asked for, as the capabilities of containerd's `hosts.toml` have it.
  public enum EndpointUse {
    /// What a tag stands for.
    RESOLVE,
    /// Content by digest.
    PULL
  }

  /// What an endpoint is to the registry of a reference.
  public enum EndpointRole {
    /// The registry itself, which gets the credentials of its users.
    REGISTRY,
    /// Asked last in the place of any registry, whose credentials it does not get.
    STAND_IN,
    /// Asked first, without the credentials of the registry.
    MIRROR
  }

  public RegistryEndpoint(URI base, RegistryCredentials credentials, boolean isMirror) {
    this(
        base,
        credentials,
        isMirror ? EndpointRole.MIRROR : EndpointRole.REGISTRY,
        Set.of(EndpointUse.values()),
        null);
  }

  public RegistryEndpoint {
    uses = Set.copyOf(uses);
    if (!isPrivate(base)) {
      throw new IllegalArgumentException(
          "registry endpoint %s is neither https nor on the loopback interface".formatted(base));
    }
  }

  public static boolean isHost(String text) {
    return text.matches(HOST);
  }

  /// Over the network only with TLS, so that no credentials and no image come from anybody else.
  public static Optional<URI> parseBase(String text) {
    var matcher = ENDPOINT.matcher(text);
    return matcher.matches() && isPrivate(matcher.group(1), matcher.group(2))
        ? Optional.of(URI.create(matcher.group(1) + "://" + matcher.group(2)))
        : Optional.empty();
  }

  /// Where the host of a reference answers when nothing else is configured. Docker's registry has
  /// another name than its references, and the loopback interface needs no TLS.
  public static RegistryEndpoint usual(String host) {
    String scheme = LOOPBACK.matcher(host).matches() ? "http://" : "https://";
    String name = host.equals("docker.io") ? "registry-1.docker.io" : host;
    return new RegistryEndpoint(URI.create(scheme + name), RegistryCredentials.NONE, false);
  }

  /// A mirror with credentials of its own, or `RegistryCredentials.NONE`.
  public static RegistryEndpoint mirror(URI base, RegistryCredentials credentials) {
    return new RegistryEndpoint(base, credentials, true);
  }

  /// Whether it is asked before the registry.
  public boolean isMirror() {
    return role == EndpointRole.MIRROR;
  }

  /// Whether the host of a reference answers here by itself.
  public boolean isOwn(String registry) {
    return base.equals(usual(registry).base());
  }

  /// The address of what a repository has. As in containerd, another host than the registry learns
  /// which registry is meant, so that one mirror can serve several.
  URI address(String registry, String repository, String path) {
    String api = base.getRawPath().isEmpty() ? "/v2" : base.getRawPath();
    boolean isRegistry = host().equals(usual(registry).host());
    return base.resolve(
        api
            + "/"
            + repository
            + "/"
            + path
            + (isRegistry ? "" : "?ns=" + URLEncoder.encode(registry, StandardCharsets.UTF_8)));
  }

  /// Whether nobody else can listen.
  public static boolean isPrivate(URI uri) {
    return uri.getScheme() != null
        && uri.getRawAuthority() != null
        && isPrivate(uri.getScheme(), uri.getRawAuthority());
  }

  private static boolean isPrivate(String scheme, String authority) {
    return scheme.equals("https")
        || (scheme.equals("http") && LOOPBACK.matcher(authority).matches());
  }

  /// Whether a request of this endpoint may go on at another address: with TLS anywhere, without
  /// only on this machine, if it began there. Otherwise a registry could call local services.
  boolean mayLeadTo(URI uri) {
    return isPrivate(uri) && (uri.getScheme().equals("https") || base.getScheme().equals("http"));
  }

  /// For messages.
  public String host() {
    return base.getRawAuthority();
  }
}
