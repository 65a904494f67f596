package dev.berth.server.resources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.errors.ApiStatus;
import dev.berth.server.resources.objects.ObjectStore;
import dev.berth.server.resources.objects.StoredObject;
import dev.berth.server.resources.requests.ListOptions;
import dev.berth.server.resources.requests.RequestQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WatchVerbTest {
  private final StoreFixture fixture = new StoreFixture();
  private final WatchVerb watcher =
      new WatchVerb(fixture.store(), System::nanoTime, RandomGenerator.of("L64X128MixRandom"));

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void objectsThatStartOrStopToMatchAreAddedOrDeleted() throws Exception {
    long start = fixture.store().raw().revision();
    fixture.put("a", "c", "no");
    fixture.put("a", "c", "yes");
    fixture.put("a", "c", "yes");
    fixture.put("a", "c", "no");
    fixture.put("a", "c", "yes");
    fixture.delete("a", "c");
    fixture.put("b", "elsewhere", "yes");
    assertThat(run("labelSelector=l%3Dyes&resourceVersion=" + start, 5))
        .containsExactly("ADDED c", "MODIFIED c", "DELETED c", "ADDED c", "DELETED c");
  }

  @Test
  void aWatchWithoutRevisionStartsWithWhatIsThere() throws Exception {
    fixture.put("a", "c", "x");
    assertThat(run("allowWatchBookmarks=true", 2)).containsExactly("ADDED c", "BOOKMARK initial");
  }

  @Test
  void anOldRevisionEndsWithExpired() throws Exception {
    fixture.put("a", "c", "x");
    fixture.put("a", "c", "x");
    fixture.store().raw().compact(fixture.store().raw().revision());
    assertThat(run("resourceVersion=1", 1)).containsExactly("ERROR 410");
  }

  @Test
  void aWatchWithoutInitialEventsFromAnyRevisionStartsNow() throws Exception {
    fixture.put("a", "c", "x");
    fixture.store().raw().compact(fixture.store().raw().revision());
    assertThat(
            run(
                "sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=0"
                    + "&allowWatchBookmarks=true&timeoutSeconds=1",
                1))
        .containsExactly("BOOKMARK");
  }

  @Test
  void aRevisionThatDoesNotComeIsToldAsAnEvent() throws Exception {
    ObjectStore future =
        new ObjectStore(
            new DelegatingStore(fixture.store().raw()) {
              @Override
              public boolean awaitRevision(long revision, Duration timeout) {
                return false;
              }
            },
            fixture.codec());
    Recorder recorder = new Recorder(1);
    new WatchVerb(future, System::nanoTime, RandomGenerator.of("L64X128MixRandom"))
        .open(
            fixture.target("a"),
            options("sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=99"))
        .run(recorder);
    assertThat(recorder.seen).containsExactly("ERROR 504");
  }

  private List<String> run(String query, int enough) throws Exception {
    Recorder recorder = new Recorder(enough);
    watcher.open(fixture.target("a"), options(query)).run(recorder);
    return recorder.seen;
  }

  private static ListOptions options(String query) {
    return ListOptions.parse(RequestQuery.parse(query), true);
  }

  /// Writes events down and hangs up when it has seen enough.
  private static final class Recorder implements WatchSink {
    private final List<String> seen = new ArrayList<>();
    private final int enough;

    Recorder(int enough) {
      this.enough = enough;
    }

    @Override
    public void event(Type type, StoredObject object, long revision) {
      seen.add(type + " " + object.name());
    }

    @Override
    public void bookmark(long revision, boolean initialEventsEnd) {
      seen.add(initialEventsEnd ? "BOOKMARK initial" : "BOOKMARK");
    }

    @Override
    public void error(ApiStatus status) {
      seen.add("ERROR " + status.code());
    }

    @Override
    public void flush() {}

    @Override
    public void initialized() {}

    @Override
    public boolean isClosed() {
      return seen.size() >= enough;
    }
  }
}
