package dev.berth.checks.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.checks.ServerProcess;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `berth images platforms` and `berth images fit` as processes, with Debian's docker-registry: it
/// wants a password, and its certificate is by an authority that only a flag names.
final class ImageCommandsIT {
  private static final String AMD = "\"os\":\"linux\",\"architecture\":\"amd64\"";
  private static final String ARM = "\"os\":\"linux\",\"architecture\":\"arm64\"";

  @TempDir private Path directory;
  private TestCertificate certificate;
  private DebianRegistry registry;
  private String image;

  /// What a command printed.
  private record PrintedOutput(int code, String out, String err) {
    List<String> lines() {
      return out.lines().toList();
    }
  }

  @BeforeEach
  void start() throws Exception {
    assumeTrue(DebianRegistry.isInstalled(), "docker-registry is not installed");
    certificate = TestCertificate.make(directory);
    registry =
        DebianRegistry.start(Files.createDirectories(directory.resolve("registry")), certificate);
    image = registry.host() + "/web:1";
    Files.writeString(
        directory.resolve("config.json"),
        "{\"auths\":{\"%s\":{\"auth\":\"%s\"}}}"
            .formatted(
                registry.host(),
                Base64.getEncoder()
                    .encodeToString(DebianRegistry.CREDENTIALS.getBytes(StandardCharsets.UTF_8))));
    Path hosts = Files.createDirectories(directory.resolve("hosts").resolve(registry.host()));
    Files.writeString(
        hosts.resolve("hosts.toml"),
        "server = \"https://%s\"\nca = \"%s\"\n".formatted(registry.host(), certificate.file()));
  }

  @AfterEach
  void stop() {
    if (registry != null) {
      registry.close();
    }
  }

  @Test
  void theEntriesOfAnImageAreListedInEveryFormat() throws Exception {
    TestIndex index = TestIndex.push(registry, "web", "1", AMD, ARM);

    PrintedOutput table = run("platforms", image, hosts());
    assertThat(table.code()).as(table.err()).isZero();
    assertThat(table.lines())
        .satisfiesExactly(
            line -> assertThat(line).matches("PLATFORM +DIGEST +SIZE"),
            line -> assertThat(line).matches("linux/amd64 +sha256:[0-9a-f]{64} +[1-9][0-9]+"),
            line -> assertThat(line).matches("linux/arm64 +sha256:[0-9a-f]{64} +[1-9][0-9]+"));
    assertThat(run("platforms", image, hosts(), "-o", "wide").out()).isEqualTo(table.out());

    JsonNode json =
        new ObjectMapper().readTree(run("platforms", image, hosts(), "-o", "json").out());
    assertThat(json.path("image").asText()).isEqualTo(image);
    assertThat(json.path("digest").asText()).isEqualTo(index.digest());
    assertThat(json.path("entries").findValuesAsText("platform"))
        .containsExactly("linux/amd64", "linux/arm64");
    assertThat(table.out())
        .contains(json.path("entries").findValuesAsText("digest"))
        .contains(json.path("entries").findValuesAsText("size"));
    assertThat(new YAMLMapper().readTree(run("platforms", image, hosts(), "-o", "yaml").out()))
        .isEqualTo(json);
  }

  @Test
  void aRegistryThatIsNotTrustedIsToldWithTheFlagThatHelps() throws Exception {
    TestIndex.push(registry, "web", "1", AMD);
    // Without a flag the loopback interface is asked in plain HTTP.
    Path untrusted = Files.createDirectories(directory.resolve("plain").resolve(registry.host()));
    Files.writeString(
        untrusted.resolve("hosts.toml"), "server = \"https://%s\"\n".formatted(registry.host()));
    String flag = "--registry-hosts=" + untrusted.getParent();

    PrintedOutput refused = run("platforms", image, flag);

    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err())
        .contains("image %s cannot be read: TLS with registry".formatted(image))
        .contains("name its authority with --registry-ca or in --registry-hosts");
    assertThat(run("platforms", image, flag, "--registry-ca=" + certificate.file()).out())
        .contains("linux/amd64");
    PrintedOutput wrong = run("platforms", image, "--registry-ca=/none", "-o", "xml");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err())
        .contains("--registry-ca=/none: must be a PEM file that this user can read")
        .contains("--output=xml: must be wide, json or yaml");
  }

  @Test
  void everyHandlerIsShownWithItsEntryInEveryFormat() throws Exception {
    TestIndex.push(registry, "web", "1", ARM);
    try (ServerProcess server = ServerProcess.start(directory.resolve("data"));
        KubernetesClient client = server.client()) {
      client
          .resource(
              new NodeBuilder()
                  .withNewMetadata()
                  .withName("n1")
                  .addToLabels("kubernetes.io/os", "linux")
                  .addToLabels("kubernetes.io/arch", "amd64")
                  .addToAnnotations(
                      "berth.dev/runtime-services",
                      "{\"emu\":{\"workloadType\":\"container\",\"handlers\":[\"arm\"],"
                          + "\"platforms\":{\"arm\":\"linux/arm64\"}}}")
                  .endMetadata()
                  .build())
          .create();
      client
          .resource(
              new RuntimeClassBuilder()
                  .withNewMetadata()
                  .withName("emulated")
                  .endMetadata()
                  .withHandler("arm")
                  .build())
          .create();
      String[] fit = {"fit", image, hosts(), "--kubeconfig=" + server.kubeconfig()};

      PrintedOutput table = run(fit);
      assertThat(table.code()).as(table.err()).isZero();
      assertThat(table.lines())
          .satisfiesExactly(
              line -> assertThat(line).matches("NODE +HANDLER +CLASSES +FITS +ENTRY +REASON"),
              line -> assertThat(line).matches("n1 +arm +emulated +yes +linux/arm64 +-"));

      PrintedOutput wide = run(with(fit, "-o", "wide"));
      assertThat(wide.lines().getFirst()).endsWith("DIGEST");
      JsonNode json = new ObjectMapper().readTree(run(with(fit, "-o", "json")).out());
      JsonNode handler = json.path("handlers").path(0);
      assertThat(handler.path("node").asText()).isEqualTo("n1");
      assertThat(handler.path("fits").asBoolean()).isTrue();
      assertThat(handler.path("classes").path(0).asText()).isEqualTo("emulated");
      assertThat(wide.lines().get(1)).endsWith(handler.path("digest").asText());
      assertThat(new YAMLMapper().readTree(run(with(fit, "-o", "yaml")).out())).isEqualTo(json);
    }
  }

  private String hosts() {
    return "--registry-hosts=" + directory.resolve("hosts");
  }

  private static String[] with(String[] arguments, String... more) {
    List<String> all = new ArrayList<>(Arrays.asList(arguments));
    all.addAll(Arrays.asList(more));
    return all.toArray(String[]::new);
  }

  private PrintedOutput run(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.berth.cli.Main",
                "images"));
    command.addAll(Arrays.asList(arguments));
    Path err = directory.resolve("err");
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(err.toFile());
    builder.environment().put("DOCKER_CONFIG", directory.toString());
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new PrintedOutput(process.waitFor(), out, Files.readString(err));
  }
}
