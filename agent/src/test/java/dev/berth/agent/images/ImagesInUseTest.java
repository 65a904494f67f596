package dev.berth.agent.images;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cri.v1.Container;
import dev.berth.cri.v1.PodSandbox;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ImagesInUseTest {
  private static final String WEB = "docker.io/library/web:1";

  @ParameterizedTest
  @CsvSource({
    // handler of the container, of the image, default of the runtime, whether it reports handlers,
    // in use
    "kata, kata, runc, true, true",
    "kata, runc, runc, true, false",
    "kata, '', runc, true, false",
    "'', kata, runc, true, false",
    "'', runc, runc, true, true",
    "runc, '', runc, true, true",
    "'', '', runc, true, true",
    // An unknown default handler may be any one.
    "runc, '', '', true, true",
    "'', runc, '', true, true",
    "kata, runc, '', true, false",
    // One image for all handlers.
    "kata, '', runc, false, true",
    "kata, '', '', false, true"
  })
  void anImageIsInUseByItsOwnHandlers(
      String user,
      String owner,
      String defaultHandler,
      boolean areHandlersReported,
      boolean isUsed) {
    ImagesInUse inUse = new ImagesInUse();
    inUse.add(List.of(container("s1")), List.of(sandbox("s1", user)), defaultHandler);

    assertThat(inUse.include(image(owner, WEB), areHandlersReported)).isEqualTo(isUsed);
    assertThat(inUse.include(image(owner, "other:1"), areHandlersReported)).isFalse();
  }

  @Test
  void aContainerWithoutAKnownSandboxMayBeOfAnyHandler() {
    ImagesInUse inUse = new ImagesInUse();
    inUse.add(List.of(container("gone")), List.of(), "runc");

    assertThat(inUse.include(image("kata", WEB), true)).isTrue();
  }

  @Test
  void theImageOfSandboxesIsForAllHandlers() {
    ImagesInUse inUse = new ImagesInUse();
    inUse.add(WEB);
    inUse.add("");

    assertThat(inUse.include(image("kata", WEB), true)).isTrue();
    assertThat(inUse.include(image("", WEB), true)).isTrue();
    assertThat(inUse.include(image("", ""), true)).isFalse();
  }

  private static Container container(String sandbox) {
    return Container.newBuilder().setPodSandboxId(sandbox).setImageRef(WEB).build();
  }

  private static PodSandbox sandbox(String id, String handler) {
    return PodSandbox.newBuilder().setId(id).setRuntimeHandler(handler).build();
  }

  private static StoredImage image(String handler, String name) {
    return new StoredImage("id", handler, Set.of(name), 1, false, Instant.EPOCH, Instant.EPOCH);
  }
}
