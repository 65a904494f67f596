package dev.berth.checks.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cri.v1.ContainerState;
import dev.berth.cri.v1.LinuxSandboxSecurityContext;
import dev.berth.cri.v1.ListContainersRequest;
import dev.berth.cri.v1.ListPodSandboxRequest;
import dev.berth.cri.v1.NamespaceMode;
import dev.berth.cri.v1.NamespaceOption;
import dev.berth.cri.v1.PodSandbox;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.PodSandboxFilter;
import dev.berth.cri.v1.PodSandboxState;
import dev.berth.cri.v1.PodSandboxStateValue;
import dev.berth.cri.v1.PodSandboxStatus;
import dev.berth.cri.v1.PodSandboxStatusRequest;
import dev.berth.cri.v1.RemovePodSandboxRequest;
import dev.berth.cri.v1.RunPodSandboxRequest;
import dev.berth.cri.v1.StopPodSandboxRequest;
import io.grpc.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What happens to sandboxes.
interface SandboxContract extends RuntimeUnderTest {
  @Test
  default void aSandboxIsReadyAndShowsHowItWasMade() {
    PodSandboxConfig pod = cri().pod("shown");
    String id =
        cri()
            .runtime()
            .runPodSandbox(
                RunPodSandboxRequest.newBuilder()
                    .setConfig(pod)
                    .setRuntimeHandler(handler())
                    .build())
            .getPodSandboxId();

    assertThat(id).matches("[0-9a-f]{64}");
    PodSandboxStatus status = status(id);
    assertThat(status.getId()).isEqualTo(id);
    assertThat(status.getMetadata()).isEqualTo(pod.getMetadata());
    assertThat(status.getState()).isEqualTo(PodSandboxState.SANDBOX_READY);
    assertThat(status.getCreatedAt()).isPositive();
    assertThat(status.getNetwork().getIp()).matches("10\\.[0-9]+\\.[0-9]+\\.[0-9]+");
    assertThat(status.getLabelsMap()).isEqualTo(pod.getLabelsMap());
    assertThat(status.getAnnotationsMap()).isEqualTo(pod.getAnnotationsMap());
    assertThat(status.getRuntimeHandler()).isEqualTo(handler());
    assertThat(status.getLinux().hasNamespaces()).isTrue();
    PodSandbox item = list(PodSandboxFilter.getDefaultInstance()).getFirst();
    assertThat(item.getMetadata()).isEqualTo(pod.getMetadata());
    assertThat(item.getRuntimeHandler()).isEqualTo(handler());
    assertThat(item.getCreatedAt()).isEqualTo(status.getCreatedAt());
  }

  @Test
  default void withoutAHandlerTheDefaultIsUsedAndNotNamed() {
    assertThat(status(cri().run(cri().pod("default"))).getRuntimeHandler()).isEmpty();
  }

  @Test
  default void theBeginningOfAnIdIsEnough() {
    String id = cri().run(cri().pod("prefix"));

    assertThat(status(id.substring(0, 10)).getId()).isEqualTo(id);
    assertThat(list(PodSandboxFilter.newBuilder().setId(id.substring(0, 10)).build())).hasSize(1);
    assertThat(list(PodSandboxFilter.newBuilder().setId("nope").build())).isEmpty();
  }

  @Test
  default void aListIsFilteredByStateAndLabels() {
    String ready = cri().run(cri().pod("ready"));
    String stopped = cri().run(cri().pod("stopped"));
    stop(stopped);

    assertThat(ids(state(PodSandboxState.SANDBOX_READY))).containsExactly(ready);
    assertThat(ids(state(PodSandboxState.SANDBOX_NOTREADY))).containsExactly(stopped);
    assertThat(ids(PodSandboxFilter.newBuilder().putLabelSelector("app", "ready").build()))
        .containsExactly(ready);
    assertThat(ids(PodSandboxFilter.newBuilder().putLabelSelector("app", "none").build()))
        .isEmpty();
  }

  @Test
  default void aNameIsTakenUntilItsSandboxIsRemoved() {
    String id = cri().run(cri().pod("twice"));
    String name = "twice_contract_uid-twice_0";

    Cri.refused(
        () -> cri().run(cri().pod("twice")),
        Status.Code.UNKNOWN,
        "failed to reserve sandbox name \"%s\": name \"%s\" is reserved for \"%s\""
            .formatted(name, name, id));
    stop(id);
    Cri.refused(() -> cri().run(cri().pod("twice")), Status.Code.UNKNOWN, "failed to reserve .*");
    remove(id);
    cri().run(cri().pod("twice"));
  }

