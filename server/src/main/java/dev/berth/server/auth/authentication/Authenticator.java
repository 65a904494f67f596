package dev.berth.server.auth.authentication;

import dev.berth.server.auth.UserInfo;
import dev.berth.server.errors.ApiException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Authenticates a request by its client certificate or bearer token. `RequestIdentity` calls it
/// for each request; `IdentityReviews` uses the same sources for a `TokenReview`.
///
/// A certificate wins over a token, as upstream has it. Invalid credentials are refused and never
/// treated as anonymous: a client with an expired certificate must see 401, not a puzzling 403 for
/// `system:anonymous`. Safe for use by any number of threads.
public final class Authenticator {
  private final ClientCertificates certificates;
  private final List<TokenSource> tokens;
  private final List<String> audiences;

  /// Certificates are tried first, then the sources of tokens in order.
  ///
  /// @param audiences the audiences that identify this server in tokens
  public Authenticator(
      ClientCertificates certificates, List<TokenSource> tokens, List<String> audiences) {
    this.certificates = certificates;
    this.tokens = List.copyOf(tokens);
    this.audiences = List.copyOf(audiences);
  }

  /// Returns the user; anonymous without credentials.
  ///
  /// @param certificate the client certificate of the TLS session, not yet verified
  /// @param authorization the value of the `Authorization` header
  /// @throws ApiException 401 when there are credentials and none of them is valid
  public UserInfo authenticate(
      @Nullable X509Certificate certificate, @Nullable String authorization) {
    if (certificate != null) {
      UserInfo user = certificates.find(certificate);
      if (user != null) {
        return user;
      }
    }
    String token = bearerToken(authorization);
    if (token != null) {
      TokenSource.Found found = find(token, audiences);
      if (found != null) {
        return found.user();
      }
    }
    // An unknown certificate does not end the search above: a proxy may present its own certificate
    // and pass on a client's token.
    if (certificate != null || token != null) {
      throw ApiException.unauthorized();
    }
    return UserInfo.ANONYMOUS;
  }

  /// Authenticates the token of a `TokenReview`.
  TokenSource.@Nullable Found find(String token, List<String> wanted) {
    for (TokenSource source : tokens) {
      TokenSource.Found found = source.find(token, wanted);
      if (found != null) {
        return new TokenSource.Found(found.user().authenticated(), found.audiences());
      }
    }
    return null;
  }

  List<String> audiences() {
    return audiences;
  }

  /// Null unless the header has the scheme Bearer; other schemes are ignored.
  private static @Nullable String bearerToken(@Nullable String authorization) {
    if (authorization == null) {
      return null;
    }
    String[] parts = authorization.strip().split(" ", -1);
    if (parts.length < 2 || !parts[0].toLowerCase(Locale.ROOT).equals("bearer")) {
      return null;
    }
    return parts[1].isEmpty() ? null : parts[1];
  }
}
