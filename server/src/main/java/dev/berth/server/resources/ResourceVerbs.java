package dev.berth.server.resources;

import dev.berth.server.admission.images.ImageBindingCheck;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.resources.objects.LiveObjects;
import dev.berth.server.resources.objects.ObjectStore;
import dev.berth.server.resources.objects.ReadFreshness;
import dev.berth.server.resources.requests.BodyDecoder;
import dev.berth.server.resources.requests.BodyType;
import dev.berth.server.schema.ObjectSchema;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// Builds all verbs on one set of write rules.
///
/// The order of construction follows their use of each other: PUT creates, patches update, eviction
/// deletes.
public final class ResourceVerbs {
  private final ReadFreshness freshness;
  private final BodyDecoder bodies;
  private final GetVerb getter;
  private final ListVerb lister;
  private final WatchVerb watcher;
  private final CreateVerb creator;
  private final UpdateVerb updater;
  private final PatchVerb patcher;
  private final ApplyVerb applier;
  private final DeleteVerb deleter;
  private final ScaleSubresource scales;
  private final BindingVerb bindings;
  private final EvictionVerb evictions;

  public ResourceVerbs(
      WriteRules rules,
      ServedKinds kinds,
      ObjectSchema schema,
      Supplier<UUID> ids,
      RandomGenerator random,
      WatchVerb.Ticker ticker) {
    ObjectStore store = rules.store();
    freshness = store.freshness();
    bodies = rules.bodies();
    getter = new GetVerb(store);
    lister = new ListVerb(store);
    watcher = new WatchVerb(store, ticker, random);
    creator = new CreateVerb(rules, ids, random);
    updater = new UpdateVerb(rules, creator);
    patcher = new PatchVerb(updater, bodies);
    applier = new ApplyVerb(rules, creator, updater);
    deleter = new DeleteVerb(rules, lister);
    scales = new ScaleSubresource(store, updater, bodies, schema.type("autoscaling.v1.Scale"));
    bindings =
        new BindingVerb(
            store,
            kinds.bucket("pods").orElseThrow(),
            bodies,
            BodyType.of("v1", schema.type("core.v1.Binding")),
            new ImageBindingCheck(new LiveObjects(store, kinds)));
    evictions = new EvictionVerb(deleter, bodies, schema.type("policy.v1.Eviction"));
  }

  public ReadFreshness freshness() {
    return freshness;
  }

  /// Decodes bodies that are not stored.
  public BodyDecoder bodies() {
    return bodies;
  }

  public GetVerb getter() {
    return getter;
  }

  public ListVerb lister() {
    return lister;
  }

  public WatchVerb watcher() {
    return watcher;
  }

  public CreateVerb creator() {
    return creator;
  }

  public UpdateVerb updater() {
    return updater;
  }

  public PatchVerb patcher() {
    return patcher;
  }

  public ApplyVerb applier() {
    return applier;
  }

  public DeleteVerb deleter() {
    return deleter;
  }

  public ScaleSubresource scales() {
    return scales;
  }

  public BindingVerb bindings() {
    return bindings;
  }

  public EvictionVerb evictions() {
    return evictions;
  }
}
