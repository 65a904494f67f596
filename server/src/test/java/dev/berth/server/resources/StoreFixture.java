package dev.berth.server.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.admission.AdmissionChain;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.catalog.KindOptions;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.resources.objects.ObjectCodec;
import dev.berth.server.resources.objects.ObjectStore;
import dev.berth.server.resources.objects.StoredObject;
import dev.berth.server.resources.requests.AdmissionWarnings;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.store.StoreLimits;
import dev.berth.store.embedded.EmbeddedStore;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;

/// A store that is gone with the test, with ConfigMaps and the verbs over it.
public final class StoreFixture implements AutoCloseable {
  private final ObjectSchema schema = ObjectSchema.load();
  private final ServedKinds kinds = ServedKinds.standard(schema, KindOptions.STANDARD);
  private final ResourceKind configMaps = kinds.bucket("configmaps").orElseThrow();
  private final ObjectCodec codec = new ObjectCodec(kinds.all());
  private final EmbeddedStore<StoredObject> raw =
      EmbeddedStore.inMemory(codec, StoreLimits.DEFAULT, Clock.systemUTC());
  private final ObjectStore store = new ObjectStore(raw, codec);

  public ObjectStore store() {
    return store;
  }

  public ServedKinds kinds() {
    return kinds;
  }

  public ObjectCodec codec() {
    return codec;
  }

  public RequestTarget target(String namespace) {
    return new RequestTarget(
        configMaps,
        configMaps.storedVersion(),
        namespace,
        "",
        "",
        UserInfo.of("test"),
        new AdmissionWarnings(),
        Instant.EPOCH);
  }

  /// All verbs, with nothing that admits or refuses.
  public ResourceVerbs verbs() {
    return new ResourceVerbs(
        new WriteRules(store, kinds, new AdmissionChain(List.of())),
        kinds,
        schema,
        UUID::randomUUID,
        RandomGenerator.of("L64X128MixRandom"),
        System::nanoTime);
  }

  /// An object of namespace `t`, or a part of it.
  public RequestTarget target(String bucket, String name, String subresource) {
    ResourceKind kind = kinds.bucket(bucket).orElseThrow();
    return new RequestTarget(
        kind,
        kind.storedVersion(),
        "t",
        name,
        subresource,
        UserInfo.of("test"),
        new AdmissionWarnings(),
        Instant.EPOCH);
  }

  public ObjectNode put(String namespace, String name, String label) {
    ObjectNode object = JsonTrees.object();
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

  public void delete(String namespace, String name) {
    store.delete(store.get(configMaps, namespace, name));
  }

  @Override
  public void close() {
    raw.close();
  }
}
