package dev.berth.launch.controlplane;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The place of the objects.
public sealed interface StoreChoice {
  /// A journal inside the data directory, for one server.
  record Embedded() implements StoreChoice {}

  /// An etcd cluster, which several servers may share. Files are in PEM; a file that is null is not
  /// used.
  ///
  /// @param prefix the beginning of all keys; servers that share their objects share it
  record Etcd(
      List<URI> servers,
      String prefix,
      @Nullable Path caFile,
      @Nullable Path certFile,
      @Nullable Path keyFile)
      implements StoreChoice {
    public static final String PREFIX = "/berth/";

    public Etcd {
      servers = List.copyOf(servers);
    }
  }
}