  @Test
  default void anUnknownHandlerIsRefusedAndLeavesNothing() {
    Cri.refused(
        () ->
            cri()
                .runtime()
                .runPodSandbox(
                    RunPodSandboxRequest.newBuilder()
                        .setConfig(cri().pod("handler"))
                        .setRuntimeHandler("nope")
                        .build()),
        Status.Code.UNKNOWN,
        "failed to get sandbox runtime: no runtime for \"nope\" is configured");

    assertThat(list(PodSandboxFilter.getDefaultInstance())).isEmpty();
    cri().run(cri().pod("handler"));
  }

  @Test
  default void aStoppedSandboxHasNoAddressAndNothingRunsInIt() {
    PodSandboxConfig pod = cri().pod("stop");
    String id = cri().run(pod);
    String container = cri().create(id, pod, Cri.container("main", "sleep", "1000"));
    cri().start(container);

    stop(id);
    stop(id);

    PodSandboxStatus status = status(id);
    assertThat(status.getState()).isEqualTo(PodSandboxState.SANDBOX_NOTREADY);
    assertThat(status.getNetwork().getIp()).isEmpty();
    assertThat(cri().status(container).getState()).isEqualTo(ContainerState.CONTAINER_EXITED);
    assertThat(cri().status(container).getExitCode()).isEqualTo(137);
    Cri.refused(
        () -> cri().create(id, pod, Cri.container("late", "true")),
        Status.Code.NOT_FOUND,
        "failed to get sandbox container task: no running task found: task %s not found: not found"
            .formatted(id));
  }

  @Test
  default void removingASandboxStopsItFirst() {
    PodSandboxConfig pod = cri().pod("remove");
    String id = cri().run(pod);
    cri().start(cri().create(id, pod, Cri.container("main", "sleep", "1000")));

    remove(id);
    remove(id);

    Cri.refused(
        () -> status(id),
        Status.Code.NOT_FOUND,
        "an error occurred when try to find sandbox: not found");
    assertThat(
            cri()
                .runtime()
                .listContainers(ListContainersRequest.getDefaultInstance())
                .getContainersList())
        .isEmpty();
  }

  @Test
  default void aPodOnTheHostsNetworkHasNoAddressOfItsOwn() {
    PodSandboxConfig.Builder pod = cri().pod("host").toBuilder();
    pod.getLinuxBuilder()
        .setSecurityContext(
            LinuxSandboxSecurityContext.newBuilder()
                .setNamespaceOptions(NamespaceOption.newBuilder().setNetwork(NamespaceMode.NODE)));

    PodSandboxStatus status = status(cri().run(pod.clearHostname().build()));

    assertThat(status.getNetwork().getIp()).isEmpty();
    assertThat(status.getLinux().getNamespaces().getOptions().getNetwork())
        .isEqualTo(NamespaceMode.NODE);
  }

  @Test
  default void moreIsToldWhenAskedTo() {
    String id = cri().run(cri().pod("verbose"));

    assertThat(
            cri()
                .runtime()
                .podSandboxStatus(
                    PodSandboxStatusRequest.newBuilder()
                        .setPodSandboxId(id)
                        .setVerbose(true)
                        .build())
                .getInfoMap())
        .containsOnlyKeys("info");
  }

  private PodSandboxStatus status(String id) {
    return cri()
        .runtime()
        .podSandboxStatus(PodSandboxStatusRequest.newBuilder().setPodSandboxId(id).build())
        .getStatus();
  }

  private List<PodSandbox> list(PodSandboxFilter filter) {
    return cri()
        .runtime()
        .listPodSandbox(ListPodSandboxRequest.newBuilder().setFilter(filter).build())
        .getItemsList();
  }

  private List<String> ids(PodSandboxFilter filter) {
    return list(filter).stream().map(PodSandbox::getId).toList();
  }

  private static PodSandboxFilter state(PodSandboxState state) {
    return PodSandboxFilter.newBuilder()
        .setState(PodSandboxStateValue.newBuilder().setState(state))
        .build();
  }

  private void stop(String id) {
    cri().runtime().stopPodSandbox(StopPodSandboxRequest.newBuilder().setPodSandboxId(id).build());
  }

  private void remove(String id) {
    cri()
        .runtime()
        .removePodSandbox(RemovePodSandboxRequest.newBuilder().setPodSandboxId(id).build());
  }
}
