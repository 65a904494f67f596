package dev.berth.vm;

import dev.berth.api.Problem;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriServer;
import dev.berth.cri.CriTransport;
import dev.berth.cri.serving.RandomIds;
import dev.berth.cri.streaming.StreamingServer;
import dev.berth.registry.RegistryClient;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.TargetPlatform;
import dev.berth.vm.guest.GuestAgent;
import dev.berth.vm.images.VmImageStores;
import dev.berth.vm.images.VmImages;
import dev.berth.vm.kernel.GuestFiles;
import dev.berth.vm.kernel.GuestKernel;
import dev.berth.vm.machine.QemuLauncher;
import dev.berth.vm.machine.QemuMachines;
import dev.berth.vm.machine.QemuSettings;
import dev.berth.vm.network.CniPodNetworks;
import dev.berth.vm.network.PodNetworkConfig;
import dev.berth.vm.network.PodNetworks;
import dev.berth.vm.pods.PodInventory;
import dev.berth.vm.pods.RuntimeParts;
import dev.berth.vm.pods.rules.GuestSizes;
import dev.berth.vm.pods.state.StateDirectory;
import dev.berth.vm.service.CriServices;
import dev.berth.vm.template.AcceleratorProbe;
import dev.berth.vm.template.GuestProbe;
import dev.berth.vm.template.TemplateSettings;
import dev.berth.vm.template.TemplateStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The runtime of virtual machines: all its parts, and the socket that it serves. Machines outlive
/// it; the next one finds them again.
public final class VmRuntime implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(VmRuntime.class);
  private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
  private static final Duration STOP_LIMIT = Duration.ofSeconds(5);

  private final DirectoryClaim claim;
  private final RegistryClient registry;
  private final CriTransport transport;
  private final StreamingServer streaming;
  private final CriServices services;
  private final CriServer server;
  private final VmImages images;

  private VmRuntime(
      DirectoryClaim claim,
      RegistryClient registry,
      CriTransport transport,
      StreamingServer streaming,
      CriServices services,
      CriServer server,
      VmImages images) {
    this.claim = claim;
    this.registry = registry;
    this.transport = transport;
    this.streaming = streaming;
    this.services = services;
    this.server = server;
    this.images = images;
  }

  /// Starts the runtime, which serves its socket when the method returns.
  ///
  /// @throws IOException if its directories cannot be used, also because another process uses them
  public static VmRuntime start(VmRuntimeConfig config, Clock clock, RandomGenerator random)
      throws IOException {
    long begin = System.nanoTime();
    Files.createDirectories(config.directory());
    DirectoryClaim claim = DirectoryClaim.take(config.directory());
    RegistryClient registry = new RegistryClient(config.registry());
    CriTransport transport = new CriTransport();
    RandomIds ids = new RandomIds(random);
    StreamingServer streaming =
        new StreamingServer(
            transport,
            ids::token,
            (delay, action) ->
                CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(action));
    try {
      QemuSettings qemu = qemu(config);
      QemuLauncher launcher = new QemuLauncher(config.qemu(), config.directory());
      TemplateSettings templates =
          new TemplateSettings(
              config.directory().resolve("templates"), qemu.templateUser(), config.scratchBytes());
      Supplier<GuestFiles> guests =
          new GuestKernel(config.kernelRoots(), config.directory().resolve("kernel"))::files;
      AcceleratorProbe accelerator = new AcceleratorProbe(templates, launcher, guests);
      RuntimeParts parts =
          new RuntimeParts(
              new QemuMachines(qemu, launcher, accelerator),
              new TemplateStore(
                  templates, launcher, guests, accelerator, GuestProbe.agent(), clock),
              networks(config),
              images(config, registry, clock),
              GuestAgent::connect);
      CriServices services =
          new CriServices(
              parts,
              new PodInventory(StateDirectory.open(config.state().resolve("pods")), clock),
              new GuestSizes(config.defaultSize(), Runtime.getRuntime().availableProcessors()),
              ids,
              streaming,
              HypervisorFacts.of(config, guests, accelerator),
              config.directory());
      CriServer server =
          CriServer.start(transport, new CriEndpoint.UnixSocket(config.socket()), services.start());
      log.info(
          "vm runtime ready endpoint={} millis={}",
          server.endpoint(),
          (System.nanoTime() - begin) / 1_000_000);
      return new VmRuntime(claim, registry, transport, streaming, services, server, parts.images());
    } catch (IOException | RuntimeException e) {
      streaming.close();
      transport.close();
      registry.close();
      claim.close();
      throw e;
    }
  }

  private static QemuSettings qemu(VmRuntimeConfig config) {
    return new QemuSettings(
        config.directory().resolve("machines"),
        config.qemu(),
        CGROUPS,
        config.firstUser(),
        config.users());
  }

  private static PodNetworks networks(VmRuntimeConfig config) {
    return new CniPodNetworks(
        new PodNetworkConfig(
            config.state().resolve("networks"),
            config.cniConfigurations(),
            config.cniPlugins(),
            PodNetworkConfig.USUAL_LIMIT));
  }

  private static VmImages images(VmRuntimeConfig config, RegistryClient registry, Clock clock) {
    return VmImageStores.open(
        config.directory().resolve("images"),
        registry,
        TargetPlatform.of(ImagePlatform.parse("linux/amd64").orElseThrow()),
        config.pinnedImages(),
        clock);
  }

  /// The images, for whoever loads archives.
  public VmImages images() {
    return images;
  }

  /// Stops to serve. Machines go on.
  @Override
  public void close() {
    server.stop(STOP_LIMIT);
    services.close();
    streaming.close();
    transport.close();
    registry.close();
    claim.close();
  }

  /// Why the runtime cannot work on this host, before it is started: for whoever offers to install
  /// what is missing.
  public static Optional<Problem> missing(VmRuntimeConfig config) {
    return HypervisorFacts.missing(config);
  }
}
