package dev.berth.cli.images;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.agent.runtimes.HandlerImage;
import dev.berth.agent.runtimes.ImageHandlers;
import dev.berth.agent.runtimes.ImageService;
import dev.berth.agent.runtimes.RegistryContext;
import dev.berth.agent.runtimes.admin.NodeRuntimes;
import dev.berth.agent.runtimes.admin.NodeRuntimes.Places;
import dev.berth.agent.runtimes.health.HealthTimings;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.pods.WorkloadType;
import dev.berth.cli.Main;
import dev.berth.client.DelayedActions;
import dev.berth.cri.CriChannels;
import dev.berth.cri.CriDeadlines;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriMetrics;
import dev.berth.cri.CriTransport;
import dev.berth.cri.v1.AuthConfig;
import dev.berth.cri.v1.Image;
import dev.berth.cri.v1.ImageFilter;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.sim.SimContext;
import dev.berth.sim.Simulator;
import dev.berth.sim.config.ConfigErrors;
import dev.berth.sim.config.ConfigReader;
import dev.berth.sim.config.ConfigYaml;
import io.opentelemetry.api.OpenTelemetry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `berth images list` where one runtime reports handlers of images and another one does not.
final class ImagesListIT {
  private static final String WEB = "docker.io/library/web:1";
  private static final String OTHER = "docker.io/library/other:1";

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final SimContext world = new SimContext(Clock.systemUTC(), new Random());
  private final DelayedActions delays = DelayedActions.realTime();
  private final CriTransport transport = new CriTransport();
  private Simulator reporting;
  private Simulator silent;
  private NodeRuntimes runtimes;

  @BeforeEach
  void start() throws Exception {
    reporting =
        simulator(
            "reporting",
            "handlers: [{name: runc, default: true, type: io.containerd.runc.v2},"
                + " {name: kata, type: io.containerd.kata.v2}]");
    silent = simulator("silent", "runtimeName: containerd, compatibility: containerd-1.6");
    var metrics = new CriMetrics(new PrometheusRegistry());
    runtimes =
        NodeRuntimes.start(
            Places.below(directory.resolve("agent")),
            List.of(declaration("reporting"), declaration("silent")),
            new RegistryContext(
                    new CriChannels(transport, CriDeadlines.KUBELET, metrics, OpenTelemetry.noop()),
                    metrics,
                    HealthTimings.STANDARD,
                    delays,
                    Clock.systemUTC())
                .with((ImageHandlers) ImagesListIT::recorded));
    awaitReady();
  }

  @AfterEach
  void stop() {
    runtimes.close();
    reporting.close();
    silent.close();
    transport.close();
    delays.close();
    world.close();
  }

  /// The agent pulled `other:1` for the handler arm at the service that reports none.
  private static Map<String, List<HandlerImage>> recorded(ImageService service) {
    return service.name().equals("silent")
        ? Map.of(
            digest(service, OTHER),
            List.of(new HandlerImage(OTHER, "arm"), new HandlerImage(OTHER, "arm-vm")))
        : Map.of();
  }

  private static String digest(ImageService service, String tag) {
    Image image =
        service.client().listImages(ImageFilter.getDefaultInstance()).stream()
            .filter(one -> one.getRepoTagsList().contains(tag))
            .findFirst()
            .orElseThrow();
    return image.getRepoDigests(0).replaceFirst(".*@", "");
  }

  @Test
  void imagesHaveTheHandlerThatTheRuntimeOrTheAgentKnows() throws Exception {
    pull("reporting", "web:1", "kata");
    pull("reporting", "web:1", "");
    pull("silent", "web:1", "");
    pull("silent", "other:1", "");

    assertThat(list("-o", "json")).as(err.toString()).isZero();

    JsonNode images = new JsonMapper().readTree(out.toString()).path("images");
    assertThat(images.valueStream().map(ImagesListIT::text))
        .containsExactlyInAnyOrder(
            "reporting kata " + WEB,
            "reporting  " + WEB,
            "silent  " + WEB,
            "silent arm " + OTHER,
            "silent arm-vm " + OTHER);
  }

  @Test
  void theTableHasAColumnForTheHandler() {
    pull("reporting", "web:1", "kata");
    pull("reporting", "web:1", "");
    pull("silent", "other:1", "");

    assertThat(list()).as(err.toString()).isZero();

    assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " ").strip()))
        .contains(
            "IMAGE HANDLER SIZE SERVICE",
            WEB + " kata 10.5 MB reporting",
            WEB + " <none> 10.5 MB reporting",
            OTHER + " arm 10.5 MB silent");
  }

  private static String text(JsonNode image) {
    return "%s %s %s"
        .formatted(
            image.path("service").asText(),
            image.path("handler").asText("missing"),
            image.path("names").path(0).asText());
  }

  private void pull(String service, String image, String handler) {
    runtimes.registry().imageServices().stream()
        .filter(one -> one.name().equals(service))
        .findFirst()
        .orElseThrow()
        .client()
        .pullImage(
            ImageSpec.newBuilder().setImage(image).setRuntimeHandler(handler).build(),
            AuthConfig.getDefaultInstance(),
            PodSandboxConfig.getDefaultInstance());
  }

  private Path socket(String name) {
    return directory.resolve(name + ".sock");
  }

  private RuntimeDeclaration declaration(String name) {
    return new RuntimeDeclaration(
        name, WorkloadType.CONTAINER, new CriEndpoint.UnixSocket(socket(name)));
  }

  private Simulator simulator(String name, String more) {
    ConfigErrors mistakes = new ConfigErrors();
    String yaml = "{name: %s, endpoint: 'unix://%s', %s}".formatted(name, socket(name), more);
    return Simulator.start(
        new ConfigReader(mistakes).read(ConfigYaml.read(yaml, mistakes)).getFirst(), world);
  }

  private void awaitReady() {
    long end = System.nanoTime() + 180_000_000_000L;
    while (System.nanoTime() < end
        && !runtimes.registry().snapshot().services().stream()
            .allMatch(service -> service.health().isReady())) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private int list(String... args) {
    String[] all = new String[args.length + 4];
    all[0] = "images";
    all[1] = "list";
    System.arraycopy(args, 0, all, 2, args.length);
    all[args.length + 2] = "--data-dir";
    all[args.length + 3] = directory.toString();
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), all);
  }
}
