package dev.berth.registry;

import dev.berth.registry.DocumentCache.DocumentKey;
import dev.berth.registry.credentials.RegistryCredentials;
import dev.berth.registry.platforms.MediaTypes;
import dev.berth.registry.transport.BodySink;
import dev.berth.registry.transport.ContentDigest;
import dev.berth.registry.transport.FailureKind;
import dev.berth.registry.transport.FileSink;
import dev.berth.registry.transport.MemorySink;
import dev.berth.registry.transport.RegistryCall;
import dev.berth.registry.transport.RegistryEndpoint;
import dev.berth.registry.transport.RegistryEndpoint.EndpointRole;
import dev.berth.registry.transport.RegistryEndpoint.EndpointUse;
import dev.berth.registry.transport.RegistryTransport;
import dev.berth.registry.transport.TimeBudget;
import dev.berth.registry.transport.TransportException;
import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// One repository of one registry as one caller sees it, within one budget of time: reads by digest
/// or tag, checks every digest, and goes from one mirror to the next.
final class ImageRepository {
  /// As containerd and the distribution specification have it.
  private static final int MANIFEST_BYTES = 4 * 1024 * 1024;

  private static final String MANIFESTS = String.join(", ", MediaTypes.READABLE);

  private final ImageReference image;
  private final boolean isTagFresh;
  private final RegistryCredentials credentials;
  private final TimeBudget budget;
  private final RegistrySettings settings;
  private final RegistryTransport transport;
  private final DocumentCache cache;

  ImageRepository(
      ImageRequest request,
      RegistryCredentials credentials,
      TimeBudget budget,
      RegistrySettings settings,
      RegistryTransport transport,
      DocumentCache cache) {
    this.image = request.image();
    this.isTagFresh = request.isTagFresh();
    this.credentials = credentials;
    this.budget = budget;
    this.settings = settings;
    this.transport = transport;
    this.cache = cache;
  }

  /// What the reference stands for: an index, or one manifest.
  RegistryDocument resolve() {
    String name = image.digest().isEmpty() ? image.tag() : known(image.digest());
    return document("manifests/" + name, name, image.digest(), MANIFESTS, Set.of());
  }

  /// An index or a manifest.
  RegistryDocument manifest(String digest) {
    return nested(digest, Set.of());
  }

  /// What an index names.
  ///
  /// @param ancestors the digests of that index and of those around it
  RegistryDocument nested(String digest, Set<String> ancestors) {
    return document("manifests/" + known(digest), digest, digest, MANIFESTS, ancestors);
  }

  RegistryDocument config(String digest) {
    return document("blobs/" + known(digest), digest, digest, "*/*", Set.of());
  }

  /// @param expected the digest, or empty for a tag
  private RegistryDocument document(
      String path, String name, String expected, String accept, Set<String> ancestors) {
    DocumentKey key = new DocumentKey(image.repository(), name, credentials);
    Optional<RegistryDocument> known =
        isTagFresh && expected.isEmpty() ? Optional.empty() : cache.find(key);
    return known.orElseGet(
        () -> {
          RegistryDocument document =
              fromEndpoints(
                  expected.isEmpty() ? EndpointUse.RESOLVE : EndpointUse.PULL,
                  asked -> read(asked, path, expected, accept, ancestors));
          cache.put(key, document, settings.tagLifetime());
          return document;
        });
  }

  private RegistryDocument read(
      AskedEndpoint asked, String path, String expected, String accept, Set<String> ancestors) {
    MemorySink sink = new MemorySink(MANIFEST_BYTES);
    HttpHeaders headers = get(asked, path, accept, sink);
    byte[] bytes = sink.bytes();
    String promised =
        expected.isEmpty()
            ? headers.firstValue("Docker-Content-Digest").filter(ContentDigest::isValid).orElse("")
            : expected;
    String actual = ContentDigest.of(bytes);
    // No index can name its own digest, so one that seems to is answered under another one.
    if (ancestors.contains(actual)) {
      throw new TransportException(
          FailureKind.NOT_A_MANIFEST, "the index contains itself (%s)".formatted(actual));
    }
    if (!promised.isEmpty()) {
      check(asked.endpoint(), promised, actual);
    }
    return RegistryDocument.parse(bytes, "registry " + asked.endpoint().host());
  }

  /// Reads a blob into a sink and checks its digest.
  void blob(String digest, FileSink sink) {
    fromEndpoints(
        EndpointUse.PULL,
        asked -> {
          get(asked, "blobs/" + known(digest), "*/*", sink);
          check(asked.endpoint(), digest, sink.digest());
          return digest;
        });
  }

  private HttpHeaders get(AskedEndpoint asked, String path, String accept, BodySink sink) {
    return transport.get(
        new RegistryCall(
            asked.endpoint(),
            image.registry(),
            image.name(),
            path,
            accept,
            asked.credentials(),
            asked.budget()),
        sink);
  }

  /// An endpoint, with what it may see and how long it may take.
  private record AskedEndpoint(
      RegistryEndpoint endpoint, RegistryCredentials credentials, TimeBudget budget) {}

  private <T> T fromEndpoints(EndpointUse use, Function<AskedEndpoint, T> action) {
    List<RegistryEndpoint> endpoints = settings.endpointsOf(image.registry(), use);
    for (RegistryEndpoint mirror : endpoints.subList(0, endpoints.size() - 1)) {
      try {
        return action.apply(ask(mirror, budget.half()));
      } catch (TransportException e) {
        if (!e.isOfThisEndpoint() || budget.isOver()) {
          throw e;
        }
      }
    }
    return action.apply(ask(endpoints.getLast(), budget));
  }

  /// The credentials of a registry are for that registry, not for its mirrors.
  private AskedEndpoint ask(RegistryEndpoint endpoint, TimeBudget time) {
    boolean isRegistry =
        endpoint.role() == EndpointRole.REGISTRY || endpoint.isOwn(image.registry());
    return new AskedEndpoint(
        endpoint,
        isRegistry && !credentials.isAnonymous() ? credentials : endpoint.credentials(),
        time);
  }

  private static void check(RegistryEndpoint endpoint, String expected, String actual) {
    if (!actual.equals(expected)) {
      throw new TransportException(
          FailureKind.WRONG_DIGEST,
          "registry %s answers content with the digest %s instead of %s"
              .formatted(endpoint.host(), actual, expected));
    }
  }

  /// What others wrote must not lead anywhere else.
  private static String known(String digest) {
    if (!ContentDigest.isValid(digest)) {
      throw new TransportException(
          FailureKind.NOT_A_MANIFEST,
          "\"%s\" is not a digest that is supported (sha256)".formatted(digest));
    }
    return digest;
  }
}
