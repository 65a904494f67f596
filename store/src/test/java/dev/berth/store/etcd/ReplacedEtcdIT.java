package dev.berth.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.store.Await;
import dev.berth.store.Doc;
import dev.berth.store.RevisionCompactedException;
import dev.berth.store.Store;
import dev.berth.store.StoreEvent;
import dev.berth.store.StoreHealth;
import dev.berth.store.StoreWatch;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// An etcd with the same address and flags, but with another past.
final class ReplacedEtcdIT extends EtcdFixture {
  private static final int WRITES = 10;

  @Test
  void anEtcdThatWasSetUpAnewIsNotFollowed() throws Exception {
    try (Store<Doc> store = open(etcd().url())) {
      writeTimes(store, WRITES);
      etcd().kill();
      remove(etcd().data());
      etcd().start();

      awaitRefusal(store);
      assertThat(store.get("pods/a")).isNotNull();
      assertThatThrownBy(() -> store.commit(Doc.create("pods/b", "x")))
          .hasMessageContaining("it is at revision 1, this server has seen " + store.revision())
          .hasMessageEndingWith("If it was restored on purpose, restart this server");
    }
  }

  @Test
  void anEtcdThatWasSetUpAnewIsReadAnewOnceItHasComeFurther() throws Exception {
    try (Store<Doc> store = open(etcd().url())) {
      put(store, "pods/old", "x");
      writeTimes(store, WRITES);
      StoreWatch<Doc> watch = store.watch("pods", store.revision());
      etcd().kill();
      remove(etcd().data());
      etcd().start();
      awaitRefusal(store);

      assertThatNewStateIsServed(store, watch);
    }
  }

  @Test
  void aRestoredEtcdIsReadAnewOnceItHasComeFurther() throws Exception {
    try (Store<Doc> store = open(etcd().url())) {
      put(store, "pods/kept", "x");
      etcd().kill();
      copy(etcd().data(), directory.resolve("backup"));
      etcd().start();
      healthy(store);
      put(store, "pods/old", "x");
      writeTimes(store, WRITES);
      StoreWatch<Doc> watch = store.watch("pods", store.revision());
      etcd().kill();
      remove(etcd().data());
      copy(directory.resolve("backup"), etcd().data());
      etcd().start();
      awaitRefusal(store);

      assertThatNewStateIsServed(store, watch);
      assertThat(store.get("pods/kept")).isNotNull();
    }
  }

  /// Nothing of a wiped etcd is known again when all that was seen last is that a key went.
  @Test
  void aHistoryThatEndedWithADeletionIsToldFromAnother() throws Exception {
    try (Store<Doc> store = open(etcd().url())) {
      put(store, "pods/old", "x");
      store.commit(Doc.delete("pods/a", put(store, "pods/a", "x")));
      StoreWatch<Doc> watch = store.watch("pods", store.revision());
      etcd().kill();
      Await.until("its end is noticed", () -> store.health() instanceof StoreHealth.Degraded);
      etcd().start();
      healthy(store);
      long again = put(store, "pods/a", "x");
      assertThat(watch.next(SOON)).extracting(StoreEvent::revision).containsExactly(again);

      store.commit(Doc.delete("pods/a", again));
      etcd().kill();
      remove(etcd().data());
      etcd().start();
      awaitRefusal(store);

      assertThatNewStateIsServed(store, watch);
    }
  }

  private void assertThatNewStateIsServed(Store<Doc> store, StoreWatch<Doc> watch)
      throws Exception {
    long seen = store.revision();
    try (Store<Doc> other = open(etcd().url())) {
      for (int i = 0; other.revision() <= seen + 3; i++) {
        put(other, "pods/new-" + i, "x");
      }
      healthy(store);

      assertThat(store.awaitRevision(other.revision(), SOON)).isTrue();
      assertThat(store.get("pods/old")).isNull();
      assertThat(store.snapshot("pods")).containsExactlyElementsOf(other.snapshot("pods"));
      assertThatThrownBy(() -> watch.next(SOON)).isInstanceOf(RevisionCompactedException.class);
      try (StoreWatch<Doc> fresh = store.watch("pods", store.revision())) {
        long next = put(other, "pods/next", "x");
        assertThat(fresh.next(SOON)).extracting(StoreEvent::revision).containsExactly(next);
      }
    }
  }

  private static void awaitRefusal(Store<Doc> store) throws Exception {
    Await.until(
        "the difference is noticed",
        () ->
            store.health() instanceof StoreHealth.Degraded problem
                && problem.what().contains("is not the one this server was started with"));
  }

  private static void writeTimes(Store<Doc> store, int times) throws InterruptedException {
    for (int i = 0; i < times; i++) {
      put(store, "pods/a", "x" + i);
    }
  }

  private static void remove(Path directory) throws IOException, InterruptedException {
    run("rm", "-r", directory.toString());
  }

  private static void copy(Path from, Path to) throws IOException, InterruptedException {
    run("cp", "-r", from.toString(), to.toString());
  }

  private static void run(String... command) throws IOException, InterruptedException {
    assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
  }
}
