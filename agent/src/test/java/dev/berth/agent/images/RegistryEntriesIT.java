package dev.berth.agent.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.agent.images.testing.ScriptedRegistry;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.registry.RegistryClient;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.TargetPlatform;
import dev.berth.registry.transport.TransportLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RegistryEntriesIT {
  private static final String IF_NOT_PRESENT = "IfNotPresent";
  private static final String ALWAYS = "Always";

  private static final TransportLimits QUICK =
      new TransportLimits(
          Duration.ofSeconds(20),
          Duration.ofSeconds(20),
          2,
          Duration.ofMillis(10),
          Duration.ofSeconds(1));

  private ScriptedRegistry registry;
  private RegistryClient client;
  private RegistryEntries entries;

  @BeforeEach
  void start() throws IOException {
    registry = new ScriptedRegistry();
    client = new RegistryClient(RegistryEntries.SETTINGS.withLimits(QUICK));
    entries = new RegistryEntries(client);
  }

  @AfterEach
  void stop() {
    client.close();
    registry.close();
  }

  @Test
  void aSecondHandlerAsksTheRegistryNothing() throws Exception {
    List<String> digests = registry.putImage("web", "1", "linux/amd64", "linux/arm64");

    String amd = resolve(IF_NOT_PRESENT, "linux/amd64");
    String arm = resolve(IF_NOT_PRESENT, "linux/arm64");
    String again = resolve(IF_NOT_PRESENT, "linux/arm64");

    assertThat(List.of(amd, arm)).isEqualTo(digests);
    assertThat(again).isEqualTo(arm);
    assertThat(registry.requests()).containsExactly("web/manifests/1");
  }

  @Test
  void thePolicyAlwaysSeesATagThatMovedAndSoDoTheOthersThen() throws Exception {
    String old = registry.putImage("web", "1", "linux/arm64").getFirst();
    assertThat(resolve(ALWAYS, "linux/arm64")).isEqualTo(old);
    String moved = registry.putManifest("web", "1", "linux/arm");

    assertThat(resolve(IF_NOT_PRESENT, "linux/arm64")).isEqualTo(old);
    assertThat(registry.requests()).hasSize(1);

    assertThat(resolve(ALWAYS, "linux/arm64")).isEqualTo(moved);
    assertThat(registry.requests()).hasSize(2);

    assertThat(resolve(IF_NOT_PRESENT, "linux/arm64")).isEqualTo(moved);
    assertThat(registry.requests()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "401, ErrImagePull, answers 401 Unauthorized, Add a pull secret",
    "403, ErrImagePull, answers 403 Forbidden, the right to read",
    "404, ErrImagePull, answers 404 Not Found, Check name and tag",
    "418, ErrImagePull, answers 418, serves images of schema 2",
    "429, RegistryUnavailable, answers 429 Too Many Requests, raises the limit",
    "500, RegistryUnavailable, answers 500 Internal Server Error, Try again later",
    "503, RegistryUnavailable, answers 503 Service Unavailable, Try again later"
  })
  void everyAnswerHasAReasonAndSaysWhatToDo(int status, String reason, String why, String remedy) {
    registry.misbehave("web/manifests/1", exchange -> exchange.sendResponseHeaders(status, -1));

    PullException failure =
        catchThrowableOfType(PullException.class, () -> resolve(IF_NOT_PRESENT, "linux/arm64"));

    assertThat(failure.reason()).isEqualTo(reason);
    assertThat(failure.isOfRegistry()).isTrue();
    assertThat(failure)
        .hasMessageStartingWith(
            "image %s/web:1 cannot be read: registry".formatted(registry.host()))
        .hasMessageContaining(why)
        .hasMessageContaining(remedy);
  }

  @Test
  void anIndexWithoutAnEntryIsExplained() {
    registry.putImage("web", "1", "linux/amd64", "linux/s390x");

    PullException failure =
        catchThrowableOfType(PullException.class, () -> resolve(IF_NOT_PRESENT, "linux/arm64"));

    assertThat(failure.reason()).isEqualTo("ErrImagePull");
    assertThat(failure)
        .hasMessageContaining(
            "/web:1 has no entry for linux/arm64; it has linux/amd64, linux/s390x");
  }

  @Test
  void theSecretThatTheRegistryAcceptsIsNamed() throws Exception {
    String digest = registry.putImage("web", "1", "linux/arm64").getFirst();
    registry.protect("web", "ann:secret");
    PullCredentials wrong = new PullCredentials("a", "bob", "guess", "", null);
    PullCredentials right = new PullCredentials("b", "ann", "secret", "", null);

    EntryResolver.ResolvedEntry entry =
        entries.resolve(request(IF_NOT_PRESENT, "linux/arm64", List.of(wrong, right)));

    assertThat(entry.digest()).isEqualTo(digest);
    assertThat(entry.used()).isEqualTo(right);
    assertThat(
            catchThrowableOfType(
                PullException.class,
                () -> entries.resolve(request(IF_NOT_PRESENT, "linux/arm64", List.of(wrong)))))
        .as("what one pod could read is not there for another one")
        .hasMessageContaining("answers 401");
  }

  @Test
  void aMismatchIsKnownOnlyIfTheRegistrySaysSo() throws Exception {
    registry.putImage("web", "1", "linux/amd64");

    assertThat(entries.mismatch(request(IF_NOT_PRESENT, "linux/amd64", List.of()))).isEmpty();
    assertThat(entries.mismatch(request(IF_NOT_PRESENT, "linux/arm64", List.of())))
        .hasValueSatisfying(found -> assertThat(found.available()).containsExactly("linux/amd64"));
    client.close();
    assertThat(entries.mismatch(request(ALWAYS, "linux/s390x", List.of()))).isEmpty();
  }

  private String resolve(String policy, String platform) throws InterruptedException {
    return entries.resolve(request(policy, platform, List.of())).digest();
  }

  private ImageRequest request(String policy, String platform, List<PullCredentials> credentials) {
    return new ImageRequest(
        registry.host() + "/web:1",
        policy,
        new ImageTarget("h", TargetPlatform.of(ImagePlatform.parse(platform).orElseThrow()), true),
        Map.of(),
        credentials,
        PodSandboxConfig.getDefaultInstance());
  }
}
