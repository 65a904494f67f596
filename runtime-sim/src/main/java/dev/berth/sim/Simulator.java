package dev.berth.sim;

import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriServer;
import dev.berth.cri.CriTransport;
import dev.berth.cri.CriV1alpha2;
import dev.berth.cri.serving.EventFollowers;
import dev.berth.cri.v1.ContainerEventResponse;
import dev.berth.sim.images.ImageStore;
import dev.berth.sim.knobs.ServiceKnobs;
import dev.berth.sim.model.AddressPool;
import dev.berth.sim.model.SimMachine;
import dev.berth.sim.profile.ContractCompatibility;
import dev.berth.sim.profile.SimHandler;
import dev.berth.sim.service.ApiVersion;
import dev.berth.sim.service.FaultInterceptor;
import dev.berth.sim.service.MachineVerbs;
import dev.berth.sim.service.NodeInfo;
import dev.berth.sim.service.SimImageService;
import dev.berth.sim.service.SimRuntimeService;
import dev.berth.sim.service.StreamVerbs;
import dev.berth.sim.service.VerboseDetails;
import dev.berth.sim.streams.ServiceStreams;
import dev.berth.sim.vm.SimVmService;
import io.grpc.BindableService;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A simulated runtime service that listens, and that can crash and start again.
///
/// Any thread may call it. The model outlives the server: a crash ends connections and streams, and
/// a restart serves the same pods. The order of close is streams, then model; the shared threads
/// belong to [SimContext].
public final class Simulator implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Simulator.class);

  private final SimConfig config;
  private final SimContext context;
  private final SimMachine machine;
  private final MachineVerbs verbs;
  private final EventFollowers<ContainerEventResponse> events;
  private final ServiceStreams streams;
  private final List<ServerServiceDefinition> services;

  /// Guards start and stop of the server. It is not taken by calls, and comes before all other
  /// locks.
  private final ReentrantLock lock = new ReentrantLock();

  /// The server; null while the service is crashed. Guarded by the lock.
  private @Nullable CriServer server;

  /// The endpoint. After the first start it holds the chosen port, so that a restart listens where
  /// clients expect it. Guarded by the lock.
  private CriEndpoint endpoint;

  private Simulator(SimConfig config, SimContext context) {
    this.config = config;
    this.context = context;
    this.endpoint = config.endpoint();
    ServiceKnobs knobs = new ServiceKnobs(config.profile(), context.ids()::chance);
    config.knobs().apply(knobs);
    ImageStore images =
        new ImageStore(
            config.catalog(),
            context.registries(config.catalog().registries()),
            config.profile().platform(),
            config.profile().compatibility(),
            context.timeline());
    List<AddressPool> pools =
        config.podRanges().stream().map(range -> AddressPool.parse(range).orElseThrow()).toList();
    this.machine = new SimMachine(knobs, images, pools, context.timeline(), context.ids());
    this.verbs = MachineVerbs.of(machine, config.mountpoint());
    this.events = new EventFollowers<>(machine.events()::add, machine.events()::remove);
    this.streams = new ServiceStreams(context.streaming(), verbs.execution(), context.timeline());
    // The definitions have no state of their own and serve every restart.
    this.services = services();
    images.preload(config.profile().defaultHandler());
  }

  /// Starts a service. The service listens when the method returns.
  public static Simulator start(SimConfig config, SimContext context) {
    Simulator simulator = new Simulator(config, context);
    simulator.serve();
    return simulator;
  }

  public String name() {
    return config.name();
  }

  /// Where the service listens, with the port that was chosen.
  public CriEndpoint endpoint() {
    return locked(() -> endpoint);
  }

  public SimMachine machine() {
    return machine;
  }

  public ServiceKnobs knobs() {
    return machine.knobs();
  }

  public boolean isServing() {
    return locked(() -> server != null);
  }

  /// The event loops under this service's servers; shared with all services of the process.
  public CriTransport transport() {
    return context.transport();
  }

  /// Drops all connections and stops listening. Containers keep running, as they do when containerd
  /// crashes.
  public void crash() {
    log.info("simulated runtime crashed name={}", config.name());
    stop();
  }

  private void stop() {
    lock.lock();
    try {
      if (server != null) {
        server.stopNow();
        server = null;
        streams.cut();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Listens again after a crash; does nothing if the service listens already.
  public void serve() {
    lock.lock();
    try {
      if (server == null) {
        CriServer started = CriServer.start(context.transport(), endpoint, services);
        server = started;
        endpoint = started.endpoint();
        log.debug("simulated runtime ready name={} endpoint={}", config.name(), endpoint);
      }
    } finally {
      lock.unlock();
    }
  }

  /// Crashes the service and starts it again.
  ///
  /// @param keepState false also removes all pods, as after a reboot of the machine; images stay
  public void restart(boolean keepState) {
    crash();
    if (!keepState) {
      machine.forget();
    }
    serve();
  }

  /// Turns the event stream on or off. Open streams end when it is turned off.
  public void setEvents(boolean on) {
    knobs().events(on);
    if (!on) {
      events.end();
    }
  }

  /// Replaces the handlers. Exactly one of them must be the default.
  public void setHandlers(List<SimHandler> handlers) {
    knobs().handlers(handlers);
  }

  /// Ends a running container with an exit code; returns false when the container does not run.
  public boolean endContainer(String id, int code, String reason) {
    return verbs.containers().crash(id, code, reason);
  }

  @Override
  public void close() {
    stop();
    machine.forget();
  }

  private List<ServerServiceDefinition> services() {
    ServiceKnobs knobs = machine.knobs();
    StreamVerbs streamVerbs = new StreamVerbs(machine, verbs.execution(), streams);
    VerboseDetails details = new VerboseDetails(verbs.inventory(), knobs, context.timeline());
    List<BindableService> plain = new ArrayList<>();
    plain.add(new SimRuntimeService(new NodeInfo(knobs), verbs, details, streamVerbs, events));
    plain.add(new SimImageService(machine, config.mountpoint()));
    List<ServerServiceDefinition> all = new ArrayList<>();
    if (config.profile().virtualMachines()) {
      plain.add(new SimVmService(machine, streams));
    }
    FaultInterceptor faults = new FaultInterceptor(knobs, context.timeline());
    for (BindableService service : plain) {
      ServerServiceDefinition v1 = service.bindService();
      all.add(ServerInterceptors.intercept(v1, faults));
      if (config.profile().compatibility() == ContractCompatibility.CONTAINERD_1_6
          // Before CRI v1 there was no contract for virtual machines.
          && !(service instanceof SimVmService)) {
        all.add(ServerInterceptors.intercept(CriV1alpha2.of(v1), faults, new ApiVersion()));
      }
    }
    return all;
  }

  private <T> T locked(java.util.function.Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }
}
