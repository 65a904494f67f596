package dev.berth.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.registry.ScriptedRegistry.AccessMode;
import dev.berth.registry.credentials.RegistryCredentials;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.TargetPlatform;
import dev.berth.registry.transport.FailureKind;
import dev.berth.registry.transport.TransportLimits;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Registries that fail, stall, lie and lead astray: each has its own message, none holds a caller
/// or fills its memory.
final class HostileRegistryIT {
  private static final RegistryCredentials ANN = RegistryCredentials.of("ann", "secret");

  /// Long enough for a busy machine.
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final TransportLimits QUICK = limits(PATIENCE);
  private static final String PATH = "web/manifests/1";

  private ScriptedRegistry registry;
  private RegistryClient client;

  private static TransportLimits limits(Duration stall) {
    return new TransportLimits(PATIENCE, stall, 3, Duration.ofMillis(10), Duration.ofSeconds(2));
  }

  @BeforeEach
  void start() throws IOException {
    registry = new ScriptedRegistry();
    registry.putImage("web", "1", "linux/amd64");
    client = new RegistryClient(RegistrySettings.USUAL.withLimits(QUICK));
  }

  @AfterEach
  void stop() {
    client.close();
    registry.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "401 | UNAUTHORIZED | answers 401 Unauthorized | Add a pull secret",
        "403 | FORBIDDEN | answers 403 Forbidden | the right to read",
        "404 | NOT_FOUND | answers 404 Not Found | Check name and tag",
        "418 | UNEXPECTED_ANSWER | answers 418 | serves images of schema 2",
        "429 | RATE_LIMITED | answers 429 Too Many Requests | raises the limit",
        "500 | SERVER_ERROR | answers 500 Internal Server Error | Try again later",
        "501 | SERVER_ERROR | answers 501 | Try again later",
        "503 | SERVER_ERROR | answers 503 Service Unavailable | Try again later",
      })
  void everyStatusHasItsOwnMessage(int status, FailureKind kind, String why, String remedy) {
    registry.misbehave(PATH, exchange -> exchange.sendResponseHeaders(status, -1));

    RegistryException failure = failure();

    assertThat(failure.kind()).isEqualTo(kind);
    assertThat(failure)
        .hasMessageStartingWith(
            "image %1$s/web:1 cannot be read: registry %1$s %2$s".formatted(registry.host(), why))
        .hasMessageContaining("to manifests/1. ")
        .hasMessageContaining(remedy);
  }

  @Test
  void whatMayPassIsTriedAgain() {
    registry.failWith(PATH, 503, 500);
    resolve();
    assertThat(registry.requests).hasSize(3);

    registry.requests.clear();
    registry.failWith(PATH, 429);
    long start = System.nanoTime();
    resolve();
    assertThat(registry.requests).hasSize(2);
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .as("Retry-After: 1")
        .isGreaterThan(Duration.ofMillis(900));

    registry.requests.clear();
    registry.failWith(PATH, 502, 502, 502, 502);
    assertThat(failure().kind()).isEqualTo(FailureKind.SERVER_ERROR);
    assertThat(registry.requests).hasSize(3);
  }

  @Test
  void aRegistryDoesNotDecideHowLongACallerWaits() {
    registry.misbehave(
        PATH,
        exchange -> {
          exchange.getResponseHeaders().set("Retry-After", "3600");
          exchange.sendResponseHeaders(429, -1);
        });

    assertThat(failure()).hasMessageContaining("and asks to wait 3600 s");
    assertThat(registry.requests).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"''", "'{\"manifests\": ['"})
  void aRegistryThatStallsIsCutOff(String beginning) {
    client.close();
    client = new RegistryClient(RegistrySettings.USUAL.withLimits(limits(Duration.ofMillis(400))));
    registry.stall(PATH, beginning);
    long start = System.nanoTime();

    RegistryException failure = failure();

    assertThat(failure.kind()).isEqualTo(FailureKind.TIMED_OUT);
    assertThat(failure).hasMessageContaining("sent nothing for 400 ms");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
  }

  @Test
  void aRegistryThatSendsDropByDropIsCutOffAtTheLimit() {
    registry.misbehave(
        PATH,
        exchange -> {
          exchange.sendResponseHeaders(200, 1_000_000);
          OutputStream body = exchange.getResponseBody();
          CompletableFuture<Void> never = new CompletableFuture<>();
          for (int i = 0; i < 1000; i++) {
            body.write(' ');
            body.flush();
            never
                .copy()
                .completeOnTimeout(null, 50, java.util.concurrent.TimeUnit.MILLISECONDS)
                .join();
          }
        });

    RegistryException failure = failure(request(Duration.ofSeconds(1)));

    assertThat(failure.kind()).isEqualTo(FailureKind.TIMED_OUT);
    assertThat(failure).hasMessageContaining("did not complete its answer within 1 s");
  }

  @Test
  void anInterruptEndsACall() throws InterruptedException {
    registry.stall(PATH, "{");
    try (RegistryClient patient = new RegistryClient(RegistrySettings.USUAL)) {
      CompletableFuture<FailureKind> kind = new CompletableFuture<>();
      Thread caller =
          Thread.ofVirtual()
              .start(
                  () -> {
                    RegistryException failure =
                        catchThrowableOfType(
                            RegistryException.class,
                            () -> patient.resolve(request(Duration.ofMinutes(1)), linux()));
                    kind.complete(failure.kind());
                  });
      while (registry.requests.isEmpty()) {
        Thread.onSpinWait();
      }
      caller.interrupt();

      assertThat(caller.join(Duration.ofSeconds(5))).isTrue();
      assertThat(kind.join()).isEqualTo(FailureKind.CANCELLED);
    }
  }

  @ParameterizedTest
  @CsvSource({"100000000", "0"})
  void aManifestOf100MegabytesIsNotRead(long announced) {
    AtomicLong sent = new AtomicLong();
    registry.misbehave(
        PATH,
        exchange -> {
          exchange.sendResponseHeaders(200, announced);
          byte[] piece = new byte[1_000_000];
          try (OutputStream body = exchange.getResponseBody()) {
            for (int i = 0; i < 100; i++) {
              body.write(piece);
              sent.addAndGet(piece.length);
            }
          }
        });

    RegistryException failure = failure();

    assertThat(failure.kind()).isEqualTo(FailureKind.TOO_LARGE);
    assertThat(failure).hasMessageContaining("sends more than 4194304 bytes");
    assertThat(sent.get()).as("what fits into buffers on the way").isLessThan(30_000_000);
  }

  @Test
  void otherBytesThanThoseOfTheDigestAreRefused() {
    String wanted = "sha256:" + "0".repeat(64);
    registry.put("web/manifests/" + wanted, "{\"manifests\":[]}");

    RegistryException failure =
        failure(
            ImageRequest.anonymous(
                reference(registry.host() + "/web@" + wanted), Duration.ofSeconds(10)));

    assertThat(failure.kind()).isEqualTo(FailureKind.WRONG_DIGEST);
    assertThat(failure)
        .hasMessageContaining("instead of " + wanted)
        .hasMessageContaining("Do not use this image");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<html> | is not JSON",
        "[] | is not a JSON object",
        "{\"schemaVersion\":1,\"fsLayers\":[]} | neither an index nor a manifest",
        "{\"manifests\":[{\"mediaType\":\"application/vnd.oci.image.index.v1+json\",\"digest\":\"../1\"}]} | is not a digest",
      })
  void whatIsNoManifestIsRefused(String body, String why) {
    registry.put(PATH, body);

    assertThat(failure().kind()).isEqualTo(FailureKind.NOT_A_MANIFEST);
    assertThat(failure()).hasMessageContaining(why);
  }

  @Test
  void indexesWithoutEndAreRefused() {
    String digest = registry.putImage("web", "0", "linux/amd64");
    for (int i = 0; i < 6; i++) {
      digest = registry.put("web/manifests/DIGEST", nesting(digest));
    }
    registry.put(PATH, nesting(digest));
    assertThat(failure()).hasMessageContaining("nests indexes deeper than 4");

    String other = "sha256:" + "1".repeat(64);
    registry.put(PATH, nesting(other));
    registry.put("web/manifests/" + other, nesting(other));
    assertThat(failure().kind()).isEqualTo(FailureKind.NOT_A_MANIFEST);
    assertThat(failure()).hasMessageContaining("the index contains itself (sha256:");
  }

  private static String nesting(String digest) {
    return "{\"manifests\":[{\"mediaType\":\"application/vnd.oci.image.index.v1+json\",\"digest\":\"%s\"}]}"
        .formatted(digest);
  }

  @Test
  void anotherHostDoesNotSeeThePassword() throws IOException {
    registry.access = AccessMode.PASSWORD;
    try (ScriptedRegistry other = new ScriptedRegistry()) {
      other.putImage("web", "1", "linux/amd64");
      registry.redirect(PATH, other.uri("/v2/" + PATH).toString());

      client.resolve(request(Duration.ofSeconds(10), ANN), linux());

      assertThat(registry.requests.getLast()).endsWith(" Basic");
      assertThat(other.requests).containsExactly("/v2/web/manifests/1 -");
    }
  }

  @Test
  void aRedirectLeadsNeitherInCirclesNorToPlainHttp() {
    registry.redirect(PATH, "/v2/" + PATH);
    assertThat(failure()).hasMessageContaining("redirects manifests/1 more than 5 times");

    registry.redirect(PATH, "http://blobs.example.com/x");
    assertThat(failure().kind()).isEqualTo(FailureKind.UNTRUSTED);
    assertThat(failure())
        .hasMessageContaining("to \"http://blobs.example.com/x\", which is not https");
  }

  @ParameterizedTest
  @CsvSource({"http://tokens.example.com/token", "file:///etc/passwd", "'not a realm'", "''"})
  void aTokenServerThatOthersCanReadGetsNoPassword(String realm) {
    registry.access = AccessMode.TOKEN;
    registry.realm = realm;

    RegistryException failure = failure(request(Duration.ofSeconds(10), ANN));

    assertThat(failure.kind()).isEqualTo(FailureKind.UNTRUSTED);
    assertThat(failure).hasMessageContaining("names the token server \"" + realm + "\"");
  }

  @Test
  void aTokenServerThatRefusesIsNamed() {
    registry.access = AccessMode.TOKEN;

    RegistryException failure =
        failure(request(Duration.ofSeconds(10), RegistryCredentials.of("ann", "wrong")));

    assertThat(failure.kind()).isEqualTo(FailureKind.UNAUTHORIZED);
    assertThat(failure)
        .hasMessageContaining(
            "token server %s answers 401 Unauthorized to a token request"
                .formatted(registry.host()));
  }

  @Test
  void aRegistryThatIsNotThereIsNamed() {
    registry.close();

    RegistryException failure = failure();

    assertThat(failure.kind()).isEqualTo(FailureKind.UNREACHABLE);
    assertThat(failure)
        .hasMessageContaining("registry %s does not accept connections".formatted(registry.host()))
        .hasMessageContaining("Check the name");
  }

  private void resolve() {
    client.resolve(request(Duration.ofSeconds(10)), linux());
  }

  private RegistryException failure() {
    return failure(request(Duration.ofSeconds(10)));
  }

  private RegistryException failure(ImageRequest request) {
    return catchThrowableOfType(RegistryException.class, () -> client.resolve(request, linux()));
  }

  private ImageRequest request(Duration limit, RegistryCredentials... credentials) {
    return new ImageRequest(reference(registry.host() + "/web:1"), List.of(credentials), limit);
  }

  private static ImageReference reference(String text) {
    return ImageReference.parse(text).orElseThrow();
  }

  private static TargetPlatform linux() {
    return TargetPlatform.of(ImagePlatform.parse("linux/amd64").orElseThrow());
  }
}
