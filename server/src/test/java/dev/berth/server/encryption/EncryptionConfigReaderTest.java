package dev.berth.server.encryption;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EncryptionConfigReaderTest {
  private static final String HEAD =
      """
      apiVersion: apiserver.config.k8s.io/v1
      kind: EncryptionConfiguration
      """;
  private static final String SECRET = "c2VjcmV0IGlzIHNlY3VyZQ==";

  @TempDir Path directory;
  private final List<String> mistakes = new ArrayList<>();

  private @Nullable ValueEncryption read(String text) throws IOException {
    Path file = Files.writeString(directory.resolve("config.yaml"), text);
    return EncryptionConfigReader.read(file, mistakes);
  }

  @Test
  void upstreamsExampleWithSupportedProvidersIsRead() throws IOException {
    ValueEncryption read =
        read(
            HEAD
                + """
                resources:
                  - resources:
                      - secrets
                      - configmaps
                    providers:
                      - aesgcm:
                          keys:
                            - name: key1
                              secret: c2VjcmV0IGlzIHNlY3VyZQ==
                            - name: key2
                              secret: dGhpcyBpcyBwYXNzd29yZA==
                      - identity: {}
                  - resources: ['*.apps']
                    providers:
                      - identity: {}
                  - resources: ['*.*']
                    providers:
                      - aesgcm:
                          keys: [{name: key3, secret: MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=}]
                """);
    assertThat(mistakes).isEmpty();
    assertThat(read).isNotNull();
  }

  @Test
  void everyMistakeIsReportedAtOnceAndNoSecretIsShown() throws IOException {
    ValueEncryption read =
        read(
            HEAD
                + """
                extra: 1
                resources:
                  - resources: [secrets, '*.', Pods, '*', secrets.*, x.events.k8s.io, y.extensions]
                    providers:
                      - kms: {name: a}
                      - aescbc: {keys: []}
                      - rot13: {}
                      - aesgcm: {keys: []}
                      - aesgcm: {}
                        identity: {}
                      - aesgcm:
                          keys:
                            - {name: 'a:b', secret: c2VjcmV0IGlzIHNlY3VyZQ==}
                            - {name: short, secret: c2VjcmV0}
                            - {name: text, secret: '%%%top'}
                            - {name: twice, secret: c2VjcmV0IGlzIHNlY3VyZQ==}
                            - {name: twice, secret: c2VjcmV0IGlzIHNlY3VyZQ==}
                  - {}
                """);
    assertThat(read).isNull();
    assertThat(mistakes)
        .containsExactly(
            "extra: unknown field (known: apiVersion, kind, metadata, resources)",
            "resources[0].resources[1]: *. overlaps with another resource of the list; give each its"
                + " own entry, the special one first",
            "resources[0].resources[2]: must be a plural name in lower case, such as secrets or"
                + " deployments.apps",
            "resources[0].resources[2]: Pods overlaps with another resource of the list; give each"
                + " its own entry, the special one first",
            "resources[0].resources[3]: use '*.' for all resources of the core group or '*.*' for"
                + " all resources",
            "resources[0].resources[3]: * is listed twice",
            "resources[0].resources[4]: the same resource cannot be selected in all groups: name"
                + " its group",
            "resources[0].resources[5]: events are stored in the core group: use events",
            "resources[0].resources[6]: nothing is stored in the group extensions: use the group"
                + " apps",
            "resources[0].providers[0].kms: is not provided by this server; use aesgcm, or identity"
                + " for values that are not encrypted",
            "resources[0].providers[1].aescbc: is not provided: it does not authenticate values, so"
                + " they could be altered and swapped; use aesgcm, or identity for values that are"
                + " not encrypted",
            "resources[0].providers[2].rot13: unknown provider; use aesgcm, or identity for values"
                + " that are not encrypted",
            "resources[0].providers[3].aesgcm: at least one key is required, with name and secret",
            "resources[0].providers[4]: must have exactly one provider, aesgcm or identity (found:"
                + " [aesgcm, identity])",
            "resources[0].providers[5].aesgcm.keys[0].name: must be a name without ':', which"
                + " stored values refer to",
            "resources[0].providers[5].aesgcm.keys[1].secret: must be 16, 24 or 32 bytes in base64,"
                + " as from `head -c 32 /dev/urandom | base64` (it has 6)",
            "resources[0].providers[5].aesgcm.keys[2].secret: must be in base64, as from `head -c"
                + " 32 /dev/urandom | base64`",
            "resources[0].providers[5].aesgcm.keys[4].name: another key of the same resources is"
                + " called twice",
            "resources[1].resources: at least one resource is required, such as secrets",
            "resources[1].providers: at least one provider is required, such as aesgcm");
    assertThat(mistakes).noneMatch(text -> text.contains(SECRET) || text.contains("%%%top"));
  }

  @ParameterizedTest
  @CsvSource({
    "'kind: EncryptionConfig', it must begin with",
    "'[', it is neither YAML nor JSON",
    "'', it must begin with"
  })
  void anotherFileIsRefused(String text, String mistake) throws IOException {
    assertThat(read(text)).isNull();
    assertThat(mistakes).singleElement().asString().startsWith(mistake);
  }
}
