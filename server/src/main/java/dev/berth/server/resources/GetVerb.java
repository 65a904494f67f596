package dev.berth.server.resources;

import dev.berth.server.resources.objects.ObjectStore;
import dev.berth.server.resources.requests.ListOptions;
import dev.berth.server.resources.requests.RequestQuery;
import dev.berth.server.resources.requests.RequestTarget;

/// GET of one object.
///
/// The answer refers to the object in memory and never touches the journal.
public final class GetVerb {
  private final ObjectStore store;

  public GetVerb(ObjectStore store) {
    this.store = store;
  }

  public VerbAnswer get(RequestTarget target, RequestQuery query) {
    store.freshness().await(ListOptions.resourceVersion(query.first("resourceVersion")));
    return new VerbAnswer.Stored(200, store.get(target.kind(), target.namespace(), target.name()));
  }
}
