package dev.berth.server.encryption;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ValueEncryptionTest {
  private static final byte[] PLAIN = "{\"metadata\":{\"name\":\"a\"}}".getBytes(UTF_8);
  private static final AesGcmKey OLD = new AesGcmKey("old", new byte[16]);
  private static final AesGcmKey NEW =
      new AesGcmKey("new", "0123456789abcdef0123456789abcdef".getBytes(UTF_8));

  private static ValueEncryption secrets(ValueProvider... providers) {
    return new ValueEncryption(
        List.of(
            new ValueEncryption.Rule(
                List.of(ResourcePattern.parse("secrets")), List.of(providers))),
        null);
  }

  private static ValueProvider keys(AesGcmKey... keys) {
    return new ValueProvider.AesGcm(List.of(keys));
  }

  private static final ValueProvider IDENTITY = new ValueProvider.Identity();

  @Test
  void aSealedValueHasUpstreamsPrefixAndIsDifferentEachTime() throws Exception {
    ValueEncryption encryption = secrets(keys(NEW, OLD));
    byte[] sealed = encryption.seal("secrets/a/b", PLAIN);
    assertThat(new String(sealed, UTF_8)).startsWith("k8s:enc:aesgcm:v1:new:");
    assertThat(new String(sealed, UTF_8)).doesNotContain("metadata");
    assertThat(encryption.seal("secrets/a/b", PLAIN)).isNotEqualTo(sealed);
    ValueEncryption.Opened opened = encryption.open("secrets/a/b", sealed);
    assertThat(opened.plain()).isEqualTo(PLAIN);
    assertThat(opened.stale()).isFalse();
  }

  @Test
  void oldKeysAndPlainValuesAreReadAndKnownToBeStale() throws Exception {
    byte[] old = secrets(keys(OLD)).seal("secrets/a/b", PLAIN);
    ValueEncryption rotated = secrets(keys(NEW, OLD), IDENTITY);
    assertThat(rotated.open("secrets/a/b", old).plain()).isEqualTo(PLAIN);
    assertThat(rotated.open("secrets/a/b", old).stale()).isTrue();
    assertThat(rotated.open("secrets/a/b", PLAIN).stale()).isTrue();
    assertThat(secrets(IDENTITY, keys(OLD)).open("secrets/a/b", old).stale()).isTrue();
    assertThat(secrets(IDENTITY, keys(OLD)).seal("secrets/a/b", PLAIN)).isEqualTo(PLAIN);
  }

  @Test
  void aValueIsOfNoUseInThePlaceOfAnother() {
    ValueEncryption encryption = secrets(keys(NEW));
    byte[] sealed = encryption.seal("secrets/a/b", PLAIN);
    assertThatThrownBy(() -> encryption.open("secrets/a/c", sealed))
        .hasMessage(
            "its value does not match key \"new\" of aesgcm: the key's secret has changed, or the"
                + " value was modified or belongs to another object");
    sealed[sealed.length - 1] ^= 1;
    assertThatThrownBy(() -> encryption.open("secrets/a/b", sealed))
        .isInstanceOf(UnreadableValueException.class);
  }

  @Test
  void aMissingKeyIsNamed() {
    byte[] old = secrets(keys(OLD)).seal("secrets/a/b", PLAIN);
    assertThatThrownBy(() -> secrets(keys(NEW)).open("secrets/a/b", old))
        .hasMessage(
            "it is encrypted with key \"old\" of aesgcm, and --encryption-provider-config has only"
                + " \"new\" for it");
    assertThatThrownBy(() -> ValueEncryption.NONE.open("secrets/a/b", old))
        .hasMessage(
            "it is encrypted with key \"old\" of aesgcm, and this server was started without"
                + " --encryption-provider-config");
    assertThatThrownBy(
            () -> ValueEncryption.NONE.open("secrets/a/b", "k8s:enc:kms:v2:x:yz".getBytes(UTF_8)))
        .hasMessage("it is encrypted as k8s:enc:kms:v2:x, which this server does not support");
    assertThatThrownBy(() -> secrets(keys(NEW)).open("secrets/a/b", PLAIN))
        .hasMessage(
            "it is stored as plain text, and --encryption-provider-config has no `identity: {}` for"
                + " it");
  }

  @Test
  void theFirstRuleThatNamesTheResourceCounts() {
    ValueEncryption encryption =
        new ValueEncryption(
            List.of(
                rule("secrets", keys(NEW)),
                rule("*.apps", IDENTITY),
                rule("*.", keys(OLD)),
                rule("*.*", keys(NEW))),
            null);
    assertThat(text(encryption.seal("secrets/a/b", PLAIN))).contains(":new:");
    assertThat(text(encryption.seal("deployments.apps/a/b", PLAIN))).startsWith("{");
    assertThat(text(encryption.seal("configmaps/a/b", PLAIN))).contains(":old:");
    assertThat(text(encryption.seal("leases.coordination.k8s.io/a/b", PLAIN))).contains(":new:");
    assertThat(text(secrets(keys(NEW)).seal("configmaps/a/b", PLAIN))).startsWith("{");
  }

  @Test
  void resourcesThatNobodyServesAreFound() {
    ValueEncryption encryption =
        new ValueEncryption(
            List.of(rule("secret", keys(NEW)), rule("*.app", keys(NEW)), rule("*.*", IDENTITY)),
            null);
    assertThat(encryption.unknown(Set.of("secrets", "deployments.apps")))
        .containsExactly("secret", "*.app");
  }

  private static ValueEncryption.Rule rule(String resource, ValueProvider provider) {
    return new ValueEncryption.Rule(List.of(ResourcePattern.parse(resource)), List.of(provider));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }
}
