package dev.berth.server.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.json.JsonTrees;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Records a request: one `Event` of `audit.k8s.io/v1` per stage, with upstream's order of fields.
///
/// The thread of the request uses it. Events are encoded here, in the thread of the request, so
/// that the thread of the log only writes bytes.
final class EventAudit implements RequestAudit {
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
  private static final String TRUNCATED = "audit.k8s.io/truncated";

  /// Larger events are written without objects, so that a few lists cannot fill the buffer.
  private static final int MAX_EVENT_BYTES = 8 << 20;

  private final AuditRequest request;
  private final @Nullable UserInfo user;
  private final AuditPolicy.Decision decision;
  private final Supplier<Map<String, String>> annotationsOfOthers;
  private final InstantSource clock;
  private final Consumer<byte[]> sink;
  private final Instant received;
  private final Map<String, String> annotations = new TreeMap<>();
  private final ObjectNode objectRef;
  private @Nullable UserInfo impersonated;
  private @Nullable JsonNode requestObject;
  private @Nullable JsonNode responseObject;
  private @Nullable ObjectNode responseStatus;
  private boolean started;
  private boolean ended;

  EventAudit(
      AuditRequest request,
      @Nullable UserInfo user,
      AuditPolicy.Decision decision,
      Supplier<Map<String, String>> annotationsOfOthers,
      InstantSource clock,
      Consumer<byte[]> sink) {
    this.request = request;
    this.user = user;
    this.decision = decision;
    this.annotationsOfOthers = annotationsOfOthers;
    this.clock = clock;
    this.sink = sink;
    this.received = clock.instant();
    this.objectRef = reference(request.resource());
  }

  private static ObjectNode reference(AuditRequest.Resource target) {
    ObjectNode reference = JsonTrees.object();
    putUnlessEmpty(reference, "resource", target.plural());
    putUnlessEmpty(reference, "namespace", target.namespace());
    putUnlessEmpty(reference, "name", target.name());
    return reference;
  }

  private static void putUnlessEmpty(ObjectNode node, String field, String value) {
    if (!value.isEmpty()) {
      node.put(field, value);
    }
  }

  @Override
  public void received() {
    write(AuditStage.REQUEST_RECEIVED, received);
  }

  @Override
  public void impersonated(UserInfo other) {
    impersonated = other;
  }

  @Override
  public void annotate(String key, String value) {
    annotations.put(key, value);
  }

  @Override
  public boolean wantsRequest() {
    return decision.level().includes(AuditLevel.REQUEST);
  }

  @Override
  public void requestObject(JsonNode object) {
    if (request.isResource()) {
      JsonNode metadata = object.path("metadata");
      for (String field : List.of("namespace", "name", "uid", "resourceVersion")) {
        if (!objectRef.has(field)) {
          putUnlessEmpty(objectRef, field, metadata.path(field).asText());
        }
      }
    }
    if (wantsRequest()) {
      requestObject = recorded(object);
    }
  }

  /// A patch says nothing certain about the object, so it does not complete the reference.
  @Override
  public void requestPatch(JsonNode patch) {
    if (wantsRequest()) {
      requestObject = patch.deepCopy();
    }
  }

  @Override
  public boolean wantsResponse() {
    return decision.level().includes(AuditLevel.REQUEST_RESPONSE);
  }

  @Override
  public void responseObject(JsonNode object) {
    if (wantsResponse()) {
      responseObject = recorded(object);
    }
  }

  /// The copy is taken at once, because admission changes the object afterwards.
  private JsonNode recorded(JsonNode object) {
    JsonNode copy = object.deepCopy();
    if (decision.omitManagedFields()) {
      removeManagedFields(copy);
      copy.path("items").forEach(EventAudit::removeManagedFields);
      copy.path("rows").forEach(row -> removeManagedFields(row.path("object")));
    }
    return copy;
  }

  private static void removeManagedFields(JsonNode object) {
    if (object.path("metadata") instanceof ObjectNode metadata) {
      metadata.remove("managedFields");
    }
  }

