package dev.berth.launch.controlplane;

import dev.berth.api.Problem;
import dev.berth.launch.process.LaunchException;
import dev.berth.store.Store;
import dev.berth.store.StoreLimits;
import dev.berth.store.StoredDecoder;
import dev.berth.store.embedded.EmbeddedStore;
import dev.berth.store.etcd.EtcdConfig;
import dev.berth.store.etcd.EtcdStore;
import dev.berth.store.etcd.EtcdTls;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;

/// Opens the store of a configuration.
public final class StoreFactory {
  private StoreFactory() {}

  public static <V> Store<V> open(
      StoreChoice choice, Path dataDir, StoredDecoder<V> decoder, InstantSource clock) {
    return switch (choice) {
      case StoreChoice.Embedded _ ->
          EmbeddedStore.open(dataDir, decoder, StoreLimits.DEFAULT, clock);
      case StoreChoice.Etcd etcd -> openEtcd(etcd, decoder, clock);
    };
  }

  private static <V> Store<V> openEtcd(
      StoreChoice.Etcd etcd, StoredDecoder<V> decoder, InstantSource clock) {
    boolean certificates = etcd.caFile() != null || etcd.certFile() != null;
    EtcdConfig config =
        EtcdConfig.of(etcd.servers().stream().map(URI::toString).toList())
            .withPrefix(etcd.prefix())
            .withTls(
                certificates ? new EtcdTls(etcd.caFile(), etcd.certFile(), etcd.keyFile()) : null);
    try {
      return EtcdStore.open(config, decoder, StoreLimits.DEFAULT, clock);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LaunchException(
          new Problem("etcd was not opened", "the start was interrupted", "Start again"), e);
    }
  }
}
