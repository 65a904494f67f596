package dev.berth.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cri.CriEndpoint.InProcess;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.PodSandboxFilter;
import io.grpc.ConnectivityState;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class CriV1alpha2Test {
  private final Services services = new Services();
  private final FakeRuntime old = new FakeRuntime();
  private final FakeRuntime recent = new FakeRuntime();
  private final CriEndpoint endpoint = new InProcess(UUID.randomUUID().toString());

  CriV1alpha2Test() {
    old.apiVersion = "v1alpha2";
  }

  @AfterEach
  void close() {
    services.close();
  }

  @Test
  void aServiceThatHasOnlyTheOlderNameIsUsedUnderIt() {
    services.serve(endpoint, onlyOld());
    CriConnection connection = services.connect("old", endpoint);

    assertThat(connection.runtime().version().getRuntimeApiVersion()).isEqualTo("v1alpha2");
    assertThat(connection.apiVersion()).isEqualTo("v1alpha2");
    assertThat(connection.runtime().runPodSandbox(PodSandboxConfig.getDefaultInstance(), "runc"))
        .isEqualTo("sandbox-1");
    assertThat(connection.runtime().listPodSandboxes(PodSandboxFilter.getDefaultInstance()))
        .hasSize(1);
  }

  @Test
  void anyCallFindsOut() {
    services.serve(endpoint, onlyOld());
    CriConnection connection = services.connect("old", endpoint);

    assertThat(connection.runtime().listPodSandboxes(PodSandboxFilter.getDefaultInstance()))
        .hasSize(1);
    assertThat(connection.apiVersion()).isEqualTo("v1alpha2");
  }

  @Test
  void theOlderNameHasNoEvents() {
    services.serve(endpoint, onlyOld());
    RuntimeClient runtime = services.connect("old", endpoint).runtime();
    runtime.version();

    assertThat(runtime.followContainerEvents(_ -> {})).isFalse();
  }

  @Test
  void aServiceOfBothIsUsedUnderTheNewerName() {
    services.serve(endpoint, List.of(recent.bindService(), CriV1alpha2.of(old.bindService())));
    CriConnection connection = services.connect("both", endpoint);

    assertThat(connection.runtime().version().getRuntimeApiVersion()).isEqualTo("v1");
  }

  @Test
  void aServiceOfNeitherSaysSoInTermsOfTheNewerName() {
    services.serve(endpoint, List.of());
    CriConnection connection = services.connect("neither", endpoint);

    assertThatThrownBy(() -> connection.runtime().version())
        .isInstanceOfSatisfying(CriException.class, e -> assertThat(e.isUnimplemented()).isTrue())
        .hasMessageContaining("runtime.v1.RuntimeService/Version");
  }

  @Test
  void failuresUnderTheOlderNameAreTold() {
    old.failure = Status.NOT_FOUND.withDescription("no such handler");
    services.serve(endpoint, onlyOld());
    RuntimeClient runtime = services.connect("old", endpoint).runtime();

    assertThatThrownBy(() -> runtime.runPodSandbox(PodSandboxConfig.getDefaultInstance(), "x"))
        .hasMessageContaining("NOT_FOUND: no such handler");
  }

  @Test
  void anUpdatedServiceIsUsedUnderTheNewerNameAfterItsRestart() {
    CriServer before = services.serve(endpoint, onlyOld());
    CriConnection connection = services.connect("updated", endpoint);
    connection.runtime().version();
    assertThat(connection.apiVersion()).isEqualTo("v1alpha2");

    before.stopNow();
    Await.until("the loss is seen", () -> connection.state() != ConnectivityState.READY);
    services.serve(endpoint, recent);
    Await.until("the loss is counted", () -> connection.apiVersion().equals("v1"));
    connection.connect();
    Await.until("it is back", () -> connection.state() == ConnectivityState.READY);

    assertThat(connection.runtime().version().getRuntimeApiVersion()).isEqualTo("v1");
  }

  private List<ServerServiceDefinition> onlyOld() {
    return List.of(CriV1alpha2.of(old.bindService()));
  }
}
