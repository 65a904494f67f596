package dev.berth.vm.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.berth.vm.guest.FakeGuest.ClientHello;
import dev.berth.vm.guest.FakeGuest.SentRequest;
import dev.berth.vm.guest.model.GuestContainer;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.guest.model.GuestException.FailureKind;
import dev.berth.vm.guest.model.GuestExec;
import dev.berth.vm.guest.model.GuestStream;
import dev.berth.vm.guest.model.OutputPosition;
import dev.berth.vm.guest.model.TreeEntry.TreeFile;
import dev.berth.vm.guest.wire.BodyReader;
import dev.berth.vm.guest.wire.BodyWriter;
import dev.berth.vm.guest.wire.FrameType;
import dev.berth.vm.guest.wire.GuestOperation;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The client against a guest of the test: requests, reports and the end of a connection.
@Timeout(120)
final class AgentClientIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofSeconds(2);

  @TempDir private Path directory;
  private final RecordingListener listener = new RecordingListener();
  private Path socket = Path.of("");
  private FakeGuest guest;

  @BeforeEach
  void listen() throws Exception {
    socket = directory.resolve("agent.sock");
    guest = new FakeGuest(socket);
  }

  @AfterEach
  void stop() throws Exception {
    guest.close();
  }

  @Test
  void aGuestThatIsNotUpIsAskedAgain() throws Exception {
    guest.close();
    Files.delete(socket);
    FutureTask<GuestAgent> connecting =
        GuestCalls.start(() -> GuestAgent.connect(socket, LIMIT, listener, Map.of()));
    guest = new FakeGuest(socket);

    // The first client is not answered, the second one has an old answer in its way.
    ClientHello first = guest.accept();
    ClientHello second = guest.accept();
    guest.welcome(first.nonce(), 1);
    guest.output("a", GuestStream.STDOUT, 0, "for the first");
    guest.welcome(second.nonce(), 1);
    guest.output("a", GuestStream.STDOUT, 0, "for the second");

    try (GuestAgent agent = connecting.get()) {
      listener.awaitText("a", GuestStream.STDOUT, "for the second");
      assertThat(listener.text("a", GuestStream.STDOUT)).isEqualTo("for the second");
      assertThat(agent).isNotNull();
    }
  }

  @Test
  void aGuestThatNeverAnswersIsGivenUp() {
    Duration limit = Duration.ofMillis(1500);

    assertThatThrownBy(() -> GuestAgent.connect(socket, limit, listener))
        .asInstanceOf(type(GuestException.class))
        .extracting(GuestException::kind)
        .isEqualTo(FailureKind.TIMEOUT);
    assertThat(listener.ends()).isEmpty();
  }

  @Test
  void anotherVersionIsRefusedAtOnce() throws Exception {
    FutureTask<GuestAgent> connecting =
        GuestCalls.start(() -> GuestAgent.connect(socket, LIMIT, listener));
    guest.welcome(guest.accept().nonce(), 7);

    assertThatThrownBy(connecting::get)
        .hasRootCauseInstanceOf(GuestException.class)
        .hasRootCauseMessage(
            "the connection to guest %s is over: its program on Linux 6.1-fake speaks version 7 of"
                    .formatted(directory.getFileName())
                + " the protocol, this service 1. Delete the pod: a new one starts with the"
                + " program of this service");
  }

  @Test
  void answersComeInAnyOrder() throws Exception {
    try (GuestAgent agent = connect(LIMIT)) {
      FutureTask<Boolean> start = GuestCalls.run(() -> agent.start("a"));
      SentRequest first = guest.request(GuestOperation.START);
      FutureTask<byte[]> file = GuestCalls.start(() -> agent.readFile("a", "log", 100));
      SentRequest second = guest.request(GuestOperation.READ_FILE);
      guest.answer(second.id(), new BodyWriter().bytes(new byte[] {7}));
      assertThat(file.get()).containsExactly(7);
      guest.answer(first.id(), new BodyWriter());
      start.get();
    }
  }

  @Test
  void aRefusalHasTheGuestsWordsWithoutControlCharacters() throws Exception {
    try (GuestAgent agent = connect(LIMIT)) {
      FutureTask<Boolean> start = GuestCalls.run(() -> agent.start("a"));
      guest.refuse(guest.request(GuestOperation.START).id(), 3, "no \u001b[31m/bin/x", "Fix it");
      GuestException refused = GuestCalls.failure(start);
      assertThat(refused.kind()).isEqualTo(FailureKind.INVALID);
      assertThat(refused).hasMessage("container a cannot be started: no ?[31m/bin/x. Fix it");
    }
  }

  @Test
  void aLateAnswerHarmsNobodyAndALateProgramIsKilled() throws Exception {
    try (GuestAgent agent = connect(SHORT)) {
      FutureTask<Boolean> start = GuestCalls.run(() -> agent.start("a"));
      SentRequest late = guest.request(GuestOperation.START);
      assertThat(GuestCalls.failure(start).kind()).isEqualTo(FailureKind.TIMEOUT);
      FutureTask<GuestProcess> exec = GuestCalls.start(() -> agent.exec(sleep(), (_, _) -> {}));
      SentRequest program = guest.request(GuestOperation.EXEC);
      assertThat(GuestCalls.failure(exec).kind()).isEqualTo(FailureKind.TIMEOUT);

      guest.answer(late.id(), new BodyWriter());
      guest.answer(program.id(), new BodyWriter());
      guest.data(program.id(), GuestStream.STDOUT, "ignored");
      assertThat(guest.next(FrameType.RESET).id()).isEqualTo(program.id());
      assertThat(listener.ends()).isEmpty();
    }
  }

  @Test
  void requestsThatTheGuestLeavesOpenAreBounded() throws Exception {
    try (GuestAgent agent = connect(SHORT)) {
      List<FutureTask<Boolean>> starts = new ArrayList<>();
      for (int i = 0; i <= PendingRequests.MAXIMUM; i++) {
        starts.add(GuestCalls.run(() -> agent.start("a")));
      }
      for (int i = 0; i < PendingRequests.MAXIMUM; i++) {
        guest.request(GuestOperation.START);
      }
      for (FutureTask<Boolean> start : starts) {
        assertThat(GuestCalls.failure(start).kind()).isEqualTo(FailureKind.TIMEOUT);
      }
      assertThat(GuestCalls.failure(GuestCalls.run(() -> agent.start("a"))))
          .hasMessageContaining("has 64 requests that it did not answer");
    }
  }

  @Test
  void aGuestThatDoesNotReadFillsNoMemory() throws Exception {
    try (GuestAgent agent = connect(Duration.ofSeconds(2))) {
      TreeFile file = new TreeFile("big", 0644, 0, 0, new byte[40 << 10]);
      List<FutureTask<Boolean>> trees = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        GuestContainer large = GuestContainer.of("c" + i, "image0", List.of("x".repeat(100_000)));
        trees.add(GuestCalls.run(() -> agent.create(large)));
        trees.add(GuestCalls.run(() -> agent.putTree("t", List.of(file))));
      }
      for (FutureTask<Boolean> tree : trees) {
        assertThat(GuestCalls.failure(tree).kind()).isEqualTo(FailureKind.TIMEOUT);
      }
    }
  }

  @Test
  void outputIsDeliveredInOrderAndAcknowledged() throws Exception {
    try (GuestAgent _ = connect(LIMIT)) {
      guest.output("a", GuestStream.STDOUT, 0, "one ");
      assertThat(ack()).isEqualTo("a 0 4");
      guest.output("a", GuestStream.STDERR, 0, "error");
      assertThat(ack()).isEqualTo("a 1 5");
      guest.output("a", GuestStream.STDOUT, 4, "two");
      guest.exited(0, "a", 3);
      assertThat(listener.awaitExit("a").code()).isEqualTo(3);
      assertThat(listener.text("a", GuestStream.STDOUT)).isEqualTo("one two");
      assertThat(listener.text("a", GuestStream.STDERR)).isEqualTo("error");
    }
  }

  @Test
  void outputGoesOnWhereTheCallerIs() throws Exception {
    OutputPosition position = new OutputPosition(10, 0);
    FutureTask<GuestAgent> connecting =
        GuestCalls.start(() -> GuestAgent.connect(socket, LIMIT, listener, Map.of("a", position)));
    assertThat(guest.welcome()).isEqualTo(Map.of("a", position));
    guest.output("a", GuestStream.STDOUT, 10, "x");
    guest.output("b", GuestStream.STDOUT, 500, "older bytes are gone");
    assertThat(List.of(ack(), ack())).containsExactlyInAnyOrder("a 0 11", "b 0 520");
    connecting.get().close();
  }

  @Test
  void aListenerThatBlocksDelaysOnlyItsContainer() throws Exception {
    CountDownLatch free = new CountDownLatch(1);
    listener.onOutput(
        () -> {
          if (Thread.currentThread().getName().endsWith("slow")) {
            GuestCalls.await(free);
          }
        });
    try (GuestAgent agent = connect(LIMIT)) {
      for (int offset = 0; offset < 65536; offset += 1024) {
        guest.output("slow", GuestStream.STDOUT, offset, new byte[1024]);
      }
      guest.exited(0, "slow", 0);
      guest.output("quick", GuestStream.STDOUT, 0, "here");
      assertThat(ack()).isEqualTo("quick 0 4");
      FutureTask<Boolean> start = GuestCalls.run(() -> agent.start("quick"));
      guest.accept(GuestOperation.START);
      start.get();
      assertThat(listener.exit("slow")).isEmpty();
      free.countDown();
      listener.awaitExit("slow");
      assertThat(listener.size("slow", GuestStream.STDOUT)).isEqualTo(65536);
    }
  }

  @Test
  void aListenerThatFailsEndsTheConnection() throws Exception {
    listener.onOutput(
        () -> {
          throw new IllegalStateException("disk full");
        });
    try (GuestAgent agent = connect(LIMIT)) {
      guest.output("a", GuestStream.STDOUT, 0, "x");
      assertThat(listener.awaitEnd().why()).contains("disk full").contains("container a");
      assertThat(GuestCalls.failure(GuestCalls.run(() -> agent.start("a"))).kind())
          .isEqualTo(FailureKind.FAILED);
    }
    assertThat(listener.ends()).hasSize(1);
  }

  @Test
  void aRemovedContainerIsForgotten() throws Exception {
    try (GuestAgent agent = connect(LIMIT)) {
      guest.output("a", GuestStream.STDOUT, 0, "first");
      ack();
      FutureTask<Boolean> remove = GuestCalls.run(() -> agent.remove("a"));
      guest.accept(GuestOperation.REMOVE);
      remove.get();
      guest.output("a", GuestStream.STDOUT, 0, "a new one");
      assertThat(ack()).isEqualTo("a 0 9");
    }
  }

  @Test
  void theEndIsReportedOnceAndFailsWhoWaits() throws Exception {
    try (GuestAgent agent = connect(LIMIT)) {
      FutureTask<Boolean> start = GuestCalls.run(() -> agent.start("a"));
      guest.request(GuestOperation.START);
      guest.hangUp();
      assertThat(GuestCalls.failure(start).kind()).isEqualTo(FailureKind.DISCONNECTED);
      assertThat(listener.awaitEnd().why()).isEqualTo("the socket was closed");
    }
    assertThat(listener.ends()).hasSize(1);
  }

  @Test
  void closingWaitsForTheListenerSoThatPositionsAreFinal() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    listener.onOutput(
        () -> {
          called.countDown();
          GuestCalls.await(free);
        });
    GuestAgent agent = connect(LIMIT);
    guest.output("a", GuestStream.STDOUT, 0, "x");
    called.await();
    FutureTask<Boolean> close = GuestCalls.run(agent::close);
    assertThatThrownBy(() -> close.get(200, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    free.countDown();
    close.get();
    assertThat(listener.position("a")).isEqualTo(new OutputPosition(1, 0));
    listener.awaitEnd();
  }

  @Test
  void aListenerMayCloseTheConnection() throws Exception {
    List<GuestAgent> agents = new ArrayList<>();
    CountDownLatch connected = new CountDownLatch(1);
    listener.onOutput(
        () -> {
          GuestCalls.await(connected);
          agents.getFirst().close();
        });
    agents.add(connect(LIMIT));
    connected.countDown();
    guest.output("a", GuestStream.STDOUT, 0, "x");
    assertThat(listener.awaitEnd().why()).isEqualTo("this service closed it");
  }

  @Test
  void aTreeIsSentInPieces() throws Exception {
    byte[] big = new byte[200_000];
    big[199_999] = 5;
    try (GuestAgent agent = connect(LIMIT)) {
      FutureTask<Boolean> put =
          GuestCalls.run(
              () ->
                  agent.putTree(
                      "config",
                      List.of(
                          new TreeFile("empty", 0600, 1, 2, new byte[0]),
                          new TreeFile("big", 0644, 0, 0, big))));
      SentRequest begin = guest.request(GuestOperation.TREE_BEGIN);
      assertThat(begin.body().u32()).isEqualTo(1);
      assertThat(begin.body().name()).isEqualTo("config");
      guest.answer(begin.id(), new BodyWriter());
      ByteArrayOutputStream received = new ByteArrayOutputStream();
      SentRequest next = guest.request();
      while (next.operation() == GuestOperation.TREE_ADD) {
        assertThat(next.body().u32()).isEqualTo(1);
        next.body()
            .list(
                100,
                1,
                entry -> {
                  String path = entry.text(100);
                  if (entry.u8() == 1) {
                    entry.u32();
                    entry.u32();
                    entry.u32();
                  }
                  byte[] bytes = entry.bytes(1 << 20);
                  if (path.equals("big")) {
                    received.writeBytes(bytes);
                  }
                  return path;
                });
        next.body().end();
        guest.answer(next.id(), new BodyWriter());
        next = guest.request();
      }
      assertThat(next.operation()).isEqualTo(GuestOperation.TREE_COMMIT);
      guest.answer(next.id(), new BodyWriter());
      put.get();
      assertThat(received.toByteArray()).isEqualTo(big);
    }
  }

  private static GuestExec sleep() {
    return new GuestExec("a", List.of("sleep", "1"), false, false);
  }

  private String ack() throws Exception {
    BodyReader body = new BodyReader(guest.next(FrameType.ACK).payload());
    return "%s %d %d".formatted(body.name(), body.u8(), body.u64());
  }

  private GuestAgent connect(Duration limit) throws Exception {
    return guest.connect(limit, listener);
  }
}
