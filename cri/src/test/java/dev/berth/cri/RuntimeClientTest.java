package dev.berth.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.cri.v1.AttachRequest;
import dev.berth.cri.v1.ContainerFilter;
import dev.berth.cri.v1.ExecRequest;
import dev.berth.cri.v1.PodSandbox;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.PodSandboxFilter;
import dev.berth.cri.v1.PodSandboxMetadata;
import dev.berth.cri.v1.PodSandboxStatus;
import dev.berth.cri.v1.PodSandboxStatusRequest;
import dev.berth.cri.v1.PodSandboxStatusResponse;
import dev.berth.cri.v1.PortForwardRequest;
import dev.berth.cri.v1.RemovePodSandboxRequest;
import dev.berth.cri.v1.RemovePodSandboxResponse;
import dev.berth.cri.v1.StreamPodSandboxesRequest;
import dev.berth.cri.v1.StreamPodSandboxesResponse;
import dev.berth.cri.v1.VersionRequest;
import dev.berth.cri.v1.VersionResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class RuntimeClientTest {
  private final Services services = new Services();
  private final FakeRuntime fake = new FakeRuntime();

  @AfterEach
  void close() {
    services.close();
  }

  @Test
  void aCallIsAnswered() {
    CriConnection connection = services.inProcess(fake);

    assertThat(connection.runtime().version().getRuntimeName()).isEqualTo("fake");
    assertThat(connection.runtime().runPodSandbox(PodSandboxConfig.getDefaultInstance(), ""))
        .isEqualTo("sandbox-1");
    assertThat(connection.apiVersion()).isEqualTo("v1");
  }

  @Test
  void eachCallGetsTheTimeThatTheKubeletGivesIt() {
    RuntimeClient runtime = services.inProcess(fake).runtime();

    runtime.version();
    assertSecondsLeft(120);
    runtime.runPodSandbox(PodSandboxConfig.getDefaultInstance(), "");
    assertSecondsLeft(240);
    runtime.stopContainer("c", Duration.ofSeconds(30));
    assertSecondsLeft(150);
    runtime.stopContainer("c", Duration.ofSeconds(Long.MAX_VALUE));
    assertSecondsLeft(120 + 365 * 24 * 3600);
    runtime.execSync("c", List.of("true"), Duration.ofSeconds(60));
    assertSecondsLeft(180);
    runtime.execSync("c", List.of("true"), Duration.ZERO);
    assertThat(fake.secondsLeft).isEqualTo(-1);
  }

  @Test
  void aUrlIsNotWaitedForAsLong() {
    RuntimeClient runtime = services.inProcess(fake).runtime();

    runtime.exec(ExecRequest.getDefaultInstance());
    assertSecondsLeft(10);
    runtime.attach(AttachRequest.getDefaultInstance());
    assertSecondsLeft(10);
    runtime.portForward(PortForwardRequest.getDefaultInstance());
    assertSecondsLeft(10);
  }

  @Test
  void aFailureNamesServiceCallCodeAndReason() {
    fake.failure = Status.UNKNOWN.withDescription("sandbox config must include metadata");
    RuntimeClient runtime = services.inProcess(fake).runtime();

    var failure =
        catchThrowableOfType(
            CriException.class,
            () -> runtime.runPodSandbox(PodSandboxConfig.getDefaultInstance(), ""));

    assertThat(failure)
        .hasMessage(
            "runtime service sim: RunPodSandbox: UNKNOWN: sandbox config must include metadata");
    assertThat(failure.code()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(failure.method()).isEqualTo("RunPodSandbox");
    assertThat(failure.service()).isEqualTo("sim");
    assertThat(failure.rpcError())
        .isEqualTo("rpc error: code = Unknown desc = sandbox config must include metadata");
    assertThat(failure.problem())
        .hasToString(
            "runtime service sim failed in RunPodSandbox: UNKNOWN: sandbox config must include"
                + " metadata");
  }

  @Test
  void whatIsNotThereIsStoppedAndRemoved() {
    fake.failure = Status.NOT_FOUND;
    RuntimeClient runtime =
        services
            .inProcess(
                new FakeRuntime() {
                  @Override
                  public void removePodSandbox(
                      RemovePodSandboxRequest request,
                      StreamObserver<RemovePodSandboxResponse> replies) {
                    replies.onError(Status.NOT_FOUND.asRuntimeException());
                  }
                })
            .runtime();

    runtime.removePodSandbox("gone");
    services.inProcess(fake).runtime().stopContainer("gone", Duration.ZERO);
  }

  @Test
  void whatIsNotThereCannotBeAskedAbout() {
    fake.failure = Status.NOT_FOUND.withDescription("no such container");
    RuntimeClient runtime = services.inProcess(fake).runtime();

    assertThatThrownBy(() -> runtime.execSync("gone", List.of(), Duration.ZERO))
        .isInstanceOfSatisfying(
            CriException.class,
            e -> {
              assertThat(e.isNotFound()).isTrue();
              assertThat(e.rpcError())
                  .isEqualTo("rpc error: code = NotFound desc = no such container");
            });
  }

  @Test
  void anIncompleteVersionIsRefused() {
    RuntimeClient runtime =
        services
            .inProcess(
                new FakeRuntime() {
                  @Override
                  public void version(
                      VersionRequest request, StreamObserver<VersionResponse> replies) {
                    replies.onNext(VersionResponse.newBuilder().setVersion("0.1.0").build());
                    replies.onCompleted();
                  }
                })
            .runtime();

    assertThatThrownBy(runtime::version)
        .hasMessage(
            "runtime service sim: Version: INTERNAL: the reply is incomplete, it lacks"
                + " runtime_name");
  }

  @Test
  void aSandboxWithoutItsPodIsRefused() {
    var metadata = PodSandboxMetadata.newBuilder().setName("web").setNamespace("default");
    var status = PodSandboxStatus.newBuilder().setId("s").setMetadata(metadata).setCreatedAt(1);
    RuntimeClient runtime =
        services
            .inProcess(
                new FakeRuntime() {
                  @Override
                  public void podSandboxStatus(
                      PodSandboxStatusRequest request,
                      StreamObserver<PodSandboxStatusResponse> replies) {
                    replies.onNext(PodSandboxStatusResponse.newBuilder().setStatus(status).build());
                    replies.onCompleted();
                  }
                })
            .runtime();

    assertThatThrownBy(() -> runtime.podSandboxStatus("s", false))
        .hasMessageContaining("it lacks status.metadata.uid");
    metadata.setUid("u");
    status.setMetadata(metadata);
    assertThat(runtime.podSandboxStatus("s", false).getStatus().getId()).isEqualTo("s");
  }

  @Test
  void aListComesInPartsWhereTheServiceCanDoThat() {
    RuntimeClient runtime =
        services
            .inProcess(
                new FakeRuntime() {
                  @Override
                  public void streamPodSandboxes(
                      StreamPodSandboxesRequest request,
                      StreamObserver<StreamPodSandboxesResponse> replies) {
                    replies.onNext(part("a", "b"));
                    replies.onNext(part("c"));
                    replies.onCompleted();
                  }
                })
            .runtime();

    assertThat(runtime.listPodSandboxes(PodSandboxFilter.getDefaultInstance()))
        .extracting(PodSandbox::getId)
        .containsExactly("a", "b", "c");
  }

  @Test
  void aListThatBreaksOffIsAFailureAndNotAShorterList() {
    RuntimeClient runtime =
        services
            .inProcess(
                new FakeRuntime() {
                  @Override
                  public void streamPodSandboxes(
                      StreamPodSandboxesRequest request,
                      StreamObserver<StreamPodSandboxesResponse> replies) {
                    replies.onNext(part("a"));
                    replies.onError(Status.UNAVAILABLE.asRuntimeException());
                  }
                })
            .runtime();

    assertThatThrownBy(() -> runtime.listPodSandboxes(PodSandboxFilter.getDefaultInstance()))
        .isInstanceOfSatisfying(CriException.class, e -> assertThat(e.isUnavailable()).isTrue());
  }

  @Test
  void anOlderServiceIsAskedForPartsOnlyOnce() {
    var asked = new AtomicInteger();
    RuntimeClient runtime =
        services
            .inProcess(
                new FakeRuntime() {
                  @Override
                  public void streamPodSandboxes(
                      StreamPodSandboxesRequest request,
                      StreamObserver<StreamPodSandboxesResponse> replies) {
                    asked.incrementAndGet();
                    super.streamPodSandboxes(request, replies);
                  }
                })
            .runtime();

    for (int i = 0; i < 3; i++) {
      assertThat(runtime.listPodSandboxes(PodSandboxFilter.getDefaultInstance())).hasSize(1);
    }
    assertThat(asked).hasValue(1);
  }

  @Test
  void whatAServiceCannotDoAtAllIsSaidSo() {
    RuntimeClient runtime = services.inProcess(fake).runtime();

    assertThatThrownBy(() -> runtime.listContainers(ContainerFilter.getDefaultInstance()))
        .isInstanceOfSatisfying(CriException.class, e -> assertThat(e.isUnimplemented()).isTrue());
  }

  /// A busy machine may take a while from the caller to the service.
  private void assertSecondsLeft(long expected) {
    assertThat(fake.secondsLeft).isBetween(expected - 20, expected);
  }

  private static StreamPodSandboxesResponse part(String... ids) {
    var part = StreamPodSandboxesResponse.newBuilder();
    for (String id : ids) {
      part.addPodSandboxes(PodSandbox.newBuilder().setId(id));
    }
    return part.build();
  }
}
