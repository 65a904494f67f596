package dev.berth.controllers.gc;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.OwnerReference;
import dev.berth.controllers.loops.ControllerEvents;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/// Reports objects whose owner exists in another namespace than their own. The owner counts as
/// absent, so that most such objects are deleted; the event is the only explanation.
final class ForeignOwners {
  /// Bound of the remembered pairs. A pair beyond it may be reported a second time.
  private static final int REMEMBERED = 1000;

  private record ReportedOwner(String dependent, String owner) {}

  private final ControllerEvents recorder;
  private final ReentrantLock lock = new ReentrantLock();

  /// Guarded by the lock.
  private final Map<ReportedOwner, Boolean> reported =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ReportedOwner, Boolean> eldest) {
          return size() > REMEMBERED;
        }
      };

  ForeignOwners(ControllerEvents recorder) {
    this.recorder = recorder;
  }

  /// @param owner the object with the uid in the dependent's reference
  void reportOnce(GraphNode dependent, OwnerReference reference, GraphNode owner) {
    if (owner.type().namespaced()
        && !owner.key().namespace().equals(dependent.key().namespace())
        && isNew(new ReportedOwner(dependent.uid(), owner.uid()))) {
      recorder.warning(
          about(dependent),
          "OwnerRefInvalidNamespace",
          "ownerRef [%s/%s, namespace: %5$s, name: %s, uid: %s] does not exist in namespace \"%5$s\""
              .formatted(
                  reference.apiVersion(),
                  reference.kind(),
                  reference.name(),
                  reference.uid(),
                  dependent.key().namespace()));
    }
  }

  /// Whether the pair is reported for the first time as far as this process remembers.
  private boolean isNew(ReportedOwner one) {
    lock.lock();
    try {
      return reported.put(one, true) == null;
    } finally {
      lock.unlock();
    }
  }

  private static ObjectNode about(GraphNode node) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", node.type().apiVersion()).put("kind", node.type().kind());
    object
        .putObject("metadata")
        .put("namespace", node.key().namespace())
        .put("name", node.key().name())
        .put("uid", node.uid());
    return object;
  }
}
