package dev.berth.vm.service;

import dev.berth.cri.serving.EventFollowers;
import dev.berth.cri.serving.RandomIds;
import dev.berth.cri.streaming.StreamingServer;
import dev.berth.cri.v1.ContainerEventResponse;
import dev.berth.cri.v1.ImageServiceGrpc;
import dev.berth.cri.v1.ListContainerStatsResponse;
import dev.berth.cri.v1.ListContainersResponse;
import dev.berth.cri.v1.ListImagesResponse;
import dev.berth.cri.v1.ListPodSandboxResponse;
import dev.berth.cri.v1.ListPodSandboxStatsResponse;
import dev.berth.cri.v1.RuntimeServiceGrpc;
import dev.berth.cri.v1.StreamContainerStatsResponse;
import dev.berth.cri.v1.StreamContainersResponse;
import dev.berth.cri.v1.StreamImagesResponse;
import dev.berth.cri.v1.StreamPodSandboxStatsResponse;
import dev.berth.cri.v1.StreamPodSandboxesResponse;
import dev.berth.vm.images.VmImages;
import dev.berth.vm.pods.ContainerRelease;
import dev.berth.vm.pods.ContainerReports;
import dev.berth.vm.pods.GuestStart;
import dev.berth.vm.pods.LiveContainer;
import dev.berth.vm.pods.PodGuest;
import dev.berth.vm.pods.PodInventory;
import dev.berth.vm.pods.PodRecovery;
import dev.berth.vm.pods.PodUsage;
import dev.berth.vm.pods.RuntimeParts;
import dev.berth.vm.pods.SandboxTeardown;
import dev.berth.vm.pods.TreeDelivery;
import dev.berth.vm.pods.rules.GuestSizes;
import io.grpc.ServerServiceDefinition;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// The services of CRI v1 for pods in virtual machines. A method that is in no table is answered
/// UNIMPLEMENTED.
public final class CriServices implements AutoCloseable {
  /// How soon a changed volume reaches its guests. The kubelet itself looks once in a minute.
  private static final Duration VOLUME_INTERVAL = Duration.ofSeconds(1);

  private final RuntimeParts parts;
  private final PodInventory inventory;
  private final GuestSizes sizes;
  private final RandomIds ids;
  private final StreamingServer streaming;
  private final RuntimeFacts facts;
  private final Path machines;
  private final FoundPods found;
  private final ContainerReports reports;
  private final GuestStart guests;
  private final TreeDelivery delivery;
  private final EventFollowers<ContainerEventResponse> events;

  /// @param machines the directory with the writable disks of machines, for statistics
  public CriServices(
      RuntimeParts parts,
      PodInventory inventory,
      GuestSizes sizes,
      RandomIds ids,
      StreamingServer streaming,
      RuntimeFacts facts,
      Path machines) {
    this.parts = parts;
    this.inventory = inventory;
    this.sizes = sizes;
    this.ids = ids;
    this.streaming = streaming;
    this.facts = facts;
    this.machines = machines;
    this.found = new FoundPods(inventory);
    this.reports = new ContainerReports(inventory);
    this.guests = new GuestStart(parts, inventory, reports);
    this.delivery = new TreeDelivery(inventory, VOLUME_INTERVAL);
    this.events = new EventFollowers<>(inventory.events()::add, inventory.events()::remove);
  }

  /// Finds the pods of an earlier process, and returns the services to serve.
  public List<ServerServiceDefinition> start() throws IOException {
    new PodRecovery(parts, inventory, guests, reports).run();
    delivery.start();
    VerbTable runtime = new VerbTable(RuntimeServiceGrpc.SERVICE_NAME);
    addRuntime(runtime);
    addSandboxes(runtime);
    addContainers(runtime);
    addStreams(runtime);
    addUsage(runtime);
    return List.of(runtime.build(), images());
  }

  private void addRuntime(VerbTable table) {
    AboutRuntime about = new AboutRuntime(facts, parts.networks());
    table
        .one(RuntimeServiceGrpc.getVersionMethod(), about::version)
        .one(RuntimeServiceGrpc.getStatusMethod(), about::status)
        .one(RuntimeServiceGrpc.getRuntimeConfigMethod(), about::config)
        .one(RuntimeServiceGrpc.getUpdateRuntimeConfigMethod(), about::update)
        // Events before the call are lost: a client lists after it has connected.
        .stream(
            RuntimeServiceGrpc.getGetContainerEventsMethod(),
            (_, answer) -> events.follow(answer, _ -> true));
  }

  private void addSandboxes(VerbTable table) {
    StopSandbox stop = new StopSandbox(found, reports, new SandboxTeardown(parts));
    PodLists lists = new PodLists(found);
    table
        .one(
            RuntimeServiceGrpc.getRunPodSandboxMethod(),
            new RunSandbox(parts, inventory, guests, reports, sizes, ids)::call)
        .one(RuntimeServiceGrpc.getStopPodSandboxMethod(), stop::call)
        .one(RuntimeServiceGrpc.getRemovePodSandboxMethod(), new RemoveSandbox(found, stop)::call)
        .one(RuntimeServiceGrpc.getPodSandboxStatusMethod(), lists::sandbox)
        .one(
            RuntimeServiceGrpc.getListPodSandboxMethod(),
            request ->
                ListPodSandboxResponse.newBuilder()
                    .addAllItems(lists.sandboxes(request.getFilter()))
                    .build())
        .list(
            RuntimeServiceGrpc.getStreamPodSandboxesMethod(),
            request -> lists.sandboxes(request.getFilter()),
            items -> StreamPodSandboxesResponse.newBuilder().addAllPodSandboxes(items).build())
        .one(
            RuntimeServiceGrpc.getUpdatePodSandboxResourcesMethod(),
            new UpdateSandbox(found, sizes)::call);
  }

