package dev.berth.server.admission.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.podsecurity.PodSecurityConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The file of upstream's `--admission-control-config-file`.
class AdmissionConfigFileTest {
  private static final String HEAD =
      """
      apiVersion: apiserver.config.k8s.io/v1
      kind: AdmissionConfiguration
      plugins:
      - name: PodSecurity
      """;
  private static final String POD_SECURITY =
      """
      apiVersion: pod-security.admission.config.k8s.io/v1
      kind: PodSecurityConfiguration
      defaults:
        enforce: baseline
        enforce-version: v1.32
        warn: restricted
      exemptions:
        usernames: [ann]
        runtimeClasses: [gvisor]
        namespaces: [kube-system]
      """;

  @TempDir private Path directory;
  private final List<String> mistakes = new ArrayList<>();

  @Test
  void configurationMayBeInPlace() throws IOException {
    check(read(HEAD + "  configuration:\n" + POD_SECURITY.indent(4)));
  }

  @Test
  void configurationMayBeInAFileBesideIt() throws IOException {
    Files.writeString(directory.resolve("pods.yaml"), POD_SECURITY);
    check(read(HEAD + "  path: pods.yaml\n"));
  }

  private void check(PodSecurityConfiguration config) {
    assertThat(mistakes).isEmpty();
    assertThat(config.defaults()).hasToString("enforce=baseline:v1.32, warn=restricted:latest");
    assertThat(config.usernames()).isEqualTo(Set.of("ann"));
    assertThat(config.runtimeClasses()).isEqualTo(Set.of("gvisor"));
    assertThat(config.namespaces()).isEqualTo(Set.of("kube-system"));
  }

  @Test
  void everyMistakeIsReportedWithItsField() throws IOException {
    read(
        HEAD
            + "  configuration:\n"
            + """
              apiVersion: pod-security.admission.config.k8s.io/v1
              kind: PodSecurityConfiguration
              defaults:
                enforce: strict
                warn-version: "1.32"
                level: x
              exemptions:
                namespaces: [A, b, b]
                usernames: [""]
              """
                .indent(4)
            + "- name: ImagePolicyWebhook\n");
    assertThat(mistakes)
        .anyMatch(
            one ->
                one.equals(
                    "plugins[0].configuration.defaults.enforce: Invalid value: \"strict\": must be"
                        + " one of privileged, baseline, restricted"))
        .anyMatch(
            one ->
                one.equals(
                    "plugins[0].configuration.defaults.warn-version: Invalid value: \"1.32\": must"
                        + " be \"latest\" or \"v1.x\""))
        .anyMatch(one -> one.contains("defaults[level]") && one.contains("unknown field"))
        .anyMatch(one -> one.startsWith("plugins[0].configuration.exemptions.namespaces[0]"))
        .contains(
            "plugins[0].configuration.exemptions.namespaces[2]: Duplicate value: \"b\"",
            "plugins[0].configuration.exemptions.usernames[0]: Required value",
            "plugins[1].name: Unsupported value: \"ImagePolicyWebhook\": supported values:"
                + " \"PodSecurity\"")
        .hasSize(7);
  }

  @Test
  void otherFilesAreRefused() throws IOException {
    read("kind: Config\napiVersion: v1\n");
    assertThat(mistakes)
        .containsExactly(
            "apiVersion: Unsupported value: \"v1\": supported values:"
                + " \"apiserver.config.k8s.io/v1\", \"apiserver.k8s.io/v1alpha1\"",
            "kind: Unsupported value: \"Config\": supported values: \"AdmissionConfiguration\"");
    mistakes.clear();
    read("a: [");
    assertThat(mistakes).singleElement().asString().contains("must be YAML or JSON: yaml: ");
    mistakes.clear();
    read(HEAD + "  path: missing.yaml\n");
    assertThat(mistakes)
        .containsExactly(
            "plugins[0].path: Invalid value: \"%s\": must be a file that this user can read"
                .formatted(directory.resolve("missing.yaml")));
  }

  private PodSecurityConfiguration read(String text) throws IOException {
    Path file = Files.writeString(directory.resolve("admission.yaml"), text);
    return AdmissionConfigFile.read(file, mistakes).podSecurity();
  }
}
