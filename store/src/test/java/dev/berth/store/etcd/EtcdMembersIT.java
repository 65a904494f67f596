package dev.berth.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.store.Await;
import dev.berth.store.Doc;
import dev.berth.store.Store;
import dev.berth.store.StoreEvent;
import dev.berth.store.StoreHealth;
import dev.berth.store.StoreLimits;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.StoreWatch;
import dev.berth.store.WriteOutcome;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EtcdMembersIT {
  @TempDir Path directory;
  private final List<EtcdProcess> members = new ArrayList<>();
  private final TreeSet<String> acknowledged = new TreeSet<>();

  @AfterEach
  void stop() {
    for (EtcdProcess member : members) {
      member.close();
    }
  }

  @Test
  void eachMemberMayFailInTurn() throws Exception {
    EtcdProcess.assumeInstalled();
    for (String name : List.of("a", "b", "c")) {
      members.add(new EtcdProcess(name, directory, "http"));
    }
    EtcdProcess.join(members);
    for (EtcdProcess member : members) {
      member.start();
    }
    EtcdConfig config =
        EtcdConfig.of(members.stream().map(EtcdProcess::url).toList())
            .withTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(5));
    try (Store<Doc> store =
            EtcdStore.open(config, Doc.DECODER, StoreLimits.DEFAULT, InstantSource.system());
        StoreWatch<Doc> watch = store.watch("pods", store.revision())) {
      for (int i = 0; i < members.size(); i++) {
        write(store, "pods/before-" + i);
        members.get(i).kill();
        write(store, "pods/without-" + i);
        members.get(i).start();
        members.get(i).awaitPort();
        write(store, "pods/after-" + i);
      }
      TreeSet<String> seen = new TreeSet<>();
      long last = 0;
      while (watch.progress() < store.revision()) {
        for (StoreEvent<Doc> event : watch.next(Duration.ofSeconds(20))) {
          assertThat(event.revision()).isGreaterThan(last);
          last = event.revision();
          assertThat(seen.add(event.key())).isTrue();
        }
      }
      assertThat(seen).containsAll(acknowledged);
    }
  }

  /// The leader may be the one that is missing: then a new one is elected first.
  private void write(Store<Doc> store, String key) throws Exception {
    Await.until(
        "a write of " + key,
        Duration.ofSeconds(60),
        () -> {
          try {
            WriteOutcome<Doc> outcome = store.commit(Doc.create(key, "x"));
            // Refused: an attempt that was not acknowledged had been made all the same.
            assertThat(outcome instanceof WriteOutcome.Committed || store.get(key) != null)
                .isTrue();
            acknowledged.add(key);
            return true;
          } catch (StoreUnavailableException e) {
            assertThat(e.problem()).isInstanceOf(StoreHealth.Degraded.class);
            return false;
          }
        });
  }
}