  @Override
  public void status(ObjectNode status) {
    responseObject(status);
    responseStatus = status.deepCopy();
    responseStatus.remove(List.of("kind", "apiVersion"));
  }

  /// Only long requests and unauthenticated ones have the stage ResponseStarted, as upstream has
  /// it.
  @Override
  public void started(int code) {
    if (responseStatus == null) {
      responseStatus = JsonTrees.object();
      responseStatus.putObject("metadata");
    }
    responseStatus.put("code", code);
    if (!started && (request.isLong() || user == null)) {
      write(AuditStage.RESPONSE_STARTED, clock.instant());
    }
    started = true;
  }

  @Override
  public void failed(Throwable why) {
    responseStatus = JsonTrees.object();
    responseStatus.putObject("metadata");
    responseStatus
        .put("status", "Failure")
        .put("message", "APIServer panic'd: " + why)
        .put("reason", "InternalError")
        .put("code", 500);
    end(AuditStage.PANIC);
  }

  @Override
  public void complete() {
    if (user == null) {
      // Of unauthenticated requests upstream records only the answer.
      ended = true;
    }
    if (responseStatus == null && !ended) {
      responseStatus = JsonTrees.object();
      responseStatus.putObject("metadata");
      responseStatus
          .put("status", "Success")
          .put("message", "Connection closed early")
          .put("code", 200);
      if (request.isLong()) {
        write(AuditStage.RESPONSE_STARTED, clock.instant());
      }
    }
    end(AuditStage.RESPONSE_COMPLETE);
  }

  private void end(AuditStage stage) {
    if (!ended) {
      ended = true;
      write(stage, clock.instant());
    }
  }

  private void write(AuditStage stage, Instant now) {
    if (decision.omitStages().contains(stage)) {
      return;
    }
    ObjectNode event = event(stage, now);
    byte[] bytes = JsonTrees.bytes(event);
    if (bytes.length > MAX_EVENT_BYTES) {
      event.remove(List.of("requestObject", "responseObject"));
      event.withObject("/annotations").put(TRUNCATED, "true");
      bytes = JsonTrees.bytes(event);
    }
    sink.accept(bytes);
  }

  private ObjectNode event(AuditStage stage, Instant now) {
    ObjectNode event = JsonTrees.object().put("kind", "Event").put("apiVersion", "audit.k8s.io/v1");
    event.put("level", decision.level().toString()).put("auditID", request.id());
    event.put("stage", stage.toString()).put("requestURI", request.uri());
    event
        .put("verb", request.verb())
        .set("user", user == null ? JsonTrees.object() : user.toJson());
    if (impersonated != null) {
      event.set("impersonatedUser", impersonated.toJson());
    }
    ArrayNode addresses = event.putArray("sourceIPs");
    request.sourceAddresses().forEach(addresses::add);
    putUnlessEmpty(event, "userAgent", request.userAgent());
    if (request.isResource()) {
      event.set("objectRef", completeReference());
    }
    if (responseStatus != null) {
      event.set("responseStatus", responseStatus);
    }
    if (requestObject != null) {
      event.set("requestObject", requestObject);
    }
    if (responseObject != null) {
      event.set("responseObject", responseObject);
    }
    event.put("requestReceivedTimestamp", MICROS.format(received));
    event.put("stageTimestamp", MICROS.format(now));
    Map<String, String> all = new TreeMap<>(annotations);
    all.putAll(annotationsOfOthers.get());
    if (!all.isEmpty()) {
      all.forEach(event.putObject("annotations")::put);
    }
    return event;
  }

  private ObjectNode completeReference() {
    ObjectNode reference = JsonTrees.object();
    for (String field : List.of("resource", "namespace", "name", "uid")) {
      putUnlessEmpty(reference, field, objectRef.path(field).asText());
    }
    putUnlessEmpty(reference, "apiGroup", request.resource().group());
    putUnlessEmpty(reference, "apiVersion", request.resource().version());
    putUnlessEmpty(reference, "resourceVersion", objectRef.path("resourceVersion").asText());
    putUnlessEmpty(reference, "subresource", request.resource().subresource());
    return reference;
  }
}
