package dev.berth.bench.images;

import dev.berth.agent.images.EntryResolver;
import dev.berth.agent.images.ImageMemory;
import dev.berth.agent.images.ImagePuller;
import dev.berth.agent.images.ImageRequest;
import dev.berth.agent.images.ImageTarget;
import dev.berth.agent.images.PullListener;
import dev.berth.agent.images.PullSettings;
import dev.berth.agent.images.RegistryEntries;
import dev.berth.agent.images.access.VerificationRules;
import dev.berth.agent.runtimes.ImageService;
import dev.berth.agent.runtimes.health.HealthTimings;
import dev.berth.bench.cri.CriNode;
import dev.berth.bench.machine.TemporaryDirectory;
import dev.berth.client.DelayedActions;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.registry.RegistryClient;
import dev.berth.registry.platforms.ImageIndex;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.IndexEntry;
import dev.berth.registry.platforms.MediaTypes;
import dev.berth.registry.platforms.PlatformMatcher;
import dev.berth.registry.platforms.TargetPlatform;
import dev.berth.registry.transport.RegistryEndpoint;
import dev.berth.server.admission.images.SteeringMode;
import dev.berth.sim.SimConfig;
import dev.berth.sim.SimContext;
import dev.berth.sim.Simulator;
import dev.berth.sim.images.ImageCatalog;
import dev.berth.sim.images.RegistryHost;
import dev.berth.sim.profile.SimHandler;
import dev.berth.sim.profile.SimProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Measures the choice of an entry from an index, checks whether images are present, pulls for two
/// handlers beside pulls for one, counts requests to a registry, and measures steering by images.
///
/// The runtime is simulated, behind a unix socket; the registry is one of this process.
///
/// The simulated runtime stores nothing on disk and unpacks nothing: pulls show what Berth adds,
/// not how fast a machine pulls.
public final class ImageBench {
  // More than images of official projects have; the choice looks at each of them.
  private static final int ENTRIES = 20;
  private static final int CHOICES = 20_000;

  /// Blocks of choices, of which the median counts.
  private static final int BLOCKS = 15;

  // Each is a call over a socket, unlike a choice, so that fewer are enough.
  private static final int CHECKS = 1_000;
  private static final String HOST = "amd64";
  private static final String OTHER = "arm64";
  private static final String IFN = "IfNotPresent";

  private final int rounds;
  private final int layerBytes;
  private final Path results;

  /// @param rounds pulls of each kind
  public ImageBench(int rounds, int layerBytes, Path results) {
    this.rounds = rounds;
    this.layerBytes = layerBytes;
    this.results = results;
  }

  /// Requests to the registry.
  ///
  /// @param byName of a pull by name
  /// @param byDigest of the first pull for a handler that gets its entry by digest
  /// @param again of a resolution of the same name within the life of its tag
  public record Requests(int byName, int byDigest, int again) {}

  /// Microseconds of steering's plugin of admission for one pod.
  ///
  /// @param off in a namespace that does not steer
  public record Steering(double off, double ten, double thousand, double tenThousand) {}

  public void run() throws IOException, InterruptedException {
    double linux = choice(target("linux/arm64", ""));
    double windows = choice(target("windows/amd64", "10.0.26100.2605"));
    System.err.println("choices measured");
    Steering steering = steering();
    System.err.println("steering measured");
    Path directory = Files.createTempDirectory("berth-bench");
    try (LoopbackRegistry registry = new LoopbackRegistry(List.of(HOST, OTHER), layerBytes);
        SimContext world = new SimContext(Clock.systemUTC(), new Random(1));
        Simulator simulator = simulator(registry, directory.resolve("runtime.sock"), world);
        CriNode node =
            new CriNode(directory.resolve("node"), simulator.endpoint(), HealthTimings.STANDARD);
        DelayedActions delays = DelayedActions.realTime();
        RegistryClient client = new RegistryClient(RegistryEntries.SETTINGS)) {
      node.await(true);
      ImageService service = node.registry().imageServices().getFirst();
      EntryResolver resolver = new RegistryEntries(client);
      ImageMemory memory =
          ImageMemory.open(directory.resolve("images"), VerificationRules.STANDARD);
      // Parallel pulls: the figure for two handlers would otherwise be the sum of two single ones.
      PullSettings settings =
          new PullSettings(PullSettings.PARALLEL, PullSettings.STANDARD.host(), resolver);
      ImagePuller puller =
          new ImagePuller(settings, Clock.systemUTC(), delays, memory, (_, _) -> {});
      Requests requests = count(registry, service, puller, resolver);
      System.err.println("requests counted");
      // The image that the counted requests have pulled.
      double check = checks(service, puller, request(registry, "counted", HOST, false));
      double checkOfEntry = checks(service, puller, request(registry, "counted", OTHER, true));
      System.err.println("presence checks measured");
      double one = pulls(registry, service, puller, List.of(OTHER));
      double two = pulls(registry, service, puller, List.of(HOST, OTHER));
      new ImageReport(
              rounds, layerBytes, linux, windows, check, checkOfEntry, one, two, requests, steering)
          .write(results, Instant.now());
    } finally {
      TemporaryDirectory.delete(directory);
    }
  }

  private static TargetPlatform target(String platform, String version) {
    return TargetPlatform.of(ImagePlatform.parse(platform).orElseThrow().withOsVersion(version));
  }

