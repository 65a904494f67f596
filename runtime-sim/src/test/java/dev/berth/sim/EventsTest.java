package dev.berth.sim;

import static dev.berth.sim.TestService.container;
import static dev.berth.sim.TestService.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cri.ContainerEvent;
import dev.berth.cri.CriException;
import dev.berth.cri.EventReceiver;
import dev.berth.cri.v1.ContainerEventType;
import dev.berth.cri.v1.ContainerState;
import dev.berth.cri.v1.ContainerStatus;
import dev.berth.cri.v1.PodSandboxState;
import dev.berth.sim.profile.ContractCompatibility;
import dev.berth.sim.profile.SimProfile;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class EventsTest {
  @Test
  void everyStepOfAPodIsTold() throws Exception {
    try (TestService service = new TestService("linux/amd64")) {
      Listener listener = new Listener(service);
      listener.opened.await();

      String id = service.start(pod("a"), container("main", "sleep", "5"));
      service.time.advance(Duration.ofSeconds(5));
      String sandbox =
          service
              .runtime()
              .listPodSandboxes(dev.berth.cri.v1.PodSandboxFilter.getDefaultInstance())
              .getFirst()
              .getId();
      service.runtime().removePodSandbox(sandbox);

      Await.until("all events are there", () -> listener.events.size() == 8);
      assertThat(listener.events)
          .extracting(ContainerEvent::containerId)
          .containsExactly(sandbox, sandbox, id, id, id, sandbox, id, sandbox);
      assertThat(listener.events)
          .extracting(ContainerEvent::type)
          .containsExactly(
              ContainerEventType.CONTAINER_CREATED_EVENT,
              ContainerEventType.CONTAINER_STARTED_EVENT,
              ContainerEventType.CONTAINER_CREATED_EVENT,
              ContainerEventType.CONTAINER_STARTED_EVENT,
              ContainerEventType.CONTAINER_STOPPED_EVENT,
              ContainerEventType.CONTAINER_STOPPED_EVENT,
              ContainerEventType.CONTAINER_DELETED_EVENT,
              ContainerEventType.CONTAINER_DELETED_EVENT);

      service.simulator().setEvents(false);
      assertThat(listener.ended.join()).isEqualTo("events were turned off");
      assertThat(service.runtime().followContainerEvents(new Ignored())).isFalse();
    }
  }

  @Test
  void anEventShowsThePodAsItIsThen() throws Exception {
    try (TestService service = new TestService("linux/amd64")) {
      Listener listener = new Listener(service);
      listener.opened.await();

      String id = service.start(pod("a"), container("main", "sleep", "5"));
      Instant started = service.time.now();
      service.time.advance(Duration.ofSeconds(5));
      Await.until("it ended", () -> listener.events.size() == 5);

      ContainerEvent running = listener.events.get(3);
      assertThat(running.createdAt()).isEqualTo(started);
      assertThat(running.pod().getName()).isEqualTo("a");
      assertThat(Objects.requireNonNull(running.sandbox()).getState())
          .isEqualTo(PodSandboxState.SANDBOX_READY);
      assertThat(running.containers())
          .singleElement()
          .satisfies(
              status -> {
                assertThat(status.getId()).isEqualTo(id);
                assertThat(status.getState()).isEqualTo(ContainerState.CONTAINER_RUNNING);
              });
      ContainerEvent ended = listener.events.get(4);
      assertThat(ended.createdAt()).isEqualTo(started.plusSeconds(5));
      assertThat(ended.containers())
          .extracting(ContainerStatus::getState)
          .containsExactly(ContainerState.CONTAINER_EXITED);
    }
  }

  @Test
  void whoComesLaterHearsWhatHappensFromThenOn() throws Exception {
    try (TestService service = new TestService("linux/amd64")) {
      Listener first = new Listener(service);
      first.opened.await();
      service.start(pod("a"), container("main", "sleep", "1000"));
      Await.until("the first is told", () -> first.events.size() == 4);
      Listener second = new Listener(service);
      second.opened.await();

      service.start(pod("b"), container("main", "sleep", "1000"));

      Await.until("both are told", () -> first.events.size() == 8 && second.events.size() == 4);
      assertThat(second.events).isEqualTo(first.events.subList(4, 8));
    }
  }

  @Test
  void anOldRuntimeHasNone() {
    SimProfile profile = SimProfile.named("linux/amd64").orElseThrow();
    SimProfile old =
        new SimProfile(
            profile.name(),
            profile.platform(),
            "containerd",
            "1.6.20",
            ContractCompatibility.CONTAINERD_1_6,
            false,
            profile.handlers(),
            profile.cpus());
    try (TestService service = new TestService(old, config -> config)) {
      assertThat(service.runtime().followContainerEvents(new Ignored())).isFalse();
      assertThat(service.runtime().status(false).getRuntimeHandlersList()).isEmpty();
      assertThat(service.runtime().status(true).getInfoOrThrow("config"))
          .contains("\"defaultRuntimeName\":\"runc\"");
    }
  }

  private static final class Listener implements EventReceiver<ContainerEvent> {
    private final List<ContainerEvent> events = new CopyOnWriteArrayList<>();
    private final CountDownLatch opened = new CountDownLatch(1);
    private final CompletableFuture<String> ended = new CompletableFuture<>();

    private Listener(TestService service) {
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  service.runtime().followContainerEvents(this);
                } catch (CriException e) {
                  ended.complete(e.reason());
                }
              });
    }

    @Override
    public void opened() {
      opened.countDown();
    }

    @Override
    public void accept(ContainerEvent event) {
      events.add(event);
    }
  }

  private static final class Ignored implements EventReceiver<ContainerEvent> {
    @Override
    public void accept(ContainerEvent event) {}
  }
}
