package dev.berth.registry.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Proxies as the environment names them: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, also in lower
/// case. This machine's own addresses never go through a proxy.
///
/// A proxy that wants a password is not supported.
public final class ProxySettings extends ProxySelector {
  private static final Pattern LOOPBACK = Pattern.compile("localhost|127\\.[0-9.]+|\\[?::1\\]?");
  private static final List<Proxy> DIRECT = List.of(Proxy.NO_PROXY);

  private final @Nullable InetSocketAddress secure;
  private final @Nullable InetSocketAddress plain;
  private final List<String> exceptions;

  private ProxySettings(
      @Nullable InetSocketAddress secure,
      @Nullable InetSocketAddress plain,
      List<String> exceptions) {
    this.secure = secure;
    this.plain = plain;
    this.exceptions = exceptions;
  }

  public static ProxySettings direct() {
    return new ProxySettings(null, null, List.of());
  }

  /// An address that cannot be read counts as none.
  public static ProxySettings ofEnvironment(Map<String, String> environment) {
    List<String> exceptions = new ArrayList<>();
    for (String entry : value(environment, "NO_PROXY").split(",", -1)) {
      if (!entry.isBlank()) {
        exceptions.add(entry.strip().toLowerCase(Locale.ROOT));
      }
    }
    return new ProxySettings(
        address(value(environment, "HTTPS_PROXY")),
        address(value(environment, "HTTP_PROXY")),
        List.copyOf(exceptions));
  }

  private static String value(Map<String, String> environment, String name) {
    return environment.getOrDefault(
        name, environment.getOrDefault(name.toLowerCase(Locale.ROOT), ""));
  }

  private static @Nullable InetSocketAddress address(String text) {
    try {
      URI uri = URI.create(text.contains("://") ? text : "http://" + text);
      return uri.getHost() == null
          ? null
          : InetSocketAddress.createUnresolved(
              uri.getHost(), uri.getPort() < 0 ? usualPort(uri) : uri.getPort());
    } catch (IllegalArgumentException _) {
      return null;
    }
  }

  private static int usualPort(URI uri) {
    return "https".equals(uri.getScheme()) ? 443 : 80;
  }

  @Override
  public List<Proxy> select(URI uri) {
    InetSocketAddress proxy = "https".equals(uri.getScheme()) ? secure : plain;
    String host = uri.getHost() == null ? "" : uri.getHost().toLowerCase(Locale.ROOT);
    if (proxy == null || LOOPBACK.matcher(host).matches() || isException(host, uri.getPort())) {
      return DIRECT;
    }
    // With a resolved name, because the client connects to what it is given.
    return List.of(
        new Proxy(Proxy.Type.HTTP, new InetSocketAddress(proxy.getHostString(), proxy.getPort())));
  }

  private boolean isException(String host, int port) {
    return exceptions.stream().anyMatch(exception -> fits(exception, host, port));
  }

  /// `*`, a name with all below it (`.example.com` only what is below it), an address, a range of
  /// addresses, each perhaps with a port.
  private static boolean fits(String exception, String host, int port) {
    if (exception.equals("*")) {
      return true;
    }
    String name = exception;
    int colon = exception.lastIndexOf(':');
    if (colon > 0 && exception.indexOf(':') == colon) {
      if (!exception.substring(colon + 1).equals(String.valueOf(port))) {
        return false;
      }
      name = exception.substring(0, colon);
    }
    if (name.contains("/")) {
      return AddressRange.contains(name, host);
    }
    name = name.startsWith("*.") ? name.substring(1) : name;
    return name.startsWith(".")
        ? host.endsWith(name)
        : host.equals(name) || host.endsWith("." + name);
  }

  /// The client says so itself.
  @Override
  public void connectFailed(URI uri, SocketAddress address, IOException cause) {}
}
