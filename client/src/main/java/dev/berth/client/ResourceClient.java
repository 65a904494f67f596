package dev.berth.client;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The objects of one kind on a server, and the verbs on them.
///
/// Every method throws [ApiException] when the server refuses and [NoAnswerException] when it does
/// not answer.
///
/// The class is a thin layer: no cache, no repetition, no defaults. Objects are read while they
/// arrive, so a long list is never in memory as text. Any number of threads may use it.
public final class ResourceClient<T> {
  private static final byte[] NOTHING = {};

  private final ApiTransport transport;
  private final ResourceType type;
  private final ObjectCodec<T> codec;

  ResourceClient(ApiTransport transport, ResourceType type, ObjectCodec<T> codec) {
    this.transport = transport;
    this.type = type;
    this.codec = codec;
  }

  public ResourceType type() {
    return type;
  }

  public ObjectCodec<T> codec() {
    return codec;
  }

  public T get(ObjectKey key) {
    return one("GET", type.path(key), "", NOTHING);
  }

  /// The object; empty only when the server reports that no such object exists. An unknown kind or
  /// path throws: unknown is not absent.
  public Optional<T> find(ObjectKey key) {
    try {
      return Optional.of(get(key));
    } catch (ApiException e) {
      if (e.isObjectNotFound()) {
        return Optional.empty();
      }
      throw e;
    }
  }

  public List<T> list(ListQuery query) {
    return list(query, ListPage.EVERYTHING).items();
  }

  public ObjectList<T> list(ListQuery query, ListPage page) {
    Map<String, String> more = new LinkedHashMap<>();
    more.put("limit", page.limit() == 0 ? "" : Integer.toString(page.limit()));
    more.put("continue", page.continueToken());
    more.put("resourceVersion", page.resourceVersion());
    String target = type.collectionPath(query.namespace()) + query.queryString(more);
    ApiRequest request = ApiRequest.get(target, codec.accept(true));
    try (ApiResponse response = sendForSuccess(request)) {
      return readList(response);
    } catch (IOException e) {
      throw new NoAnswerException(request + ": the answer is incomplete: " + e.getMessage(), e);
    }
  }

  /// Opens a watch from a revision; the server ends it after about the given time.
  public OpenWatch<T> watch(ListQuery query, String resourceVersion, int timeoutSeconds) {
    Map<String, String> more = new LinkedHashMap<>();
    more.put("watch", "1");
    more.put("allowWatchBookmarks", "true");
    more.put("resourceVersion", resourceVersion);
    more.put("timeoutSeconds", Integer.toString(timeoutSeconds));
    String target = type.collectionPath(query.namespace()) + query.queryString(more);
    return new OpenWatch<>(sendForSuccess(ApiRequest.watch(target, codec.accept(false))), codec);
  }

  public T create(T object) {
    String namespace = codec.key(object).namespace();
    return one("POST", type.collectionPath(namespace), "application/json", codec.write(object));
  }

  public T update(T object) {
    return update(object, "");
  }

  /// Writes through a subresource such as `status`, or the object itself when that is empty.
  public T update(T object, String subresource) {
    String path = type.path(codec.key(object)) + (subresource.isEmpty() ? "" : "/" + subresource);
    return one("PUT", path, "application/json", codec.write(object));
  }

  public T patch(ObjectKey key, ObjectPatch patch) {
    return patch(key, patch, "");
  }

  public T patch(ObjectKey key, ObjectPatch patch, String subresource) {
    String path = type.path(key) + (subresource.isEmpty() ? "" : "/" + subresource);
    return one(
        "PATCH", path + patch.parameters(), patch.contentType(), ClientJson.bytes(patch.body()));
  }

  public void delete(ObjectKey key, DeleteOptions options) {
    discard("DELETE", type.path(key), options);
  }

  /// Deletes every object of a namespace that the selectors match.
  public void deleteCollection(ListQuery query, DeleteOptions options) {
    String path = type.collectionPath(query.namespace()) + query.queryString(Map.of());
    discard("DELETE", path, options);
  }

  private T one(String method, String target, String contentType, byte[] body) {
    ApiRequest request = ApiRequest.of(method, target, codec.accept(false), contentType, body);
    try (ApiResponse response = sendForSuccess(request);
        JsonParser parser = ClientJson.MAPPER.createParser(response.body())) {
      parser.nextToken();
      T object = codec.read(parser);
      response.drain();
      return object;
    } catch (IOException e) {
      throw new NoAnswerException(request + ": the answer is incomplete: " + e.getMessage(), e);
    }
  }

  private void discard(String method, String target, DeleteOptions options) {
    ApiRequest request =
        ApiRequest.of(method, target, codec.accept(false), "application/json", options.body());
    try (ApiResponse response = sendForSuccess(request)) {
      response.drain();
    }
  }

  private ApiResponse sendForSuccess(ApiRequest request) {
    return ApiClient.requireSuccess(request, transport.send(request));
  }

  private ObjectList<T> readList(ApiResponse response) throws IOException {
    String resourceVersion = "";
    String continueToken = "";
    List<T> items = new ArrayList<>();
    try (JsonParser parser = ClientJson.MAPPER.createParser(response.body())) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String field = parser.currentName();
        JsonToken value = parser.nextToken();
        if (field.equals("metadata")) {
          JsonNode metadata = ClientJson.MAPPER.readTree(parser);
          resourceVersion = metadata.path("resourceVersion").asText();
          continueToken = metadata.path("continue").asText();
        } else if (field.equals("items") && value == JsonToken.START_ARRAY) {
          while (parser.nextToken() == JsonToken.START_OBJECT) {
            items.add(codec.read(parser));
          }
        } else {
          parser.skipChildren();
        }
      }
      response.drain();
    }
    if (resourceVersion.isEmpty()) {
      // An answer that is no list must not count as an empty list: controllers would delete what
      // they manage.
      throw new IOException("it is not a list");
    }
    return new ObjectList<>(resourceVersion, continueToken, items);
  }
}
