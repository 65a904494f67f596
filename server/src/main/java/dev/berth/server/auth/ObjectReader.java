package dev.berth.server.auth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The newest state of single objects, from memory.
public interface ObjectReader {
  /// Looks an object up.
  ///
  /// @param bucket plural and group as in `ResourceKind.bucket()`: `pods`,
  ///   `runtimeclasses.node.k8s.io`
  /// @param namespace empty for cluster-scoped objects
  /// @return the object, not to be changed; null when there is none
  public @Nullable ObjectNode read(String bucket, String namespace, String name);

  /// Every object of a kind of which there are few; not to be changed.
  public List<ObjectNode> all(String bucket);

  /// The objects of a kind in one namespace, of which there are few; not to be changed.
  public List<ObjectNode> in(String bucket, String namespace);

  /// Shows the objects of a kind in one namespace, of which there may be many, until the visitor
  /// has seen enough.
  ///
  /// @param visitor says whether to go on
  /// @return how many objects there are, seen or not
  public int visit(String bucket, String namespace, Predicate<ObjectNode> visitor);
}
