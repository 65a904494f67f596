package dev.berth.agent.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.agent.images.EntryResolver.ResolvedEntry;
import dev.berth.agent.images.access.VerificationRules;
import dev.berth.agent.runtimes.ImageService;
import dev.berth.api.pods.WorkloadType;
import dev.berth.client.fake.ManualTime;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.TargetPlatform;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Entries that the agent chooses for a handler of linux/arm64, at a service that would take the
/// host's.
final class ImagePullerTest {
  private static final String NAME = "golang:1";
  private static final String REPOSITORY = "docker.io/library/golang";
  private static final String DIGEST = "sha256:" + "a".repeat(64);
  private static final String ENTRY = REPOSITORY + "@" + DIGEST;
  private static final PullCredentials ANN =
      new PullCredentials("docker.io", "ann", "secret", "", null);

  @TempDir private Path directory;
  private final ManualTime time = new ManualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final FakeImages images = new FakeImages();
  private final ImageService service =
      new ImageService(
          "one",
          WorkloadType.CONTAINER,
          new CriEndpoint.UnixSocket(Path.of("/run/one.sock")),
          images);

  private int asked;
  private EntryResolver resolver = request -> answer(request, DIGEST);
  private ImageMemory memory;

  @BeforeEach
  void open() {
    memory = ImageMemory.open(directory, VerificationRules.STANDARD);
  }

  private ResolvedEntry answer(ImageRequest request, String digest) {
    asked++;
    return new ResolvedEntry(
        digest, request.credentials().isEmpty() ? null : request.credentials().getFirst());
  }

  private ImageDescription ensure(String handler, String policy, PullCredentials... credentials)
      throws InterruptedException {
    return puller().ensure(service, request(handler, policy, credentials), PullListener.NONE);
  }

  private ImagePuller puller() {
    PullSettings settings =
        new PullSettings(2, PullSettings.STANDARD.host(), request -> resolver.resolve(request));
    return new ImagePuller(settings, time, time, memory, (_, _) -> {});
  }

  private static ImageRequest request(
      String handler, String policy, PullCredentials... credentials) {
    return new ImageRequest(
        NAME,
        policy,
        new ImageTarget(
            handler, TargetPlatform.of(ImagePlatform.parse("linux/arm64").orElseThrow()), true),
        Map.of(),
        List.of(credentials),
        PodSandboxConfig.getDefaultInstance());
  }

  @Test
  void anEntryIsPulledByItsDigestOnceAndFoundAfterARestart() throws InterruptedException {
    images.offer(ENTRY, "linux/arm64");

    assertThat(ensure("arm", "IfNotPresent").reference()).isEqualTo("id-of-" + ENTRY);
    open();
    assertThat(ensure("arm", "IfNotPresent").reference()).isEqualTo("id-of-" + ENTRY);

    assertThat(images.pulls).containsExactly(ENTRY);
    assertThat(asked).isEqualTo(1);
    assertThat(memory.entries().digest(service.key(), NAME, "arm")).contains(DIGEST);
  }

  @Test
  void theEntryOfAHandlerIsPresentForNoOther() throws InterruptedException {
    images.offer(ENTRY, "linux/arm64");
    ensure("arm", "IfNotPresent");

    assertThat(puller().find(service, request("arm", "IfNotPresent"), PullListener.NONE))
        .isPresent();
    assertThat(puller().find(service, request("arm-vm", "IfNotPresent"), PullListener.NONE))
        .isEmpty();
  }

  @Test
  void theRegistryIsAskedThoughTheEntryIsPresentWhenThePolicyIsAlways()
      throws InterruptedException {
    images.offer(ENTRY, "linux/arm64");
    ensure("arm", "Always");
    String moved = "sha256:" + "b".repeat(64);
    images.offer(REPOSITORY + "@" + moved, "linux/arm64");
    ensure("arm", "Always");
    resolver = request -> answer(request, moved);

    assertThat(ensure("arm", "Always").reference()).isEqualTo("id-of-" + REPOSITORY + "@" + moved);

    assertThat(asked).isEqualTo(3);
    assertThat(images.pulls).containsExactly(ENTRY, REPOSITORY + "@" + moved);
    assertThat(memory.entries().digest(service.key(), NAME, "arm")).contains(moved);
  }

  @Test
  void theDigestIsPulledWithTheSecretThatTheRegistryAccepted() throws InterruptedException {
    images.offer(ENTRY, "linux/arm64");

    ensure("arm", "IfNotPresent", ANN);

    assertThat(images.pulls).containsExactly(ENTRY + " ann");
  }

  @Test
  void whatSomebodyLoadedUnderTheNameIsTakenIfItIsForTheHandlersPlatform()
      throws InterruptedException {
    images.load(NAME, "linux/arm64");

    assertThat(ensure("arm", "Never").reference()).isEqualTo("id-of-" + NAME);
    assertThat(asked).isZero();
  }

  @Test
  void theHostsImageOfTheNameIsNotTheHandlers() {
    images.load(NAME, "linux/amd64");

    PullException failure = catchThrowableOfType(PullException.class, () -> ensure("arm", "Never"));

    assertThat(failure.reason()).isEqualTo("ErrImageNeverPull");
    assertThat(failure.isOfRegistry()).isFalse();
  }

  @Test
  void anImageWithoutAnIndexForAnotherPlatformIsRefusedAndNotRemembered() {
    images.offer(ENTRY, "linux/amd64");

    PullException failure =
        catchThrowableOfType(PullException.class, () -> ensure("arm", "IfNotPresent"));

    assertThat(failure.reason()).isEqualTo("ErrImagePull");
    assertThat(failure)
        .hasMessage(
            "image golang:1 has no entry for linux/arm64; it has linux/amd64. Use an image for this"
                + " platform, or a node or RuntimeClass that runs one of these");
    assertThat(memory.entries().digest(service.key(), NAME, "arm")).isEmpty();
  }

  @Test
  void anImageThatDoesNotSayItsPlatformIsTakenAsItIs() throws InterruptedException {
    images.offer(ENTRY, "/");

    assertThat(ensure("arm", "IfNotPresent").reference()).isEqualTo("id-of-" + ENTRY);
  }

  @Test
  void aRefusalOfTheRegistryPullsNothing() {
    resolver =
        _ -> {
          throw new PullException("RegistryUnavailable", "registry down. Try again later");
        };

    PullException failure =
        catchThrowableOfType(PullException.class, () -> ensure("arm", "IfNotPresent"));

    assertThat(failure).hasMessage("registry down. Try again later");
    assertThat(failure.isOfRegistry()).isTrue();
    assertThat(images.pulls).isEmpty();
  }
}
