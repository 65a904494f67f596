package dev.berth.server.http.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class WriteBacklogTest {
  private final WriteBacklog backlog = new WriteBacklog(1_000_000);

  private CompletableFuture<Void> waitWith(long bytes) {
    return waitWith("a", bytes);
  }

  private CompletableFuture<Void> waitWith(String connection, long bytes) {
    CompletableFuture<Void> wait = new CompletableFuture<>();
    new WriteBacklog.Share(backlog, connection).add(wait, bytes);
    return wait;
  }

  @Test
  void aConnectionWithManyMakesRoomForOneWithFew() {
    CompletableFuture<Void> first = waitWith("few", 200_000);
    CompletableFuture<Void> second = waitWith("many", 200_000);
    CompletableFuture<Void> third = waitWith("many", 200_000);
    CompletableFuture<Void> fourth = waitWith("many", 400_000);
    assertThat(first).isNotDone();
    assertThat(second).isCompletedExceptionally();
    assertThat(third).isNotDone();
    assertThat(waitWith("other", 300_000)).isNotDone();
    assertThat(first).isNotDone();
    assertThat(third).isCompletedExceptionally();
    assertThat(fourth).isNotDone();
  }

  @Test
  void ofConnectionsWithOneEachTheOldestMakesRoom() {
    CompletableFuture<Void> first = waitWith("a", 400_000);
    CompletableFuture<Void> second = waitWith("b", 400_000);
    assertThat(waitWith("c", 400_000)).isNotDone();
    assertThat(first).isCompletedExceptionally();
    assertThat(second).isNotDone();
  }

  @Test
  void aConnectionThatGoesOnIsAsYoungAsItsWaits() {
    CompletableFuture<Void> taken = waitWith("goes on", 100_000);
    CompletableFuture<Void> stalled = waitWith("stalled", 400_000);
    CompletableFuture<Void> next = waitWith("goes on", 400_000);
    taken.complete(null);
    assertThat(waitWith("other", 400_000)).isNotDone();
    assertThat(stalled).isCompletedExceptionally();
    assertThat(next).isNotDone();
  }

  @Test
  void whoHasKeptTheServerWaitingForLongestIsCutOff() {
    CompletableFuture<Void> first = waitWith(400_000);
    CompletableFuture<Void> second = waitWith(400_000);
    CompletableFuture<Void> third = waitWith(400_000);
    assertThat(first)
        .failsWithin(Duration.ZERO)
        .withThrowableOfType(ExecutionException.class)
        .havingCause()
        .isInstanceOf(SlowClientException.class)
        .withMessage(
            "the client is one of those for which the server holds 1000000 bytes, all it may");
    assertThat(second).isNotDone();
    assertThat(third).isNotDone();
  }

  @Test
  void whoTakesWhatThereIsNoLongerCounts() {
    waitWith(400_000).complete(null);
    CompletableFuture<Void> second = waitWith(400_000);
    CompletableFuture<Void> third = waitWith(400_000);
    assertThat(second).isNotDone();
    second.completeExceptionally(new IllegalStateException("gone"));
    third.complete(null);
    assertThat(backlog.isTight()).isFalse();
    assertThat(backlog.total()).isZero();
  }

  @Test
  void oneThatIsOverAtOnceIsNotKept() {
    new WriteBacklog.Share(backlog, "a").add(CompletableFuture.completedFuture(null), 400_000);
    assertThat(backlog.total()).isZero();
  }

  @Test
  void oneThatIsLongerThanTheLimitMakesAllOthersGiveWay() {
    CompletableFuture<Void> first = waitWith(10);
    CompletableFuture<Void> second = waitWith(10);
    CompletableFuture<Void> giant = waitWith(2_000_000);
    assertThat(first).isCompletedExceptionally();
    assertThat(second).isCompletedExceptionally();
    assertThat(giant).isNotDone();
  }

  @Test
  void aThousandThatHoldNothingCountNevertheless() {
    CompletableFuture<Void> first = waitWith(0);
    for (int i = 0; i < 1_000; i++) {
      CompletableFuture<Void> _ = waitWith(0);
    }
    assertThat(first).isCompletedExceptionally();
    assertThat(backlog.isTight()).isTrue();
    assertThat(backlog.total()).isBetween(900_000L, 1_000_000L);
  }
}
