package dev.berth.server.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.json.Json;
import dev.berth.server.kinds.KindOptions;
import dev.berth.server.kinds.Kinds;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.schema.Schema;
import dev.berth.store.StoreLimits;
import dev.berth.store.embedded.EmbeddedStore;
import java.time.Clock;
import java.time.Instant;

/// ConfigMaps in a store that is gone with the test.
final class StoreFixture implements AutoCloseable {
  private final Kinds kinds = Kinds.standard(Schema.load(), KindOptions.STANDARD);
  private final ResourceKind configMaps = kinds.bucket("configmaps").orElseThrow();
  private final ObjectCodec codec = new ObjectCodec(kinds.all());
  private final EmbeddedStore<StoredObject> raw =
      EmbeddedStore.inMemory(codec, StoreLimits.DEFAULT, Clock.systemUTC());
  private final ObjectStore store = new ObjectStore(raw, codec);

  ObjectStore store() {
    return store;
  }

  ObjectCodec codec() {
    return codec;
  }

  Target target(String namespace) {
    return new Target(
        configMaps,
        configMaps.storedVersion(),
        namespace,
        "",
        "",
        UserInfo.of("test"),
        new Warnings(),
        Instant.EPOCH);
  }

  ObjectNode put(String namespace, String name, String label) {
    ObjectNode object = Json.object();
    ObjectNode metadata = object.putObject("metadata");
    metadata.put("name", name).put("namespace", namespace);
    metadata.putObject("labels").put("l", label);
    var existing = store.find(configMaps, namespace, name);
    if (existing == null) {
      store.create(configMaps, object);
    } else {
      store.replace(configMaps, object, existing.revision());
    }
    return object;
  }

  void delete(String namespace, String name) {
    store.delete(store.get(configMaps, namespace, name));
  }

  @Override
  public void close() {
    raw.close();
  }
}
