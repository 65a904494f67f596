package dev.berth.client.fake;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResponse;
import dev.berth.client.ApiTransport;
import dev.berth.client.NoAnswerException;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import dev.berth.client.ServedResource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// An API server in memory, used as a client's transport.
///
/// It knows the rules that loops depend on (revisions, conflicts, finalizers, propagation,
/// namespaces, watches that resume and expire), not defaulting, validation or authorization. Knobs:
/// [#refuse] and [#mute] for faults, [#cutWatches] and [#forgetHistory] for broken and expired
/// watches, [#onRequest] to do something in the middle.
///
/// Every request is answered under one lock, so tests see each request either before or after
/// another one. The fake lives in main code because tests of several modules use it.
public final class FakeApi implements ApiTransport {
  static final JsonMapper MAPPER = new JsonMapper();

  private record Fault(Predicate<ApiRequest> which, int code, String reason) {}

  private final ReentrantLock lock = new ReentrantLock();
  // The three below are guarded by the lock.
  private final List<ServedResource> served;
  private final FakeState state;
  private final FakeWatches watches;

  // Not guarded: tests install faults from any thread, also from an observer of a request.
  private final List<Fault> faults = new CopyOnWriteArrayList<>();
  private final List<Consumer<ApiRequest>> observers = new CopyOnWriteArrayList<>();

  public FakeApi(Collection<ResourceType> types, InstantSource clock) {
    this.served = new ArrayList<>();
    types.forEach(type -> served.add(new ServedResource(type, verbs(type))));
    this.watches = new FakeWatches();
    this.state = new FakeState(clock, watches::publish);
  }

  private static Set<String> verbs(ResourceType type) {
    Set<String> verbs =
        new java.util.HashSet<>(
            Set.of("create", "delete", "get", "list", "patch", "update", "watch"));
    if (!type.equals(ResourceType.NAMESPACES)) {
      verbs.add("deletecollection");
    }
    return verbs;
  }

  /// Answers matching requests with an error until the returned handle is closed.
  public Lift refuse(Predicate<ApiRequest> which, int code, String reason) {
    return install(new Fault(which, code, reason));
  }

  /// Does not answer matching requests until the returned handle is closed.
  public Lift mute(Predicate<ApiRequest> which) {
    return install(new Fault(which, 0, ""));
  }

  private Lift install(Fault fault) {
    faults.add(fault);
    return () -> faults.remove(fault);
  }

  /// Ends a fault.
  @FunctionalInterface
  public interface Lift extends AutoCloseable {
    @Override
    void close();
  }

  /// Called before each request is answered; may throw to make it fail.
  public void onRequest(Consumer<ApiRequest> observer) {
    observers.add(observer);
  }

  /// Breaks the connection of every open watch.
  public void cutWatches() {
    cut(_ -> true);
  }

  /// Breaks the connection of every watch of a kind.
  public void cutWatches(ResourceType type) {
    cut(type::equals);
  }

  private void cut(Predicate<ResourceType> which) {
    locked(
        () -> {
          watches.cut(which);
          return null;
        });
  }

  /// Forgets all events, so that a watch from an older revision is answered with 410.
  public void forgetHistory() {
    locked(
        () -> {
          state.forgetHistory();
          return null;
        });
  }

  /// Offers one kind more.
  public void serve(ResourceType type) {
    locked(() -> served.add(new ServedResource(type, verbs(type))));
  }

  /// Creates an object as a client would.
  public ObjectNode create(ResourceType type, ObjectNode object) {
    return locked(() -> state.create(type, object).deepCopy());
  }

  public ObjectNode createNamespace(String name) {
    ObjectNode namespace = MAPPER.createObjectNode();
    namespace.putObject("metadata").put("name", name);
    return create(ResourceType.NAMESPACES, namespace);
  }

  public Optional<ObjectNode> find(ResourceType type, ObjectKey key) {
    return locked(() -> Optional.ofNullable(state.of(type).get(key)).map(ObjectNode::deepCopy));
  }

  public List<ObjectNode> list(ResourceType type) {
    return locked(() -> state.of(type).values().stream().map(ObjectNode::deepCopy).toList());
  }

  /// Deletes an object as a client would, with DeleteOptions of the given policy.
  public void delete(ResourceType type, ObjectKey key, String policy) {
    ObjectNode options = MAPPER.createObjectNode().put("propagationPolicy", policy);
    locked(() -> state.delete(type, key, options));
  }

  public int openWatches() {
    return locked(watches::open);
  }

