package dev.berth.agent.pods.observed;

import dev.berth.cri.CriException;
import dev.berth.cri.RuntimeClient;
import dev.berth.cri.v1.Container;
import dev.berth.cri.v1.ContainerFilter;
import dev.berth.cri.v1.PodSandbox;
import dev.berth.cri.v1.PodSandboxFilter;
import dev.berth.cri.v1.PodSandboxState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Lists a service with one call for sandboxes and one for containers. Details of unchanged
/// containers come from the view.
final class ServiceLister {
  private final RuntimeClient runtime;
  private final ServiceView view;

  ServiceLister(RuntimeClient runtime, ServiceView view) {
    this.runtime = runtime;
    this.view = view;
  }

  /// Lists the service.
  ///
  /// @return whether anything changed
  boolean list() {
    long begun = view.beginList();
    Map<String, List<ObservedSandbox>> sandboxes = new HashMap<>();
    Map<String, List<ObservedContainer>> containers = new HashMap<>();
    Map<String, String> owners = new HashMap<>();
    for (PodSandbox sandbox : runtime.listPodSandboxes(PodSandboxFilter.getDefaultInstance())) {
      String uid = sandbox.getMetadata().getUid();
      owners.put(sandbox.getId(), uid);
      details(uid, sandbox, sandboxes.computeIfAbsent(uid, _ -> new ArrayList<>()));
    }
    for (Container container : runtime.listContainers(ContainerFilter.getDefaultInstance())) {
      String uid = owners.get(container.getPodSandboxId());
      if (uid != null) {
        details(uid, container, containers.computeIfAbsent(uid, _ -> new ArrayList<>()));
      }
    }
    Map<String, ObservedPod> pods = new HashMap<>();
    sandboxes.forEach(
        (uid, found) ->
            pods.put(uid, new ObservedPod(found, containers.getOrDefault(uid, List.of()))));
    return view.listed(begun, new ServiceListing(pods));
  }

  private void details(String uid, PodSandbox listed, List<ObservedSandbox> into) {
    boolean ready = listed.getState() == PodSandboxState.SANDBOX_READY;
    var known = view.knownSandbox(uid, listed.getId()).filter(one -> one.isReady() == ready);
    if (known.isPresent()) {
      into.add(known.get());
      return;
    }
    try {
      into.add(
          ObservedSandbox.of(runtime.podSandboxStatus(listed.getId(), false).getStatus())
              .withHandler(listed.getRuntimeHandler()));
    } catch (CriException e) {
      unlessGone(e);
    }
  }

  private void details(String uid, Container listed, List<ObservedContainer> into) {
    ObservedContainer.State state = ObservedContainer.State.of(listed.getState());
    var known = view.known(uid, listed.getId()).filter(one -> one.state() == state);
    if (known.isPresent()) {
      into.add(known.get());
      return;
    }
    if (state == ObservedContainer.State.CREATED) {
      into.add(ObservedContainer.created(listed));
      return;
    }
    try {
      into.add(
          ObservedContainer.of(
              listed.getPodSandboxId(),
              runtime.containerStatus(listed.getId(), false).getStatus()));
    } catch (CriException e) {
      unlessGone(e);
    }
  }

  /// The container vanished after the list. A sandbox counts as gone only when the next list lacks
  /// it.
  private static void unlessGone(CriException failure) {
    if (!failure.isNotFound()) {
      throw failure;
    }
  }
}
