package dev.berth.server.resources.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.resources.DelegatingStore;
import dev.berth.server.resources.StoreFixture;
import dev.berth.store.RevisionCompactedException;
import dev.berth.store.StoreWatch;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StoreInformerTest {
  private final StoreFixture fixture = new StoreFixture();
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void whatWasDeletedWhileTheHistoryWasLostIsTakenBack() throws Exception {
    fixture.put("a", "kept", "x");
    fixture.put("a", "gone", "x");
    CountDownLatch deleted = new CountDownLatch(1);
    try (StoreInformer _ =
        new StoreInformer(
            new ObjectStore(new Forgetful(fixture, deleted), fixture.codec()),
            fixture.target("a").kind(),
            new Recorder())) {
      fixture.delete("a", "gone");
      deleted.countDown();
      assertThat(next()).isEqualTo("put gone");
      assertThat(next()).isEqualTo("put kept");
      assertThat(next()).isEqualTo("put kept");
      assertThat(next()).isEqualTo("remove gone");
      fixture.put("a", "new", "x");
      assertThat(next()).isEqualTo("put new");
    }
  }

  private String next() throws InterruptedException {
    return String.valueOf(heard.poll(120, TimeUnit.SECONDS));
  }

  private final class Recorder implements StoreInformer.Listener {
    @Override
    public void put(StoredObject object) {
      heard.add("put " + object.name());
    }

    @Override
    public void remove(StoredObject last) {
      heard.add("remove " + last.name());
    }
  }

  /// Has lost its history when it is watched for the first time.
  private static final class Forgetful extends DelegatingStore {
    private final CountDownLatch until;
    private boolean told;

    Forgetful(StoreFixture fixture, CountDownLatch until) {
      super(fixture.store().raw());
      this.until = until;
    }

    @Override
    public StoreWatch<StoredObject> watch(String bucket, long afterRevision) {
      if (told) {
        return super.watch(bucket, afterRevision);
      }
      told = true;
      try {
        until.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      throw new RevisionCompactedException(afterRevision, afterRevision + 1);
    }
  }
}
