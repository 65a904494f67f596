package dev.berth.server.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.store.Encoded;
import dev.berth.store.Entry;
import dev.berth.store.Outcome;
import dev.berth.store.Snapshot;
import dev.berth.store.Store;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.ValueTooLargeException;
import dev.berth.store.Write;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The store in the words of the API: kinds, namespaces and names instead of keys.
public final class ObjectStore {
  private final Store<StoredObject> store;
  private final ObjectCodec codec;
  private final Freshness freshness;

  public ObjectStore(Store<StoredObject> store, ObjectCodec codec) {
    this.store = store;
    this.codec = codec;
    this.freshness = new Freshness(store);
  }

  public Store<StoredObject> raw() {
    return store;
  }

  public Freshness freshness() {
    return freshness;
  }

  public static String key(ResourceKind kind, String namespace, String name) {
    return kind.namespaced()
        ? kind.bucket() + "/" + namespace + "/" + name
        : kind.bucket() + "/" + name;
  }

  /// The prefix of all keys of a kind, or of those in one namespace.
  static String prefix(ResourceKind kind, String namespace) {
    return namespace.isEmpty() || !kind.namespaced()
        ? kind.bucket() + "/"
        : kind.bucket() + "/" + namespace + "/";
  }

  public @Nullable Entry<StoredObject> find(ResourceKind kind, String namespace, String name) {
    return store.get(key(kind, namespace, name));
  }

  public Entry<StoredObject> get(ResourceKind kind, String namespace, String name) {
    Entry<StoredObject> entry = find(kind, namespace, name);
    if (entry == null) {
      throw ApiException.notFound(kind.resource(), name);
    }
    return entry;
  }

  /// A tree of the stored version that the caller may change, with `kind` and `apiVersion`.
  public ObjectNode tree(ResourceKind kind, StoredObject object) {
    return typed(kind, object.tree());
  }

  static ObjectNode typed(ResourceKind kind, ObjectNode tree) {
    return tree.put("kind", kind.names().kind())
        .put("apiVersion", kind.storedVersion().apiVersion());
  }

  public Snapshot<StoredObject> list(ResourceKind kind, String namespace) {
    return store.snapshot(kind.bucket()).prefix(prefix(kind, namespace));
  }

  Outcome<StoredObject> create(ResourceKind kind, ObjectNode object) {
    String key = keyOf(kind, object);
    return commit(object, value -> new Write.Create(key, value));
  }

  Outcome<StoredObject> replace(ResourceKind kind, ObjectNode object, long expectedRevision) {
    String key = keyOf(kind, object);
    return commit(object, value -> new Write.Replace(key, value, expectedRevision));
  }

  Outcome<StoredObject> delete(Entry<StoredObject> entry) {
    return commit(new Write.Delete(entry.key(), entry.revision()));
  }

  /// Who owns which field is worth less than the object: it is left out when both are too large.
  private Outcome<StoredObject> commit(ObjectNode object, Function<Encoded, Write> write) {
    try {
      return commit(write.apply(codec.encoded(object)));
    } catch (ValueTooLargeException e) {
      if (Metadata.of(object).remove("managedFields") == null) {
        throw tooLarge(e);
      }
      try {
        return commit(write.apply(codec.encoded(object)));
      } catch (ValueTooLargeException again) {
        throw tooLarge(again);
      }
    }
  }

  private static ApiException tooLarge(ValueTooLargeException e) {
    return ApiException.requestTooLarge(String.valueOf(e.getMessage()));
  }

  private static String keyOf(ResourceKind kind, ObjectNode object) {
    return key(
        kind,
        object.path("metadata").path("namespace").asText(),
        object.path("metadata").path("name").asText());
  }

  private Outcome<StoredObject> commit(Write write) {
    try {
      return store.commit(write);
    } catch (StoreUnavailableException e) {
      throw ApiException.unavailable(e.problem().toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ApiException.unavailable("the server is shutting down");
    }
  }
}