  private void addContainers(VerbTable table) {
    VmImages images = parts.images();
    ContainerRelease release = new ContainerRelease(inventory, images);
    PodLists lists = new PodLists(found);
    table
        .one(
            RuntimeServiceGrpc.getCreateContainerMethod(),
            new CreateContainer(found, images, release, delivery, ids)::call)
        .one(RuntimeServiceGrpc.getStartContainerMethod(), new StartContainer(found, reports)::call)
        .one(RuntimeServiceGrpc.getStopContainerMethod(), new StopContainer(found, images)::call)
        .one(
            RuntimeServiceGrpc.getRemoveContainerMethod(),
            new RemoveContainer(found, release)::call)
        .one(RuntimeServiceGrpc.getContainerStatusMethod(), lists::container)
        .one(
            RuntimeServiceGrpc.getListContainersMethod(),
            request ->
                ListContainersResponse.newBuilder()
                    .addAllContainers(lists.containers(request.getFilter()))
                    .build())
        .list(
            RuntimeServiceGrpc.getStreamContainersMethod(),
            request -> lists.containers(request.getFilter()),
            items -> StreamContainersResponse.newBuilder().addAllContainers(items).build())
        .one(
            RuntimeServiceGrpc.getUpdateContainerResourcesMethod(),
            new UpdateContainer(found)::call)
        .one(RuntimeServiceGrpc.getReopenContainerLogMethod(), new ReopenLog(found)::call);
  }

  private void addStreams(VerbTable table) {
    RunCommand commands = new RunCommand(found, ids);
    OpenStreams streams = new OpenStreams(found, streaming, new CommandStreams(commands));
    table
        .one(RuntimeServiceGrpc.getExecSyncMethod(), commands::call)
        .one(RuntimeServiceGrpc.getExecMethod(), streams::exec)
        .one(RuntimeServiceGrpc.getAttachMethod(), streams::attach)
        .one(RuntimeServiceGrpc.getPortForwardMethod(), streams::portForward);
  }

  private void addUsage(VerbTable table) {
    UsageVerbs usage =
        new UsageVerbs(
            found, new PodLists(found), new PodUsage(inventory), new UsageMessages(machines));
    table
        .one(RuntimeServiceGrpc.getContainerStatsMethod(), usage::container)
        .one(
            RuntimeServiceGrpc.getListContainerStatsMethod(),
            request ->
                ListContainerStatsResponse.newBuilder()
                    .addAllStats(usage.containers(request.getFilter()))
                    .build())
        .list(
            RuntimeServiceGrpc.getStreamContainerStatsMethod(),
            request -> usage.containers(request.getFilter()),
            items -> StreamContainerStatsResponse.newBuilder().addAllContainerStats(items).build())
        .one(RuntimeServiceGrpc.getPodSandboxStatsMethod(), usage::sandbox)
        .one(
            RuntimeServiceGrpc.getListPodSandboxStatsMethod(),
            request ->
                ListPodSandboxStatsResponse.newBuilder()
                    .addAllStats(usage.sandboxes(request.getFilter()))
                    .build())
        .list(
            RuntimeServiceGrpc.getStreamPodSandboxStatsMethod(),
            request -> usage.sandboxes(request.getFilter()),
            items ->
                StreamPodSandboxStatsResponse.newBuilder().addAllPodSandboxStats(items).build());
  }

  private ServerServiceDefinition images() {
    ImageVerbs images = new ImageVerbs(parts.images(), inventory::now);
    return new VerbTable(ImageServiceGrpc.SERVICE_NAME)
        .one(ImageServiceGrpc.getPullImageMethod(), images::pull)
        .one(ImageServiceGrpc.getImageStatusMethod(), images::status)
        .one(
            ImageServiceGrpc.getListImagesMethod(),
            request ->
                ListImagesResponse.newBuilder()
                    .addAllImages(images.list(request.getFilter()))
                    .build())
        .list(
            ImageServiceGrpc.getStreamImagesMethod(),
            request -> images.list(request.getFilter()),
            items -> StreamImagesResponse.newBuilder().addAllImages(items).build())
        .one(ImageServiceGrpc.getRemoveImageMethod(), images::remove)
        .one(ImageServiceGrpc.getImageFsInfoMethod(), images::usage)
        .build();
  }

  /// Ends the connections to guests, which go on, and the streams of events.
  @Override
  public void close() {
    delivery.close();
    events.end();
    inventory
        .pods("")
        .forEach(
            pod -> {
              pod.guest().ifPresent(PodGuest::close);
              pod.containers().forEach(LiveContainer::closeOutput);
            });
  }
}
