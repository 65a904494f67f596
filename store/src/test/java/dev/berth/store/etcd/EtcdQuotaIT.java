package dev.berth.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.store.Doc;
import dev.berth.store.Store;
import dev.berth.store.StoreHealth;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.WriteOutcome;
import io.etcd.jetcd.api.AlarmRequest;
import io.etcd.jetcd.api.AlarmType;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EtcdQuotaIT {
  @TempDir Path directory;

  @Test
  void anEtcdOverItsQuotaIsToldUntilItTakesValuesAgain() throws Exception {
    try (EtcdProcess etcd = EtcdProcess.started(directory);
        Store<Doc> store = EtcdFixture.open(etcd.url())) {
      long revision = EtcdFixture.put(store, "pods/a", "x");
      alarm(etcd, AlarmRequest.AlarmAction.ACTIVATE);

      String problem =
          "etcd at %s refuses writes: its database is over its space quota. ".formatted(etcd.url())
              + "Compact and defragment it and clear the alarm (etcdctl compact, defrag, alarm disarm), or raise its --quota-backend-bytes; writes then resume";
      assertThatThrownBy(() -> store.commit(Doc.create("pods/b", "x")))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessage(problem);
      assertThat(store.health()).hasToString(problem);
      store.catchUp();
      assertThat(store.commit(Doc.delete("pods/a", revision)))
          .isInstanceOf(WriteOutcome.Committed.class);
      assertThat(store.health()).isInstanceOf(StoreHealth.Degraded.class);

      alarm(etcd, AlarmRequest.AlarmAction.DEACTIVATE);
      EtcdFixture.put(store, "pods/b", "x");
      assertThat(store.health()).isEqualTo(new StoreHealth.Ok());
    }
  }

  @Test
  void readersAndDeletionsDoNotWaitForAMarkThatThereIsNoSpaceFor() throws Exception {
    try (EtcdProcess etcd = EtcdProcess.started(directory);
        Store<Doc> a = EtcdFixture.open(etcd.url());
        Store<Doc> b = EtcdFixture.open(etcd.url());
        EtcdClient client = new EtcdClient(EtcdConfig.of(List.of(etcd.url())))) {
      long revision = EtcdFixture.put(a, "pods/a", "x");
      CatchUpIT.putOutside(client);
      alarm(etcd, AlarmRequest.AlarmAction.ACTIVATE);

      b.catchUp();
      assertThat(b.commit(Doc.delete("pods/a", revision)))
          .isInstanceOf(WriteOutcome.Committed.class);
      a.catchUp();
      assertThat(a.get("pods/a")).isNull();
    }
  }

  private static void alarm(EtcdProcess etcd, AlarmRequest.AlarmAction action) {
    ManagedChannel channel =
        Grpc.newChannelBuilderForAddress(
                "127.0.0.1", etcd.clientPort(), InsecureChannelCredentials.create())
            .build();
    try {
      MaintenanceGrpc.newBlockingStub(channel)
          .alarm(AlarmRequest.newBuilder().setAction(action).setAlarm(AlarmType.NOSPACE).build());
    } finally {
      channel.shutdownNow();
    }
  }
}