  @Override
  public ApiResponse send(ApiRequest request) {
    // Outside of the lock, so that an observer may itself change the fake before the request is
    // answered.
    observers.forEach(observer -> observer.accept(request));
    for (Fault fault : faults) {
      if (fault.which().test(request)) {
        if (fault.code() == 0) {
          throw new NoAnswerException(request + ": no answer", null);
        }
        return answer(new FakeRefusal(fault.code(), fault.reason(), "", "made to fail"));
      }
    }
    return locked(
        () -> {
          try {
            return route(request);
          } catch (FakeRefusal refusal) {
            return answer(refusal);
          } catch (IOException e) {
            throw new NoAnswerException("the fake could not read " + request, e);
          }
        });
  }

  /// Defaulting and validation are left out on purpose: a loop must not rely on them for its own
  /// objects.
  private ApiResponse route(ApiRequest request) throws IOException {
    if (request.target().equals("/api") || request.target().equals("/apis")) {
      return answer(200, FakeDiscovery.describe(request, served));
    }
    FakePath path = FakePath.parse(request.target(), served);
    boolean metadataOnly = request.accept().contains("as=PartialObjectMetadata");
    if (path.isCollection() && request.method().equals("GET")) {
      return path.parameter("watch").isEmpty()
          ? answer(200, FakeLists.list(state, path, metadataOnly))
          : new ApiResponse(200, watches.open(state, path, metadataOnly));
    }
    ObjectNode result =
        switch (request.method()) {
          case "GET" -> state.get(path.type(), path.key());
          case "POST" -> post(path, read(request));
          case "PUT" -> state.replace(path.type(), read(request));
          case "PATCH" -> patch(path, read(request), request.contentType());
          case "DELETE" -> delete(path, read(request));
          default -> throw new FakeRefusal(405, "MethodNotAllowed", "", "not allowed");
        };
    return answer(200, FakeLists.show(result, metadataOnly));
  }

  private ObjectNode post(FakePath path, ObjectNode body) {
    if (path.subresource().equals("binding")) {
      ObjectNode pod = state.get(path.type(), path.key()).deepCopy();
      String uid = body.path("metadata").path("uid").asText();
      if (pod.path("spec").has("nodeName")
          || !(uid.isEmpty() || uid.equals(pod.path("metadata").path("uid").asText()))) {
        throw FakeRefusal.conflict(
            "pods/binding", path.key().name(), "already assigned, or another");
      }
      pod.withObject("/spec").set("nodeName", body.path("target").path("name"));
      return state.replace(path.type(), pod);
    }
    return state.create(path.type(), body);
  }

  /// JSON patches are not supported, because no loop uses them.
  private ObjectNode patch(FakePath path, ObjectNode patch, String language) {
    ObjectNode next = state.get(path.type(), path.key()).deepCopy();
    ((ObjectNode) next.get("metadata")).remove("resourceVersion");
    if (language.contains("strategic")) {
      FakeLists.mergeStrategically(next, patch);
    } else {
      FakeLists.merge(next, patch);
    }
    return state.replace(path.type(), next);
  }

  private ObjectNode delete(FakePath path, ObjectNode options) {
    if (!path.isCollection()) {
      return state.delete(path.type(), path.key(), options);
    }
    for (ObjectKey key : List.copyOf(state.of(path.type()).keySet())) {
      if (key.namespace().equals(path.key().namespace())) {
        state.delete(path.type(), key, options);
      }
    }
    return MAPPER.createObjectNode().put("kind", "List");
  }

  /// Sends the current revision to every watch.
  public void bookmark() {
    locked(
        () -> {
          watches.bookmark(state.revision());
          return null;
        });
  }

  private static ApiResponse answer(FakeRefusal refusal) {
    return answer(refusal.code(), refusal.status());
  }

  private static ApiResponse answer(int code, JsonNode body) {
    return new ApiResponse(code, new ByteArrayInputStream(bytes(body)));
  }

  static byte[] bytes(JsonNode node) {
    try {
      return MAPPER.writeValueAsBytes(node);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree can always be written", e);
    }
  }

  private static ObjectNode read(ApiRequest request) throws IOException {
    return request.body().length == 0
        ? MAPPER.createObjectNode()
        : (ObjectNode) MAPPER.readTree(request.body());
  }

  private <R extends @org.jspecify.annotations.Nullable Object> R locked(
      java.util.function.Supplier<R> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  /// Ends every watch; the objects stay, so that another client can go on with them.
  @Override
  public void close() {
    cutWatches();
  }
}