  private static Steering steering() {
    SteeringBench bench = new SteeringBench(index());
    // The first figure would be that of code that is not compiled yet.
    bench.micros(10, SteeringMode.SELECT);
    return new Steering(
        bench.micros(1_000, SteeringMode.OFF),
        bench.micros(10, SteeringMode.SELECT),
        bench.micros(1_000, SteeringMode.SELECT),
        bench.micros(10_000, SteeringMode.SELECT));
  }

  private static ImageIndex index() {
    List<IndexEntry> entries = new ArrayList<>();
    List<String> architectures =
        List.of("amd64", "arm/v7", "386", "ppc64le", "s390x", "riscv64", "mips64le", "arm64/v8");
    for (String architecture : architectures) {
      entries.add(entry("linux/" + architecture, ""));
    }
    for (int revision = entries.size(); revision < ENTRIES; revision++) {
      entries.add(entry("windows/amd64", "10.0.20348." + (2000 + revision)));
    }
    return new ImageIndex(entries);
  }

  /// Median microseconds of a choice among twenty entries, the last of which fits best.
  private static double choice(TargetPlatform target) {
    ImageIndex index = index();
    PlatformMatcher matcher = new PlatformMatcher(target);
    double[] blocks = new double[BLOCKS];
    for (int block = 0; block < BLOCKS; block++) {
      long start = System.nanoTime();
      for (int i = 0; i < CHOICES; i++) {
        // The result is used, or the compiler would remove the call.
        if (matcher.choose(index).isEmpty()) {
          throw new IllegalStateException("nothing fits");
        }
      }
      blocks[block] = (System.nanoTime() - start) / 1e3 / CHOICES;
    }
    return median(blocks);
  }

  private static IndexEntry entry(String platform, String version) {
    return new IndexEntry(
        "sha256:" + "0".repeat(64),
        MediaTypes.OCI_MANIFEST,
        1_000,
        ImagePlatform.parse(platform).orElseThrow().withOsVersion(version),
        Map.of());
  }

  public static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /// A simulated runtime with two handlers of different architectures, which pulls from the
  /// registry.
  private static Simulator simulator(LoopbackRegistry registry, Path socket, SimContext world) {
    SimProfile profile =
        SimProfile.named("linux/amd64")
            .orElseThrow()
            .withHandlers(
                List.of(
                    new SimHandler(HOST, true, "io.containerd.sim.v1", Map.of(), true, true),
                    new SimHandler(
                        OTHER,
                        false,
                        "io.containerd.sim.v1",
                        Map.of(SimHandler.PLATFORM, "linux/" + OTHER),
                        true,
                        true)));
    ImageCatalog images =
        new ImageCatalog(
            List.of(),
            false,
            List.of(new RegistryHost(registry.host(), RegistryEndpoint.usual(registry.host()))));
    return Simulator.start(
        SimConfig.of("bench", new CriEndpoint.UnixSocket(socket), profile).with(images), world);
  }

  /// @param isChosenByAgent whether the agent resolves the entry; otherwise the runtime chooses
  private static ImageRequest request(
      LoopbackRegistry registry, String name, String architecture, boolean isChosenByAgent) {
    return new ImageRequest(
        "%s/bench/%s:1".formatted(registry.host(), name),
        IFN,
        new ImageTarget(architecture, target("linux/" + architecture, ""), isChosenByAgent),
        Map.of(),
        List.of(),
        PodSandboxConfig.getDefaultInstance());
  }

  /// Counts the requests of three operations on one image. The second handler needs the index once
  /// more; the third operation finds it in the cache of tags.
  private static Requests count(
      LoopbackRegistry registry, ImageService service, ImagePuller puller, EntryResolver resolver)
      throws InterruptedException {
    int start = registry.requests();
    puller.ensure(service, request(registry, "counted", HOST, false), PullListener.NONE);
    int byName = registry.requests() - start;
    start = registry.requests();
    ImageRequest other = request(registry, "counted", OTHER, true);
    puller.ensure(service, other, PullListener.NONE);
    int byDigest = registry.requests() - start;
    start = registry.requests();
    resolver.resolve(other);
    return new Requests(byName, byDigest, registry.requests() - start);
  }

  /// Median microseconds of a check of an image that is present.
  private static double checks(ImageService service, ImagePuller puller, ImageRequest request) {
    double[] micros = new double[CHECKS];
    for (int i = 0; i < CHECKS; i++) {
      long start = System.nanoTime();
      if (puller.find(service, request, PullListener.NONE).isEmpty()) {
        throw new IllegalStateException("image %s is not present".formatted(request.image()));
      }
      micros[i] = (System.nanoTime() - start) / 1e3;
    }
    return median(micros);
  }

  /// Median milliseconds until all handlers have an image that nobody pulled before.
  private double pulls(
      LoopbackRegistry registry, ImageService service, ImagePuller puller, List<String> handlers)
      throws InterruptedException {
    double[] millis = new double[rounds];
    for (int round = 0; round < rounds; round++) {
      // A new name in each round: an image that is present would not be pulled.
      String name = "pulled-%d-%d".formatted(handlers.size(), round);
      List<Thread> threads = new ArrayList<>();
      List<Exception> failures = Collections.synchronizedList(new ArrayList<>());
      long start = System.nanoTime();
      for (String handler : handlers) {
        threads.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      try {
                        puller.ensure(
                            service, request(registry, name, handler, true), PullListener.NONE);
                      } catch (InterruptedException | RuntimeException e) {
                        failures.add(e);
                      }
                    }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      millis[round] = (System.nanoTime() - start) / 1e6;
      if (!failures.isEmpty()) {
        throw new IllegalStateException("a pull failed", failures.getFirst());
      }
    }
    return median(millis);
  }
}
