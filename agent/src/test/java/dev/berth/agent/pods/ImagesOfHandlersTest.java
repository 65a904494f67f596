package dev.berth.agent.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.images.CollectionRules;
import dev.berth.agent.images.EntryResolver.ResolvedEntry;
import dev.berth.agent.images.ImageCollector;
import dev.berth.agent.images.ImageMemory;
import dev.berth.agent.images.ImagePuller;
import dev.berth.agent.images.ImageRequest;
import dev.berth.agent.images.ImageTarget;
import dev.berth.agent.images.PullListener;
import dev.berth.agent.images.PullSettings;
import dev.berth.agent.images.access.VerificationRules;
import dev.berth.agent.runtimes.HandlerImage;
import dev.berth.agent.runtimes.ImageHandlers;
import dev.berth.agent.runtimes.ImageService;
import dev.berth.agent.runtimes.RuntimeServices;
import dev.berth.agent.runtimes.ServiceImages;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.ManualTime;
import dev.berth.cri.ImageClient;
import dev.berth.cri.v1.Image;
import dev.berth.cri.v1.ImageFilter;
import dev.berth.cri.v1.ImageSpec;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.TargetPlatform;
import dev.berth.sim.profile.SimHandler;
import dev.berth.sim.profile.SimProfile;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Images of two handlers of one service, which reports the handler of an image: runc is its
/// default one, arm runs linux/arm64.
final class ImagesOfHandlersTest {
  private static final CollectionRules AT_ONCE =
      new CollectionRules(85, 80, Duration.ZERO, Duration.ofHours(1));
  private static final ImagePlatform HOST = PullSettings.STANDARD.host();
  @TempDir private Path directory;
  private final ManualTime time = new ManualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private TestNode node;
  private ImageMemory memory;

