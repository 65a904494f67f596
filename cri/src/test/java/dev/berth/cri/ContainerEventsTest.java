package dev.berth.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.berth.cri.containerd.Envelope;
import dev.berth.cri.containerd.EventsGrpc;
import dev.berth.cri.containerd.SubscribeRequest;
import dev.berth.cri.containerd.TaskExit;
import dev.berth.cri.v1.ContainerEventResponse;
import dev.berth.cri.v1.ContainerEventType;
import dev.berth.cri.v1.ContainerStatus;
import dev.berth.cri.v1.GetEventsRequest;
import dev.berth.cri.v1.PodSandboxMetadata;
import dev.berth.cri.v1.PodSandboxState;
import dev.berth.cri.v1.PodSandboxStatus;
import dev.berth.cri.v1.RuntimeServiceGrpc;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ContainerEventsTest {
  private static final PodSandboxMetadata POD =
      PodSandboxMetadata.newBuilder()
          .setName("web")
          .setUid("0d8f1f0e-6f0e-4f6e-9a27-3c9b60c9c0a1")
          .setNamespace("default")
          .setAttempt(2)
          .build();

  private final Services services = new Services();

  @AfterEach
  void close() {
    services.close();
  }

  @Test
  void eventsArriveUntilTheServiceEndsTheStream() {
    var fake = new FakeEvents();
    fake.last = event("b");
    RuntimeClient runtime = services.inProcess(fake).runtime();
    var seen = new ArrayList<String>();

    assertThat(runtime.followContainerEvents(event -> seen.add(event.containerId()))).isTrue();
    assertThat(seen).containsExactly("a", "b");
  }

  @Test
  void aServiceWithoutEventsIsNotAFailure() {
    RuntimeClient runtime = services.inProcess(new FakeRuntime()).runtime();

    assertThat(runtime.followContainerEvents(_ -> {})).isFalse();
  }

  @Test
  void theReaderLearnsThatTheStreamIsOpenBeforeAnythingHappens() throws Exception {
    var fake = new FakeEvents();
    fake.quiet = true;
    RuntimeClient runtime = services.inProcess(fake).runtime();
    var opened = new CountDownLatch(1);
    var failure = new AtomicReference<CriException>();

    Thread reader =
        Thread.startVirtualThread(
            () -> {
              try {
                runtime.followContainerEvents(
                    new EventReceiver<>() {
                      @Override
                      public void accept(ContainerEvent event) {}

                      @Override
                      public void opened() {
                        opened.countDown();
                      }
                    });
              } catch (CriException e) {
                failure.set(e);
              }
            });
    opened.await();
    reader.interrupt();
    reader.join();

    assertThat(failure.get().isCancelled()).isTrue();
    fake.cancelled.await();
  }

  @Test
  void aReaderThatFailsEndsTheStreamAtTheServiceToo() throws Exception {
    var fake = new FakeEvents();
    RuntimeClient runtime = services.inProcess(fake).runtime();

    assertThatThrownBy(
            () ->
                runtime.followContainerEvents(
                    _ -> {
                      throw new IllegalStateException("no more");
                    }))
        .isInstanceOf(IllegalStateException.class);
    fake.cancelled.await();
  }

  @Test
  void containersThatEndAreToldByContainerdAndItsExecsAreNot() {
    RuntimeClient runtime = services.inProcess(new FakeContainerd()).runtime();
    var ended = new ArrayList<String>();

    assertThat(runtime.followExits(ended::add)).isTrue();
    assertThat(ended).containsExactly("a");
  }

  @Test
  void aServiceThatIsNotContainerdTellsOfNoExits() {
    RuntimeClient runtime = services.inProcess(new FakeRuntime()).runtime();

    assertThat(runtime.followExits(_ -> {})).isFalse();
  }

  @Test
  void anEventOfTodayIsRead() {
    var status =
        PodSandboxStatus.newBuilder()
            .setId("sandbox-1")
            .setMetadata(POD)
            .setState(PodSandboxState.SANDBOX_NOTREADY)
            .setCreatedAt(5)
            .build();
    ContainerEventResponse sent =
        event("c").toBuilder()
            .setPodSandboxStatus(status)
            .addContainersStatuses(ContainerStatus.newBuilder().setId("c"))
            .build();

    ContainerEvent event = parse(sent.toByteString());

    assertThat(event.type()).isEqualTo(ContainerEventType.CONTAINER_STOPPED_EVENT);
    assertThat(event.createdAt()).isEqualTo(Instant.ofEpochSecond(1_700_000_000, 7));
    assertThat(event.pod()).isEqualTo(POD);
    assertThat(event.sandbox()).isEqualTo(status);
    assertThat(event.containers()).hasSize(1);
  }

  @Test
  void anEventOf1_25TellsThePodAndNoSandbox() {
    ContainerEvent event = parse(withField4(event("c"), POD.toByteString()));

    assertThat(event.containerId()).isEqualTo("c");
    assertThat(event.pod()).isEqualTo(POD);
    assertThat(event.sandbox()).isNull();
    assertThat(event.containers()).isEmpty();
  }

  @Test
  void anEventOfALaterVersionKeepsItsSandbox() {
    var status = PodSandboxStatus.newBuilder().setId("s").setMetadata(POD).setCreatedAt(5).build();
    UnknownFieldSet later =
        UnknownFieldSet.newBuilder()
            .mergeVarintField(99, 1)
            .mergeFrom(UnknownFieldSet.newBuilder().build())
            .build();
    ByteString bytes = status.toByteString().concat(later.toByteString());

    ContainerEvent event = parse(withField4(event("c"), bytes));

    assertThat(event.sandbox()).isNotNull();
    assertThat(event.pod()).isEqualTo(POD);
  }

  private static ContainerEvent parse(ByteString bytes) {
    return new ContainerEventMarshaller().parse(new ByteArrayInputStream(bytes.toByteArray()));
  }

  private static ByteString withField4(ContainerEventResponse event, ByteString content) {
    var field = UnknownFieldSet.Field.newBuilder().addLengthDelimited(content).build();
    return event
        .toByteString()
        .concat(UnknownFieldSet.newBuilder().addField(4, field).build().toByteString());
  }

  private static ContainerEventResponse event(String container) {
    return ContainerEventResponse.newBuilder()
        .setContainerId(container)
        .setContainerEventType(ContainerEventType.CONTAINER_STOPPED_EVENT)
        .setCreatedAt(1_700_000_000_000_000_007L)
        .build();
  }

  private static final class FakeContainerd extends EventsGrpc.EventsImplBase {
    @Override
    public void subscribe(SubscribeRequest request, StreamObserver<Envelope> events) {
      events.onNext(exit("a", "exec-1"));
      events.onNext(exit("a", "a"));
      events.onCompleted();
    }

    private static Envelope exit(String container, String process) {
      TaskExit exit = TaskExit.newBuilder().setContainerId(container).setId(process).build();
      return Envelope.newBuilder()
          .setTopic("/tasks/exit")
          .setEvent(Any.newBuilder().setValue(exit.toByteString()))
          .build();
    }
  }

  private static final class FakeEvents extends RuntimeServiceGrpc.RuntimeServiceImplBase {
    final CountDownLatch cancelled = new CountDownLatch(1);
    volatile boolean quiet;
    volatile ContainerEventResponse last = ContainerEventResponse.getDefaultInstance();

    @Override
    public void getContainerEvents(
        GetEventsRequest request, StreamObserver<ContainerEventResponse> events) {
      ((ServerCallStreamObserver<ContainerEventResponse>) events)
          .setOnCancelHandler(cancelled::countDown);
      if (!quiet) {
        events.onNext(event("a"));
      }
      if (last.getContainerId().isEmpty()) {
        return;
      }
      List.of(last).forEach(events::onNext);
      events.onCompleted();
    }
  }
}
