package dev.berth.agent.images.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.images.records.RecordDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PullRecordsTest {
  private static final String SERVICE = "unix:///run/a.sock";
  private static final String REPOSITORY = "registry.example/team/app";
  private static final SecretUse SECRET = new SecretUse("web", "pull", "uid-1", "hash-1");

  @TempDir private Path directory;

  private PullRecords open(VerificationPolicy policy, String... allowlist) {
    return new PullRecords(
        new VerificationRules(policy, List.of(allowlist)),
        RecordDirectory.open(directory.resolve("pulled")),
        RecordDirectory.open(directory.resolve("pulling")));
  }

  private PullRecords open() {
    return open(VerificationPolicy.NEVER_VERIFY_PRELOADED);
  }

  private static void pull(PullRecords records, String id, SecretUse use) {
    records.begin(SERVICE, REPOSITORY);
    records.succeeded(SERVICE, id, REPOSITORY, use);
  }

  private static boolean mustPull(PullRecords records, SecretUse... ofPod) {
    return records.mustPull(SERVICE, "image-1", REPOSITORY, List.of(ofPod));
  }

  @Test
  void aPodWithoutTheSecretMustPull() {
    PullRecords records = open();
    pull(records, "image-1", SECRET);

    assertThat(mustPull(records)).isTrue();
    assertThat(mustPull(records, new SecretUse("other", "pull", "uid-2", "hash-2"))).isTrue();
    assertThat(mustPull(records, SECRET)).isFalse();
  }

  @Test
  void theSameCredentialsInAnotherSecretProveAccess() {
    PullRecords records = open();
    pull(records, "image-1", SECRET);

    assertThat(mustPull(records, new SecretUse("other", "copy", "uid-2", "hash-1"))).isFalse();
  }

  @Test
  void theSameSecretProvesAccessAfterItsCredentialsChanged() {
    PullRecords records = open();
    pull(records, "image-1", SECRET);

    assertThat(mustPull(records, new SecretUse("web", "pull", "uid-1", "hash-9"))).isFalse();
  }

  @Test
  void aSecretThatWasMadeAgainUnderTheNameProvesNothing() {
    PullRecords records = open();
    pull(records, "image-1", SECRET);

    assertThat(mustPull(records, new SecretUse("web", "pull", "uid-7", "hash-9"))).isTrue();
  }

  @Test
  void anImageThatWasPulledWithoutCredentialsIsForEveryPod() {
    PullRecords records = open();
    pull(records, "image-1", SECRET);
    records.begin(SERVICE, REPOSITORY);
    records.succeeded(SERVICE, "image-1", REPOSITORY, null);

    assertThat(mustPull(records)).isFalse();
  }

  @Test
  void accessToOneRepositoryIsNoAccessToAnotherWithTheSameImage() {
    PullRecords records = open();
    pull(records, "image-1", SECRET);

    assertThat(records.mustPull(SERVICE, "image-1", "registry.example/other/app", List.of(SECRET)))
        .isTrue();
  }

  @Test
  void recordsOutliveTheAgent() {
    pull(open(), "image-1", SECRET);

    assertThat(mustPull(open())).isTrue();
    assertThat(mustPull(open(), SECRET)).isFalse();
  }

  @Test
  void aPullThatAKillInterruptedLeavesNobodyWithAccess() {
    open().begin(SERVICE, REPOSITORY);

    assertThat(mustPull(open(), SECRET)).isTrue();
  }

  @Test
  void aPullThatFailedLeavesAPreloadedImageFree() {
    PullRecords records = open();
    records.begin(SERVICE, REPOSITORY);
    records.failed(SERVICE, REPOSITORY);

    assertThat(mustPull(records)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "NEVER_VERIFY, false, false",
    "NEVER_VERIFY_PRELOADED, false, true",
    "NEVER_VERIFY_ALLOWLISTED, true, true",
    "ALWAYS_VERIFY, true, true"
  })
  void policiesDecideWhatNeedsProof(
      VerificationPolicy policy, boolean ofPreloaded, boolean ofPulled) {
    PullRecords records = open(policy);
    pull(records, "image-1", SECRET);

    assertThat(mustPull(records)).isEqualTo(ofPulled);
    assertThat(records.mustPull(SERVICE, "loaded", "registry.example/b", List.of()))
        .isEqualTo(ofPreloaded);
  }

  @ParameterizedTest
  @CsvSource({
    "registry.example/team/app, false",
    "registry.example/team/*, false",
    "registry.example/*, false",
    "registry.example/te*, true",
    "registry.example/team, true"
  })
  void anAllowlistNamesRepositoriesAndWhatIsBelow(String pattern, boolean mustPull) {
    PullRecords records = open(VerificationPolicy.NEVER_VERIFY_ALLOWLISTED, pattern);

    assertThat(mustPull(records)).isEqualTo(mustPull);
  }

  @Test
  void imagesThatAreGoneAreForgotten() throws IOException {
    PullRecords records = open();
    pull(records, "image-1", SECRET);
    pull(records, "image-2", SECRET);

    records.retain(SERVICE, Set.of("image-2"), records.moment());
    records.retain("another service", Set.of(), records.moment());

    assertThat(mustPull(records)).isFalse();
    assertThat(records.mustPull(SERVICE, "image-2", REPOSITORY, List.of())).isTrue();
    try (Stream<Path> files = Files.list(directory.resolve("pulled"))) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void whatIsPulledWhileImagesAreListedKeepsItsRecord() {
    PullRecords records = open();
    pull(records, "image-1", SECRET);
    long listed = records.moment();
    pull(records, "image-1", SECRET);
    pull(records, "image-2", SECRET);

    records.retain(SERVICE, Set.of(), listed);

    assertThat(mustPull(records)).isTrue();
    assertThat(records.mustPull(SERVICE, "image-2", REPOSITORY, List.of())).isTrue();
  }

  @Test
  void filesArePrivateAndHoldNoCredentials() throws IOException {
    pull(open(), "image-1", SECRET);

    try (Stream<Path> files = Files.list(directory.resolve("pulled"))) {
      Path file = files.findFirst().orElseThrow();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      assertThat(Files.readString(file)).contains("hash-1", REPOSITORY);
    }
  }

  @Test
  void anUnreadableRecordCountsAsAbsent() throws IOException {
    pull(open(), "image-1", SECRET);
    try (Stream<Path> files = Files.list(directory.resolve("pulled"))) {
      Files.writeString(files.findFirst().orElseThrow(), "{");
    }

    assertThat(mustPull(open(VerificationPolicy.ALWAYS_VERIFY), SECRET)).isTrue();
  }
}
