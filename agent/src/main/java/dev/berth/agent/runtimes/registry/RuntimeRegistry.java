package dev.berth.agent.runtimes.registry;

import dev.berth.agent.runtimes.ImageHandlers;
import dev.berth.agent.runtimes.ImageService;
import dev.berth.agent.runtimes.PodLookup;
import dev.berth.agent.runtimes.PodLookup.Found;
import dev.berth.agent.runtimes.PodLookup.Gone;
import dev.berth.agent.runtimes.PodLookup.NotBound;
import dev.berth.agent.runtimes.PodLookup.Unknown;
import dev.berth.agent.runtimes.PodRequest;
import dev.berth.agent.runtimes.RegistryContext;
import dev.berth.agent.runtimes.RuntimeEndpoint;
import dev.berth.agent.runtimes.RuntimeService;
import dev.berth.agent.runtimes.RuntimeServices;
import dev.berth.agent.runtimes.RuntimeSnapshot;
import dev.berth.agent.runtimes.ServiceClaimedException;
import dev.berth.agent.runtimes.ServiceRegistration;
import dev.berth.agent.runtimes.ServiceResolution;
import dev.berth.agent.runtimes.ServiceResolution.Bound;
import dev.berth.agent.runtimes.ServiceResolution.Rejected;
import dev.berth.agent.runtimes.ServiceResolution.Retry;
import dev.berth.agent.runtimes.bindings.PodBinding;
import dev.berth.agent.runtimes.bindings.PodBindings;
import dev.berth.agent.runtimes.bindings.PodBindings.Attempt;
import dev.berth.agent.runtimes.registry.ServicePlacement.Choice;
import dev.berth.api.Problem;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// Holds the runtime services of the node, and binds each pod to one of them, once.
public final class RuntimeRegistry implements RuntimeServices, AutoCloseable {
  /// Another caller binds the pod, which takes one write to disk.
  private static final Duration BUSY = Duration.ofMillis(100);

  /// A disk that refuses writes seldom recovers within a second.
  private static final Duration DISK = Duration.ofSeconds(5);

  private final PodBindings bindings;
  private final ServiceSet services;
  private final ImageHandlers images;

  private RuntimeRegistry(PodBindings bindings, ServiceSet services, ImageHandlers images) {
    this.bindings = bindings;
    this.services = services;
    this.images = images;
  }

  /// Connects to the services and starts to recover their pods; waits for none of them.
  ///
  /// @param directory the directory of recorded bindings, used by this agent alone
  /// @throws ServiceClaimedException when another agent acts on one of the services
  public static RuntimeRegistry open(
      Path directory, List<ServiceRegistration> registrations, RegistryContext dependencies)
      throws IOException {
    PodBindings bindings = PodBindings.open(directory);
    var services = new ServiceSet(dependencies, bindings);
    try {
      services.addAll(registrations);
    } catch (ServiceClaimedException e) {
      bindings.close();
      throw e;
    }
    return new RuntimeRegistry(bindings, services, dependencies.images());
  }

  @Override
  public ServiceResolution bind(PodRequest pod, String handler) {
    Optional<PodBinding> known = bindings.confirm(pod.uid());
    if (known.isPresent()) {
      return resolved(pod, known.get());
    }
    Set<String> mayHaveIt = pod.mayHaveStarted() ? mayHave(pod) : Set.of();
    if (!mayHaveIt.isEmpty()) {
      return new Retry(unknown("pod " + pod.name(), mayHaveIt), ServicePlacement.LATER);
    }
    return switch (new ServicePlacement(pod, handler, snapshot()).decide()) {
      case Choice.Refused(var problem) -> new Rejected(problem);
      case Choice.Wait(var problem, var after) -> new Retry(problem, after);
      case Choice.Chosen(var service) -> record(pod, new PodBinding(pod.uid(), service, handler));
    };
  }

  /// Services that have not listed their pods yet and may have this one.
  private Set<String> mayHave(PodRequest pod) {
    Set<String> silent = bindings.mayHoldUnknownPods();
    return silent.isEmpty()
        ? silent
        : snapshot().services().stream()
            .filter(service -> service.workloadType() == pod.workloadType())
            .map(RuntimeService::name)
            .filter(silent::contains)
            .collect(Collectors.toSet());
  }

