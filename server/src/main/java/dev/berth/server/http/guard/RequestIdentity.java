package dev.berth.server.http.guard;

import dev.berth.server.auth.UserInfo;
import dev.berth.server.auth.authentication.Authenticator;
import dev.berth.server.auth.authentication.Impersonation;
import dev.berth.server.http.transport.ServerExchange;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EndPoint;

/// Authenticates a request from its client certificate, bearer token and impersonation headers.
public final class RequestIdentity {
  private final Authenticator authenticator;
  private final Impersonation impersonation;

  public RequestIdentity(Authenticator authenticator, Impersonation impersonation) {
    this.authenticator = authenticator;
    this.impersonation = impersonation;
  }

  /// The authenticated user.
  UserInfo authenticate(ServerExchange exchange) {
    X509Certificate certificate = null;
    if (exchange.request().getAttribute(EndPoint.SslSessionData.ATTRIBUTE)
        instanceof EndPoint.SslSessionData tls) {
      // Only the leaf counts: intermediate certificates that the client sends are not trusted.
      X509Certificate[] chain = tls.peerCertificates();
      certificate = chain == null || chain.length == 0 ? null : chain[0];
    }
    return authenticator.authenticate(
        certificate, exchange.headers().get(HttpHeader.AUTHORIZATION));
  }

  /// The effective user: the impersonated one if the headers ask for it and RBAC allows it.
  UserInfo impersonate(ServerExchange exchange, UserInfo requester) {
    Map<String, List<String>> wishes = impersonationHeaders(exchange.headers());
    return wishes.isEmpty() ? requester : impersonation.apply(requester, wishes);
  }

  private static Map<String, List<String>> impersonationHeaders(HttpFields headers) {
    Map<String, List<String>> found = Map.of();
    for (HttpField field : headers) {
      if (field
          .getName()
          .regionMatches(true, 0, Impersonation.PREFIX, 0, Impersonation.PREFIX.length())) {
        if (found.isEmpty()) {
          found = new LinkedHashMap<>();
        }
        found.computeIfAbsent(field.getName(), _ -> new ArrayList<>()).add(field.getValue());
      }
    }
    return found;
  }
}
