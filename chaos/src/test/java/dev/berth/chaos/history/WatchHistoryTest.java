package dev.berth.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/// What a watcher may see.
final class WatchHistoryTest {
  private final RunLog log = new RunLog(_ -> {});
  private final RevisionRecord revisions = new RevisionRecord(log);
  private final WatchHistory watch = new WatchHistory("watch", revisions, log);

  @Test
  void eventsInOrderLeadToTheList() {
    watch.listed(10, Map.of("a", "1"));
    watch.event("MODIFIED", 11, "a", "2");
    watch.event("ADDED", 12, "b", "1");
    watch.event("DELETED", 13, "a", "2");

    assertThat(log.violations()).isEmpty();
    assertThat(watch.skipped()).isEmpty();
    assertThat(watch.differences(Map.of("b", "1"))).isEmpty();
    assertThat(watch.differences(Map.of("a", "2")))
        .containsExactly(
            "watch has a as (absent), a list as 2", "watch has b as 1, a list as (absent)");
  }

  @Test
  void anEventMustNotComeTwice() {
    watch.listed(10, Map.of());
    watch.event("ADDED", 11, "a", "1");
    watch.event("ADDED", 11, "a", "1");

    assertThat(log.violations()).hasSize(1);
  }

  @Test
  void whatOthersKnowMustNotBeSkipped() {
    watch.listed(10, Map.of("a", "1"));
    revisions.claim(11, "a", "2", "writer");
    watch.event("MODIFIED", 12, "a", "3");

    assertThat(watch.skipped())
        .containsExactly("watch skipped revision 11 (a is 2, seen by writer)");
  }

  @Test
  void whatHappenedBeforeANewListNeedNotBeSeen() {
    watch.listed(10, Map.of());
    revisions.claim(11, "a", "1", "writer");
    watch.listed(20, Map.of("a", "1"));
    watch.event("DELETED", 21, "a", "1");

    assertThat(watch.skipped()).isEmpty();
    assertThat(log.violations()).isEmpty();
  }

  @Test
  void aRevisionIsOneChangeForEverybody() {
    watch.listed(10, Map.of());
    revisions.claim(11, "a", "1", "writer");
    watch.event("ADDED", 11, "b", "1");

    assertThat(log.violations()).extracting(RunLog.Violation::rule).containsExactly("watches");
  }
}
