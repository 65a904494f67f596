package dev.berth.controllers.namespaces;

import dev.berth.client.ApiException;
import dev.berth.client.Informer;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectMetadata;
import dev.berth.client.ReconcileLoop;
import dev.berth.client.ReconcileLoop.Outcome;
import dev.berth.client.ReconcileLoop.Readiness;
import dev.berth.client.WorkQueue;
import dev.berth.controllers.loops.ControllerContext;
import dev.berth.controllers.loops.ControllerLoop;
import java.util.function.Consumer;

/// A controller that keeps one object in every namespace that is not terminating.
///
/// @param <T> the form in which the controller reads those objects
final class PerNamespace<T> implements ControllerLoop {
  private static final int WORKERS = 2;

  private final Informer<ObjectMetadata> namespaces;
  private final Informer<T> objects;
  private final Consumer<String> ensure;
  private final ReconcileLoop<String> loop;

  /// Starts the loop.
  ///
  /// @param objects closed with the loop
  /// @param namespaceOf the namespace of an object
  /// @param ensure creates or repairs the object of a namespace if needed
  PerNamespace(
      String name,
      ControllerContext context,
      Informer<ObjectMetadata> namespaces,
      Informer<T> objects,
      java.util.function.Function<T, String> namespaceOf,
      Consumer<String> ensure) {
    this.namespaces = namespaces;
    this.objects = objects;
    this.ensure = ensure;
    WorkQueue<String> queue = context.queue();
    namespaces.addHandler(change -> queue.add(change.latest().key().name()));
    // The informers of objects may know more than one name per namespace; the rule looks only at
    // its own.
    objects.addHandler(change -> queue.add(namespaceOf.apply(change.latest())));
    this.loop =
        ReconcileLoop.start(
            name, queue, WORKERS, Readiness.of(namespaces, objects), this::reconcile);
  }

  private Outcome reconcile(String namespace) {
    // The server refuses new objects in a terminating namespace, and they would delay its end.
    boolean living =
        namespaces
            .get(ObjectKey.clusterScoped(namespace))
            .filter(found -> !found.isBeingDeleted())
            .isPresent();
    if (living) {
      try {
        ensure.accept(namespace);
      } catch (ApiException e) {
        if (!isOvertaken(e)) {
          throw e;
        }
      }
    }
    return ReconcileLoop.SETTLED;
  }

  /// Another client created the object, or the namespace is terminating: the caches will show it.
  private static boolean isOvertaken(ApiException refusal) {
    return refusal.isAlreadyExists()
        || refusal.isNotFound()
        || refusal.hasCause("NamespaceTerminating");
  }

  @Override
  public ReconcileLoop<?> workers() {
    return loop;
  }

  @Override
  public void close() {
    loop.close();
    objects.close();
  }
}