  @BeforeEach
  void start() throws IOException {
    memory = ImageMemory.open(directory.resolve("own-images"), VerificationRules.STANDARD);
    node = new TestNode(directory);
    SimProfile profile =
        SimProfile.named("linux/amd64")
            .orElseThrow()
            .withHandlers(
                List.of(
                    handler("runc", Map.of()),
                    handler("kata", Map.of()),
                    handler("arm", Map.of(SimHandler.PLATFORM, "linux/arm64"))));
    node.service("one", config -> config.with(profile));
    node.start();
    node.create(
        ResourceType.RUNTIME_CLASSES,
        "{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: kata}, handler: kata}");
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private static SimHandler handler(String name, Map<String, String> options) {
    return new SimHandler(name, name.equals("runc"), "io.containerd.sim.v1", options, true, true);
  }

  @Test
  void theImageOfAHandlerInUseKeepsNoOtherHandlersImageOfTheSameName() throws Exception {
    node.pod("user", "runtimeClassName: kata\ncontainers: [{name: main, image: 'web:1'}]");
    node.awaitPhase("user", "Running");
    pull(service(), "web:1", "", false);
    assertThat(handlersOf("web:1")).containsExactlyInAnyOrder("", "kata");

    collect(node.registry());

    assertThat(handlersOf("web:1")).containsExactly("kata");
  }

  @Test
  void theUnusedImageOfAHandlerGoesAndLeavesThatOfTheDefaultOneInUse() throws Exception {
    node.pod("user", "containers: [{name: main, image: 'web:1'}]");
    node.awaitPhase("user", "Running");
    pull(service(), "web:1", "kata", false);
    pull(service(), "web:1", "arm", false);
    assertThat(handlersOf("web:1")).containsExactlyInAnyOrder("", "arm", "kata");

    collect(node.registry());

    assertThat(handlersOf("web:1")).containsExactly("");
  }

  @Test
  void everyCallNamesTheHandlerAndItsPlatform() throws Exception {
    List<String> calls = new CopyOnWriteArrayList<>();
    RuntimeServices recorded = recorded(calls);
    ImageService service = recorded.imageServices().getFirst();
    Await.until("handlers are known", () -> !recorded.handlersOf(service).isEmpty());

    pull(service, "web:1", "arm", false);
    new ServiceImages(recorded).list(service);
    collect(recorded);

    String arm =
        "arm {kubernetes.io/arch=arm64, kubernetes.io/os=linux, kubernetes.io/runtimehandler=arm}";
    assertThat(calls)
        .contains("pullImage web:1 " + arm, "listImages  " + arm, "listImages   {}")
        .anyMatch(call -> call.matches("imageStatus .* \\Q" + arm + "\\E"))
        .anyMatch(call -> call.matches("removeImage sha256:[0-9a-f]+ \\Q" + arm + "\\E"))
        .allMatch(call -> call.startsWith("listImages  ") || call.endsWith(arm));
  }

  /// Where the runtime does not report it: the agent's record of the pull does.
  @Test
  void anImageThatWasPulledByDigestIsListedWithItsNameAndHandler() throws Exception {
    pull(service(), "web:1", "", false);
    String digest = images().getFirst().getRepoDigests(0).replaceFirst(".*@", "");
    ImageHandlers known = memory.entries();
    assertThat(known.byDigest(service())).isEmpty();

    pull(service(), "web:1", "", true, digest);

    assertThat(known.byDigest(service()))
        .containsEntry(digest, List.of(new HandlerImage("docker.io/library/web:1", "")));
  }

  private ImageService service() {
    return node.registry().imageServices().getFirst();
  }

  private void pull(ImageService service, String image, String handler, boolean byAgent)
      throws InterruptedException {
    pull(service, image, handler, byAgent, "");
  }

  private void pull(
      ImageService service, String image, String handler, boolean byAgent, String digest)
      throws InterruptedException {
    PullSettings settings = new PullSettings(1, HOST, _ -> new ResolvedEntry(digest, null));
    String platform = handler.equals("arm") ? "linux/arm64" : "linux/amd64";
    var target = TargetPlatform.of(ImagePlatform.parse(platform).orElseThrow());
    new ImagePuller(settings, time, time, memory, (_, _) -> {})
        .ensure(
            service,
            new ImageRequest(
                image,
                "Always",
                new ImageTarget(handler, target, byAgent),
                Map.of(),
                List.of(),
                PodSandboxConfig.getDefaultInstance()),
            PullListener.NONE);
  }

  private void collect(RuntimeServices runtimes) {
    try (ImageCollector collector =
        ImageCollector.start(runtimes, HOST, AT_ONCE, memory, time, time)) {
      collector.collectUnused(_ -> true);
    }
  }

  private List<Image> images() {
    return service().client().listImages(ImageFilter.getDefaultInstance());
  }

  private List<String> handlersOf(String name) {
    return images().stream()
        .filter(image -> image.getRepoTagsList().contains("docker.io/library/" + name))
        .map(image -> image.getSpec().getRuntimeHandler())
        .toList();
  }

  /// The services of the node, with an image client that notes what it is asked.
  private RuntimeServices recorded(List<String> calls) {
    ImageService real = service();
    ImageClient client =
        (ImageClient)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ImageClient.class},
                (_, method, arguments) -> {
                  if (arguments != null) {
                    calls.add(text(method.getName(), arguments[0]));
                  }
                  try {
                    return method.invoke(real.client(), arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    ImageService noted =
        new ImageService(real.name(), real.workloadType(), real.endpoint(), client);
    return (RuntimeServices)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {RuntimeServices.class},
            (_, method, arguments) ->
                method.getName().equals("imageServices")
                    ? List.of(noted)
                    : method.invoke(node.registry(), arguments));
  }

  private static String text(String call, Object asked) {
    ImageSpec spec = asked instanceof ImageFilter filter ? filter.getImage() : (ImageSpec) asked;
    return "%s %s %s %s"
        .formatted(
            call,
            spec.getImage(),
            spec.getRuntimeHandler(),
            new java.util.TreeMap<>(spec.getAnnotationsMap()));
  }
}
