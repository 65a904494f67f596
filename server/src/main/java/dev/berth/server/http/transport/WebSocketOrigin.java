package dev.berth.server.http.transport;

import dev.berth.server.errors.ApiException;
import dev.berth.server.errors.ApiStatus;
import java.net.URI;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/// Decides which web pages may open a WebSocket with their user's credentials.
///
/// A browser opens a WebSocket for a page of any origin without a preflight request, and presents
/// its user's client certificate. Watches, logs, exec, attach, port-forward and the proxies would
/// be open to every such page. Berth uses no cookies, and a page cannot set headers of a WebSocket:
/// a bearer token comes from a program that has it, whatever its origin.
public final class WebSocketOrigin {
  /// Go's WebSocket clients must send an origin and have none; upstream's tests and many other
  /// clients send this one. A page of this origin (from port 80 of the user's machine) may be
  /// hostile, too, so it is accepted from programs only.
  private static final String NO_PAGE = "http://localhost";

  private WebSocketOrigin() {}

  /// Rejects requests from pages of other origins.
  public static void check(HttpFields headers) {
    if (!isAccepted(headers)) {
      throw new ApiException(
          new ApiStatus(
              HttpStatus.FORBIDDEN_403,
              "Forbidden",
              ("pages of %s may not open a WebSocket to this server: accepted are requests without"
                      + " an Origin header, of the server's own origin (https://%s), or with a"
                      + " bearer token")
                  .formatted(headers.get(HttpHeader.ORIGIN), headers.get(HttpHeader.HOST)),
              ApiStatus.Details.ABSENT));
    }
  }

  static boolean isAccepted(HttpFields headers) {
    String origin = headers.get(HttpHeader.ORIGIN);
    return origin == null
        || origin.isEmpty()
        || hasToken(headers)
        || (origin.equals(NO_PAGE) && !isBrowser(headers))
        || isSame(origin, headers.get(HttpHeader.HOST));
  }

  private static boolean hasToken(HttpFields headers) {
    String credentials = headers.get(HttpHeader.AUTHORIZATION);
    return credentials != null && credentials.regionMatches(true, 0, "Bearer ", 0, 7);
  }

  /// Every browser sends these headers, and a page can neither change nor remove them.
  private static boolean isBrowser(HttpFields headers) {
    String agent = headers.get(HttpHeader.USER_AGENT);
    return (agent != null && agent.startsWith("Mozilla/"))
        || headers.stream()
            .map(HttpField::getLowerCaseName)
            .anyMatch(name -> name.startsWith("sec-fetch-") || name.equals("cookie"));
  }

  /// Scheme and case do not matter: the server only serves HTTPS.
  private static boolean isSame(String origin, @Nullable String host) {
    try {
      return host != null && host.equalsIgnoreCase(URI.create(origin).getRawAuthority());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