  private ServiceResolution record(PodRequest pod, PodBinding wanted) {
    Attempt attempt = bindings.bind(wanted, () -> services.takesPods(wanted.service()));
    return switch (attempt) {
      case Attempt.Bound(var binding) -> resolved(pod, binding);
      case Attempt.Busy() -> new Retry(waits(pod, "it is being bound by another caller"), BUSY);
      case Attempt.NotAdmitted() ->
          new Retry(
              waits(pod, "runtime service \"%s\" is being drained".formatted(wanted.service())),
              BUSY);
      case Attempt.NotRecorded(var problem) -> new Retry(problem, DISK);
    };
  }

  private ServiceResolution resolved(PodRequest pod, PodBinding binding) {
    RuntimeEndpoint service = services.find(binding.service());
    return service == null
        ? new Retry(unregistered("pod " + pod.name(), binding), ServicePlacement.MUCH_LATER)
        : new Bound(service, binding.handler());
  }

  @Override
  public PodLookup find(String podUid) {
    // Read before the pods: a service that answers in between has then listed this pod.
    Set<String> silent = bindings.mayHoldUnknownPods();
    Optional<PodBinding> binding = bindings.find(podUid);
    if (binding.isPresent()) {
      RuntimeEndpoint service = services.find(binding.get().service());
      return service == null
          ? goneOrUnknown(podUid, binding.get())
          : new Found(service, binding.get().handler());
    }
    return silent.isEmpty() ? new NotBound() : new Unknown(unknown("pod " + podUid, silent), false);
  }

  /// An unregistered service is gone for good when no registration is pending and every registered
  /// service has listed its pods without this one.
  private PodLookup goneOrUnknown(String podUid, PodBinding binding) {
    return services.isSettled() && bindings.allHaveAnswered()
        ? new Gone(binding.service())
        : new Unknown(unregistered("pod " + podUid, binding), true);
  }

  private static Problem waits(PodRequest pod, String why) {
    return new Problem("pod %s waits".formatted(pod.name()), why, "");
  }

  private static Problem unknown(String pod, Set<String> silent) {
    return new Problem(
        "the runtime service of %s is unknown".formatted(pod),
        "the record of bindings is new or damaged, and runtime services that may run the pod have not"
            + " answered yet: "
            + String.join(", ", silent.stream().sorted().toList()),
        "Start these runtime services, or remove them with `berth runtimes remove`");
  }

  private static Problem unregistered(String pod, PodBinding binding) {
    return new Problem(
        "the agent cannot manage %s".formatted(pod),
        "the pod is bound to runtime service \"%s\", which is not registered"
            .formatted(binding.service()),
        "Add the runtime service again with `berth runtimes add`, or abandon its pods with `berth runtimes remove --force %s`"
            .formatted(binding.service()));
  }

  @Override
  public void release(String podUid) {
    bindings.release(podUid);
    services.podsChanged();
  }

  @Override
  public void adopt(String podUid, String service, String handler) {
    bindings.adopt(new PodBinding(podUid, service, handler));
    services.podsChanged();
  }

  @Override
  public Set<String> boundPods() {
    return bindings.pods();
  }

  @Override
  public List<RuntimeEndpoint> runtimeServices() {
    return services.all();
  }

  @Override
  public List<ImageService> imageServices() {
    Set<Object> seen = new HashSet<>();
    List<ImageService> distinct = new ArrayList<>();
    for (RuntimeEndpoint service : services.all()) {
      if (seen.add(service.imageService().endpoint())) {
        distinct.add(service.imageService());
      }
    }
    return distinct;
  }

  @Override
  public ImageHandlers imageHandlers() {
    return images;
  }

  @Override
  public RuntimeSnapshot snapshot() {
    return services.snapshot();
  }

  @Override
  public Following follow(Consumer<RuntimeSnapshot> listener) {
    return services.follow(listener);
  }

  /// The registered services, and changes to them.
  public ServiceSet services() {
    return services;
  }

  /// The bindings of pods.
  public PodBindings bindings() {
    return bindings;
  }

  /// Closes the registry; sandboxes keep running.
  @Override
  public void close() {
    services.close();
    bindings.close();
  }
}
