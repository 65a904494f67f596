package dev.berth.agent.images;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.images.records.RecordDirectory;
import dev.berth.agent.runtimes.HandlerImage;
import dev.berth.agent.runtimes.ImageService;
import dev.berth.api.pods.WorkloadType;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.ImageClient;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HandlerEntriesTest {
  private static final String GOLANG = "docker.io/library/golang:1";
  private static final String ARM_DIGEST = "sha256:" + "a".repeat(64);
  private static final String OTHER_DIGEST = "sha256:" + "b".repeat(64);
  private static final ImageService ONE = service("/run/one.sock");

  /// The beginning of its key is the other's key.
  private static final ImageService TWO = service("/run/one.sock 2");

  @TempDir private Path directory;
  private HandlerEntries entries;

  @BeforeEach
  void open() {
    entries = new HandlerEntries(RecordDirectory.open(directory));
  }

  @Test
  void eachHandlerHasItsOwnEntryOfAName() {
    entries.put(ONE.key(), "golang:1", "arm", ARM_DIGEST);
    entries.put(ONE.key(), "golang:1", "", OTHER_DIGEST);

    assertThat(entries.digest(ONE.key(), "golang:1", "arm")).contains(ARM_DIGEST);
    assertThat(entries.digest(ONE.key(), "golang:1", "")).contains(OTHER_DIGEST);
    assertThat(entries.digest(ONE.key(), "golang:1", "riscv")).isEmpty();
    assertThat(entries.digest(TWO.key(), "golang:1", "arm")).isEmpty();
  }

  @Test
  void aDigestLeadsToTheHandlersThatGotIt() {
    entries.put(ONE.key(), "golang:1", "arm-vm", ARM_DIGEST);
    entries.put(ONE.key(), "golang:1", "arm", ARM_DIGEST);
    entries.put(ONE.key(), "golang:1", "", OTHER_DIGEST);
    entries.put(TWO.key(), "web:1", "arm", ARM_DIGEST);

    assertThat(entries.byDigest(ONE))
        .isEqualTo(
            Map.of(
                ARM_DIGEST,
                List.of(new HandlerImage(GOLANG, "arm"), new HandlerImage(GOLANG, "arm-vm")),
                OTHER_DIGEST,
                List.of(new HandlerImage(GOLANG, ""))));
  }

  @Test
  void aRestartForgetsNothing() {
    entries.put(ONE.key(), "golang:1", "arm", ARM_DIGEST);
    open();

    assertThat(entries.digest(ONE.key(), "golang:1", "arm")).contains(ARM_DIGEST);
  }

  @Test
  void entriesThatAServiceNoLongerHasAreForgottenAndOthersNot() {
    entries.put(ONE.key(), "golang:1", "arm", ARM_DIGEST);
    entries.put(ONE.key(), "golang:1", "x", OTHER_DIGEST);
    entries.put(TWO.key(), "golang:1", "arm", ARM_DIGEST);

    entries.retain(ONE.key(), Set.of(OTHER_DIGEST), entries.moment());

    assertThat(entries.digest(ONE.key(), "golang:1", "arm")).isEmpty();
    assertThat(entries.digest(ONE.key(), "golang:1", "x")).contains(OTHER_DIGEST);
    assertThat(entries.digest(TWO.key(), "golang:1", "arm")).contains(ARM_DIGEST);
  }

  @Test
  void anEntryThatWasPulledDuringAListingStays() {
    long before = entries.moment();
    entries.put(ONE.key(), "golang:1", "arm", ARM_DIGEST);

    entries.retain(ONE.key(), Set.of(), before);

    assertThat(entries.digest(ONE.key(), "golang:1", "arm")).contains(ARM_DIGEST);
  }

  /// Nobody calls it.
  private static ImageService service(String socket) {
    ImageClient client =
        (ImageClient)
            Proxy.newProxyInstance(
                ImageClient.class.getClassLoader(),
                new Class<?>[] {ImageClient.class},
                (_, method, _) -> {
                  throw new UnsupportedOperationException(method.getName());
                });
    return new ImageService(
        "one", WorkloadType.CONTAINER, new CriEndpoint.UnixSocket(Path.of(socket)), client);
  }
}
