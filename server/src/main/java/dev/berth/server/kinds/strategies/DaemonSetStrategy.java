package dev.berth.server.kinds.strategies;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.kinds.KindStrategy;

/// Counts the changes of a daemon set's template in an annotation, for old clients.
public final class DaemonSetStrategy implements KindStrategy {
  private static final String ANNOTATION = "deprecated.daemonset.template.generation";

  @Override
  public void prepareCreate(ObjectNode daemonSet) {
    write(daemonSet, Math.max(1, templateGeneration(daemonSet)));
  }

  @Override
  public void prepareUpdate(ObjectNode daemonSet, ObjectNode old) {
    boolean changed =
        !daemonSet.path("spec").path("template").equals(old.path("spec").path("template"));
    write(daemonSet, templateGeneration(old) + (changed ? 1 : 0));
  }

  private static long templateGeneration(ObjectNode daemonSet) {
    String text = daemonSet.path("metadata").path("annotations").path(ANNOTATION).asText("0");
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException _) {
      return 0;
    }
  }

  private static void write(ObjectNode daemonSet, long generation) {
    CommonStrategy.metadata(daemonSet)
        .withObject("/annotations")
        .put(ANNOTATION, Long.toString(generation));
  }
}
