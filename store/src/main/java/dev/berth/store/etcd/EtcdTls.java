package dev.berth.store.etcd;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// PEM files for talking to etcd: whom to trust (the system's authorities when null), and who we
/// are (anonymous when null).
public record EtcdTls(@Nullable Path authority, @Nullable Path certificate, @Nullable Path key) {
  public EtcdTls {
    if ((certificate == null) != (key == null)) {
      throw new IllegalArgumentException(
          "an etcd client certificate needs its key and the key its certificate");
    }
  }
}
