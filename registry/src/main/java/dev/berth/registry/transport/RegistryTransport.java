package dev.berth.registry.transport;

import dev.berth.registry.credentials.RegistryCredentials;
import dev.berth.registry.transport.AuthorizationCache.AuthorizationKey;
import dev.berth.registry.transport.TokenFlow.GrantedHeader;
import java.io.IOException;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// Gets what a registry has: answers a challenge, follows redirects, tries again what may pass, and
/// stays within the time and size that it was given.
public final class RegistryTransport implements AutoCloseable {
  private static final int REDIRECTS = 5;
  private static final Duration BASIC_LIFETIME = Duration.ofHours(1);

  private final TransportLimits limits;
  private final RetryPause pause;
  private final RandomGenerator random;
  private final ExchangerPool exchangers;
  private final TokenFlow tokens;
  private final AuthorizationCache authorizations = new AuthorizationCache();

  /// @param trust of endpoints without authorities of their own; null for those of the JDK
  /// @param random spreads attempts of many clients
  public RegistryTransport(
      TransportLimits limits,
      ProxySelector proxies,
      @Nullable SSLContext trust,
      RetryPause pause,
      RandomGenerator random) {
    this.limits = limits;
    this.pause = pause;
    this.random = random;
    this.exchangers = new ExchangerPool(limits, proxies, trust);
    this.tokens = new TokenFlow(exchangers);
  }

  /// The body goes to the sink; answers the headers.
  public HttpHeaders get(RegistryCall call, BodySink sink) {
    for (int attempt = 1; ; attempt++) {
      try {
        sink.restart();
        HttpResponse<Boolean> answer = authorized(call, sink);
        if (answer.statusCode() == 200) {
          return answer.headers();
        }
        throw StatusFailures.of(answer, "registry " + call.endpoint().host(), call.path());
      } catch (TransportException e) {
        await(call, e, attempt);
      } catch (IOException e) {
        throw new TransportException(
            FailureKind.LOCAL_ERROR, "the file cannot be written: " + e.getMessage(), e);
      }
    }
  }

  /// Returns when another attempt is worth it.
  private void await(RegistryCall call, TransportException failure, int attempt) {
    if (!failure.isRetriable() || attempt >= limits.attempts()) {
      throw failure;
    }
    Duration wait = limits.firstPause().multipliedBy(1L << Math.min(attempt - 1, 10));
    wait = wait.plusMillis(random.nextLong(wait.toMillis() / 2 + 1));
    Duration asked = failure.retryAfter();
    if (asked != null && asked.compareTo(wait) > 0) {
      wait = asked;
    }
    // A registry must not hold a caller for as long as it likes.
    if (wait.compareTo(limits.longestPause()) > 0
        || wait.compareTo(call.budget().remaining()) >= 0) {
      throw failure;
    }
    try {
      pause.sleep(wait);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransportException(
          FailureKind.CANCELLED,
          "the request to %s was cancelled".formatted(call.endpoint().host()),
          e);
    }
  }

  private HttpResponse<Boolean> authorized(RegistryCall call, BodySink sink) throws IOException {
    AuthorizationKey key =
        new AuthorizationKey(
            call.endpoint().base().toString(),
            call.registry() + "/" + call.repository(),
            call.credentials());
    HttpResponse<Boolean> answer = follow(call, authorizations.find(key), sink);
    if (answer.statusCode() != 401) {
      return answer;
    }
    authorizations.forget(key);
    Optional<GrantedHeader> granted = answer(call, answer.headers().allValues("WWW-Authenticate"));
    if (granted.isEmpty()) {
      return answer;
    }
    sink.restart();
    HttpResponse<Boolean> second = follow(call, Optional.of(granted.get().header()), sink);
    if (second.statusCode() != 401) {
      authorizations.put(key, granted.get().header(), granted.get().lifetime());
    }
    return second;
  }

  /// The header for the first challenge that can be met.
  private Optional<GrantedHeader> answer(RegistryCall call, List<String> headers) {
    RegistryCredentials credentials = call.credentials();
    for (AuthChallenge challenge : AuthChallenge.parseAll(headers)) {
      if (challenge.scheme().equals("bearer")) {
        return Optional.of(
            tokens.token(
                call.endpoint(),
                challenge,
                "repository:%s:pull".formatted(call.repository()),
                credentials,
                call.budget()));
      }
      if (challenge.scheme().equals("basic") && credentials.basicHeader().isPresent()) {
        return credentials.basicHeader().map(header -> new GrantedHeader(header, BASIC_LIFETIME));
      }
    }
    return Optional.empty();
  }

  /// A redirect leads to a store of blobs, which must not see the credentials of the registry.
  private HttpResponse<Boolean> follow(
      RegistryCall call, Optional<String> authorization, BodySink sink) {
    URI start = call.endpoint().address(call.registry(), call.repository(), call.path());
    URI uri = start;
    for (int i = 0; i <= REDIRECTS; i++) {
      HttpRequest.Builder request = HttpRequest.newBuilder(uri).header("Accept", call.accept());
      if (isSameOrigin(uri, start)) {
        authorization.ifPresent(header -> request.header("Authorization", header));
      }
      HttpResponse<Boolean> answer =
          exchangers.of(call.endpoint()).send(request.build(), sink, call.budget());
      Optional<String> location = answer.headers().firstValue("Location");
      if (answer.statusCode() / 100 != 3 || location.isEmpty()) {
        return answer;
      }
      uri = target(call, uri, location.get());
    }
    throw new TransportException(
        FailureKind.UNTRUSTED,
        "registry %s redirects %s more than %d times"
            .formatted(call.endpoint().host(), call.path(), REDIRECTS));
  }

  private static URI target(RegistryCall call, URI from, String location) {
    URI target;
    try {
      target = from.resolve(location);
    } catch (IllegalArgumentException _) {
      target = URI.create("");
    }
    if (!call.endpoint().mayLeadTo(target)) {
      throw new TransportException(
          FailureKind.UNTRUSTED,
          "registry %s redirects %s to \"%s\", which is not https"
              .formatted(call.endpoint().host(), call.path(), location));
    }
    return target;
  }

  private static boolean isSameOrigin(URI one, URI other) {
    return one.getScheme().equals(other.getScheme())
        && one.getRawAuthority().equalsIgnoreCase(other.getRawAuthority());
  }

  /// Ends what is on its way.
  @Override
  public void close() {
    exchangers.close();
  }
}
