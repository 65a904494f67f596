package dev.berth.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cri.CriEndpoint.UnixSocket;
import dev.berth.cri.v1.Container;
import dev.berth.cri.v1.ContainerFilter;
import dev.berth.cri.v1.ListContainersRequest;
import dev.berth.cri.v1.ListContainersResponse;
import dev.berth.cri.v1.PodSandbox;
import dev.berth.cri.v1.PodSandboxFilter;
import dev.berth.cri.v1.StreamPodSandboxesRequest;
import dev.berth.cri.v1.StreamPodSandboxesResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LimitsIT {
  private static final int MEBIBYTE = 1024 * 1024;

  @TempDir private Path directory;
  private final Services services = new Services();
  private final LargeRuntime large = new LargeRuntime();
  private RuntimeClient runtime;

  @BeforeEach
  void open() {
    var endpoint = new UnixSocket(directory.resolve("large.sock"));
    services.serve(endpoint, large);
    runtime = services.connect("large", endpoint).runtime();
  }

  @AfterEach
  void close() {
    services.close();
  }

  @Test
  void aReplyOfFifteenMebibytesIsRead() {
    large.containers = 15;

    assertThat(runtime.listContainers(ContainerFilter.getDefaultInstance())).hasSize(15);
  }

  @Test
  void aReplyOfMoreThanSixteenMebibytesIsRefusedAndTheConnectionLives() {
    large.containers = 17;

    assertThatThrownBy(() -> runtime.listContainers(ContainerFilter.getDefaultInstance()))
        .isInstanceOfSatisfying(
            CriException.class,
            e -> assertThat(e.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED));
    assertThat(runtime.version().getVersion()).isNotEmpty();
  }

  @Test
  void withinAProcessTheLimitIsTheSame() {
    RuntimeClient near = services.inProcess(large).runtime();
    large.containers = 15;
    assertThat(near.listContainers(ContainerFilter.getDefaultInstance())).hasSize(15);

    large.containers = 17;
    assertThatThrownBy(() -> near.listContainers(ContainerFilter.getDefaultInstance()))
        .isInstanceOfSatisfying(
            CriException.class,
            e -> {
              assertThat(e.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
              assertThat(e.reason()).startsWith("gRPC message exceeds maximum size 16777216: 178");
            });
    assertThat(near.listPodSandboxes(PodSandboxFilter.getDefaultInstance())).hasSize(40);
  }

  @Test
  void aListInPartsHasNoLimit() {
    assertThat(runtime.listPodSandboxes(PodSandboxFilter.getDefaultInstance())).hasSize(40);
  }

  @Test
  void aLongReasonIsReceivedAndCut() {
    large.failure = Status.UNKNOWN.withDescription("x".repeat(100_000));

    assertThatThrownBy(() -> runtime.version())
        .isInstanceOfSatisfying(
            CriException.class,
            e -> {
              assertThat(e.code()).isEqualTo(Status.Code.UNKNOWN);
              assertThat(e.reason()).startsWith("xxx").hasSize(4096);
            });
  }

  private static final class LargeRuntime extends FakeRuntime {
    private volatile int containers;

    @Override
    public void listContainers(
        ListContainersRequest request, StreamObserver<ListContainersResponse> replies) {
      var reply = ListContainersResponse.newBuilder();
      for (int i = 0; i < containers; i++) {
        reply.addContainers(Container.newBuilder().setId("x".repeat(MEBIBYTE)));
      }
      replies.onNext(reply.build());
      replies.onCompleted();
    }

    @Override
    public void streamPodSandboxes(
        StreamPodSandboxesRequest request, StreamObserver<StreamPodSandboxesResponse> replies) {
      var sandbox = PodSandbox.newBuilder().setId("x".repeat(MEBIBYTE));
      var part = StreamPodSandboxesResponse.newBuilder().addPodSandboxes(sandbox).build();
      for (int i = 0; i < 40; i++) {
        replies.onNext(part);
      }
      replies.onCompleted();
    }
  }
}
