package dev.berth.server.auth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The newest state of single objects, from memory.
public interface ObjectReader {
  /// Looks an object up.
  ///
  /// @param bucket plural and group as in `ResourceKind.bucket()`: `pods`,
  ///   `runtimeclasses.node.k8s.io`
  /// @param namespace empty for cluster-scoped objects
  /// @return the object, not to be changed; null when there is none
  @Nullable ObjectNode read(String bucket, String namespace, String name);

  /// Every object of a kind of which there are few; not to be changed.
  List<ObjectNode> all(String bucket);
}
