package dev.berth.store.etcd;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// PEM files of connections to etcd: the trusted authorities (null: those of the JVM) and the
/// client certificate (null: none).
public record EtcdTls(@Nullable Path authority, @Nullable Path certificate, @Nullable Path key) {
  public EtcdTls {
    if ((certificate == null) != (key == null)) {
      throw new IllegalArgumentException(
          "an etcd client certificate needs its key and the key its certificate");
    }
  }
}
