package dev.berth.server.resources;

import dev.berth.server.kinds.Kinds;
import dev.berth.server.schema.Schema;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// All verbs, built on one set of rules.
public final class Verbs {
  private final Freshness freshness;
  private final BodyDecoder bodies;
  private final Getter getter;
  private final Lister lister;
  private final Watcher watcher;
  private final Creator creator;
  private final Updater updater;
  private final Patcher patcher;
  private final Applier applier;
  private final Deleter deleter;
  private final Scales scales;
  private final Bindings bindings;
  private final Evictions evictions;

  public Verbs(
      WriteRules rules,
      Kinds kinds,
      Schema schema,
      Supplier<UUID> ids,
      RandomGenerator random,
      Watcher.Ticker ticker) {
    ObjectStore store = rules.store();
    freshness = store.freshness();
    bodies = rules.bodies();
    getter = new Getter(store);
    lister = new Lister(store);
    watcher = new Watcher(store, ticker, random);
    creator = new Creator(rules, ids, random);
    updater = new Updater(rules, creator);
    patcher = new Patcher(updater, bodies);
    applier = new Applier(rules, creator, updater);
    deleter = new Deleter(rules, lister);
    scales = new Scales(store, updater, bodies, schema.type("autoscaling.v1.Scale"));
    bindings =
        new Bindings(
            store,
            kinds.bucket("pods").orElseThrow(),
            bodies,
            BodyType.of("v1", schema.type("core.v1.Binding")));
    evictions = new Evictions(deleter, bodies, schema.type("policy.v1.Eviction"));
  }

  public Freshness freshness() {
    return freshness;
  }

  /// For bodies that are no objects of the store.
  public BodyDecoder bodies() {
    return bodies;
  }

  public Getter getter() {
    return getter;
  }

  public Lister lister() {
    return lister;
  }

  public Watcher watcher() {
    return watcher;
  }

  public Creator creator() {
    return creator;
  }

  public Updater updater() {
    return updater;
  }

  public Patcher patcher() {
    return patcher;
  }

  public Applier applier() {
    return applier;
  }

  public Deleter deleter() {
    return deleter;
  }

  public Scales scales() {
    return scales;
  }

  public Bindings bindings() {
    return bindings;
  }

  public Evictions evictions() {
    return evictions;
  }
}
