package dev.berth.server.resources;

/// GET of one object.
public final class Getter {
  private final ObjectStore store;

  public Getter(ObjectStore store) {
    this.store = store;
  }

  public Answer get(Target target, Query query) {
    store.freshness().await(ListOptions.resourceVersion(query.first("resourceVersion")));
    return new Answer.Stored(200, store.get(target.kind(), target.namespace(), target.name()));
  }
}
