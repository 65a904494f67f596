package dev.berth.server.auth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Reads the newest state of objects from memory.
///
/// Authorization and admission read through this interface and so know neither store nor kinds. Any
/// thread may call it.
public interface ObjectReader {
  /// Reads one object.
  ///
  /// @param bucket plural and group as in `ResourceKind.bucket()`: `pods`,
  ///   `runtimeclasses.node.k8s.io`
  /// @param namespace empty for cluster-scoped objects
  /// @return the object, not to be changed; null when there is none
  @Nullable ObjectNode read(String bucket, String namespace, String name);

  /// Returns the objects of a kind that has few of them; the caller must not change them.
  List<ObjectNode> all(String bucket);

  /// Returns the objects of one namespace, of a kind that has few of them; the caller must not
  /// change them.
  List<ObjectNode> in(String bucket, String namespace);

  /// Visits the objects of a kind in one namespace, of which there may be many, until the visitor
  /// returns false.
  ///
  /// @param visitor returns whether to continue
  /// @return the number of objects, visited or not
  int visit(String bucket, String namespace, Predicate<ObjectNode> visitor);
}
