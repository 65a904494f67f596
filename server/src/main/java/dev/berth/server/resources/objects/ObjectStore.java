package dev.berth.server.resources.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.store.EncodedObject;
import dev.berth.store.Store;
import dev.berth.store.StoreEntry;
import dev.berth.store.StoreSnapshot;
import dev.berth.store.StoreUnavailableException;
import dev.berth.store.StoreWrite;
import dev.berth.store.ValueTooLargeException;
import dev.berth.store.WriteOutcome;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The store in terms of the API: kinds, namespaces and names instead of keys.
///
/// The class knows nothing about versions of the API, admission or validation; the verbs pass
/// complete objects of the stored version. Writes are conditional: `create` on absence, `replace`
/// and `delete` on a revision. All methods may be called by any thread; only writes block, until
/// the change is durable.
public final class ObjectStore {
  private final Store<StoredObject> store;
  private final ObjectCodec codec;
  private final ReadFreshness freshness;

  public ObjectStore(Store<StoredObject> store, ObjectCodec codec) {
    this.store = store;
    this.codec = codec;
    this.freshness = new ReadFreshness(store);
  }

  public Store<StoredObject> raw() {
    return store;
  }

  public ReadFreshness freshness() {
    return freshness;
  }

  /// Validation keeps slashes out of stored names and namespaces, so the keys of different objects
  /// differ.
  public static String key(ResourceKind kind, String namespace, String name) {
    return kind.namespaced()
        ? kind.bucket() + "/" + namespace + "/" + name
        : kind.bucket() + "/" + name;
  }

  /// The key prefix of a kind, or of a kind in one namespace.
  public static String prefix(ResourceKind kind, String namespace) {
    return namespace.isEmpty() || !kind.namespaced()
        ? kind.bucket() + "/"
        : kind.bucket() + "/" + namespace + "/";
  }

  public @Nullable StoreEntry<StoredObject> find(ResourceKind kind, String namespace, String name) {
    return store.get(key(kind, namespace, name));
  }

  public StoreEntry<StoredObject> get(ResourceKind kind, String namespace, String name) {
    StoreEntry<StoredObject> entry = find(kind, namespace, name);
    if (entry == null) {
      throw ApiException.notFound(kind.resource(), name);
    }
    return entry;
  }

  /// A new tree of the stored version, with `kind` and `apiVersion`; the caller may change it.
  public ObjectNode tree(ResourceKind kind, StoredObject object) {
    return typed(kind, object.tree());
  }

  public static ObjectNode typed(ResourceKind kind, ObjectNode tree) {
    return tree.put("kind", kind.names().kind())
        .put("apiVersion", kind.storedVersion().apiVersion());
  }

  public StoreSnapshot<StoredObject> list(ResourceKind kind, String namespace) {
    return store.snapshot(kind.bucket()).prefix(prefix(kind, namespace));
  }

  public WriteOutcome<StoredObject> create(ResourceKind kind, ObjectNode object) {
    String key = keyOf(kind, object);
    return commit(object, value -> new StoreWrite.Create(key, value));
  }

  public WriteOutcome<StoredObject> replace(
      ResourceKind kind, ObjectNode object, long expectedRevision) {
    String key = keyOf(kind, object);
    return commit(object, value -> new StoreWrite.Replace(key, value, expectedRevision));
  }

  public WriteOutcome<StoredObject> delete(StoreEntry<StoredObject> entry) {
    return commit(new StoreWrite.Delete(entry.key(), entry.revision()));
  }

  /// When an object with its managed fields exceeds the size limit, it is stored without them.
  private WriteOutcome<StoredObject> commit(
      ObjectNode object, Function<EncodedObject, StoreWrite> write) {
    try {
      return commit(write.apply(codec.encoded(object)));
    } catch (ValueTooLargeException e) {
      if (ObjectMetadata.of(object).remove("managedFields") == null) {
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

  private WriteOutcome<StoredObject> commit(StoreWrite write) {
    try {
      return store.commit(write);
    } catch (StoreUnavailableException e) {
      throw ApiException.unavailable(e.problem().toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      // The write may still become durable. A client that repeats it gets a conflict then, as after
      // any lost answer.
      throw ApiException.unavailable("the server is shutting down");
    }
  }
}
