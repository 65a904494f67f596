package dev.berth.server.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.errors.ApiException;
import dev.berth.server.errors.ApiStatus;
import dev.berth.server.json.ScalarForms;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.resources.objects.ObjectMetadata;
import dev.berth.server.resources.objects.StoredObject;
import dev.berth.server.resources.requests.RequestBody;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.server.resources.requests.WriteOptions;
import dev.berth.server.validation.FieldError;
import dev.berth.server.validation.fields.OwnerReferenceRules;
import dev.berth.store.WriteOutcome;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// POST of an object. The order of its steps is that of every write: decode, place in the
/// namespace, defaults, field owners, mutating admission, system fields, strategy, validation,
/// validating admission, reservation, store.
///
/// The order is upstream's, and clients depend on it: mutating plugins see defaulted values, but
/// neither the uid nor a generated name, and validating plugins see exactly what will be stored.
/// The store decides whether the name is free; there is no check before it that a concurrent create
/// could outdate.
public final class CreateVerb {
  /// Upstream's letters of generated names: no vowels and no digits that look like letters, so that
  /// no suffix spells a word.
  private static final String SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

  /// Upstream's generated names: five random characters, 63 at most together with the prefix.
  private static final int SUFFIX_LENGTH = 5;

  /// Upstream's limit: 63 characters without the five that are random.
  private static final int MAX_GENERATED_PREFIX = 58;

  /// Upstream's number of attempts to find a free name (KEP-4420).
  private static final int GENERATE_TRIES = 8;

  private final WriteRules rules;
  private final Supplier<UUID> ids;
  private final RandomGenerator random;

  public CreateVerb(WriteRules rules, Supplier<UUID> ids, RandomGenerator random) {
    this.rules = rules;
    this.ids = ids;
    this.random = random;
  }

  public VerbAnswer create(RequestTarget target, RequestBody body, WriteOptions options) {
    ObjectNode object = rules.decoder().decode(target, body, options.fieldValidation());
    return create(target, object, options);
  }

  /// Creates a decoded object; also used by PUT and apply of a missing object.
  public VerbAnswer create(RequestTarget target, ObjectNode object, WriteOptions options) {
    place(target, object);
    target.kind().defaults().apply(object);
    return admitAndStore(target, rules.owners().note(target, null, object, options), options);
  }

  /// Creates an object whose managed fields are already set, as apply does.
  VerbAnswer createOwned(RequestTarget target, ObjectNode object, WriteOptions options) {
    place(target, object);
    target.kind().defaults().apply(object);
    return admitAndStore(target, object, options);
  }

  private VerbAnswer admitAndStore(RequestTarget target, ObjectNode object, WriteOptions options) {
    ResourceKind kind = target.kind();
    boolean generate = ObjectMetadata.text(object, "name").isEmpty();
    rules.admit(target, Operation.CREATE, object, null, options);
    for (int attempt = 1; ; attempt++) {
      // Each attempt needs the object as admission left it. Without a generated name there is only
      // one attempt, so the copy is spared.
      ObjectNode candidate = generate ? object.deepCopy() : object;
      fillSystemFields(target, candidate, generate);
      kind.strategy().prepareCreate(candidate);
      check(target, candidate);
      kind.strategy().canonicalize(candidate);
      rules.validateAdmission(target, Operation.CREATE, candidate, null, options.dryRun());
      Runnable giveBack =
          rules.reserve(target, Operation.CREATE, candidate, null, options.dryRun());
      if (options.dryRun()) {
        return dryRun(target, candidate);
      }
      switch (rules.store().create(kind, candidate)) {
        case WriteOutcome.Committed<StoredObject>(_, var entry, _) when entry != null -> {
          return new VerbAnswer.Stored(201, entry);
        }
        case WriteOutcome.Committed<StoredObject> _ ->
            throw new IllegalStateException("created nothing");
        case WriteOutcome.Refused<StoredObject> refused -> {
          // Quota was charged for an object that does not exist.
          giveBack.run();
          if (!generate || attempt >= GENERATE_TRIES) {
            throw exists(kind, candidate, refused, generate);
          }
        }
      }
    }
  }

  private static void place(RequestTarget target, ObjectNode object) {
    OwnerReferenceRules.reduceDuplicates(object, target.warnings());
    ResourceKind kind = target.kind();
    String namespace = ObjectMetadata.text(object, "namespace");
    if (kind.namespaced() && !namespace.isEmpty() && !namespace.equals(target.namespace())) {
      throw ApiException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
    if (kind.namespaced()) {
      ObjectMetadata.of(object).put("namespace", target.namespace());
    } else {
      ObjectMetadata.of(object).remove("namespace");
    }
    if (!ObjectMetadata.text(object, "resourceVersion").isEmpty()
        && !ObjectMetadata.text(object, "resourceVersion").equals("0")) {
      throw ApiException.unclassified("resourceVersion should not be set on objects to be created");
    }
  }

  /// What the client sent in these fields is dropped and not refused, because clients copy objects.
  private void fillSystemFields(RequestTarget target, ObjectNode object, boolean generate) {
    ObjectMetadata.dropServerOwned(object);
    ObjectNode metadata = ObjectMetadata.of(object);
    String prefix = metadata.path("generateName").asText();
    if (generate && !prefix.isEmpty()) {
      metadata.put("name", generatedName(prefix));
    }
    metadata.put("uid", ids.get().toString());
    metadata.put("creationTimestamp", ScalarForms.time(target.now()));
    if (target.kind().behaviour().hasGeneration()) {
      metadata.put("generation", 1);
    }
  }

  private String generatedName(String prefix) {
    StringBuilder name = new StringBuilder(prefix);
    name.setLength(Math.min(prefix.length(), MAX_GENERATED_PREFIX));
    for (int i = 0; i < SUFFIX_LENGTH; i++) {
      name.append(SUFFIX_LETTERS.charAt(random.nextInt(SUFFIX_LETTERS.length())));
    }
    return name.toString();
  }

  private static void check(RequestTarget target, ObjectNode object) {
    List<FieldError> errors = target.kind().validateCreate(target.version(), object);
    if (!errors.isEmpty()) {
      throw ApiException.invalid(
          target.kind().resource(), ObjectMetadata.text(object, "name"), errors);
    }
    target.kind().validator().warn(object, target.warnings());
  }

  private VerbAnswer dryRun(RequestTarget target, ObjectNode object) {
    String name = ObjectMetadata.text(object, "name");
    if (rules.store().find(target.kind(), target.namespace(), name) != null) {
      throw ApiException.alreadyExists(target.kind().resource(), name);
    }
    return new VerbAnswer.Tree(201, object);
  }

  /// A client that sees that the object is being deleted knows that waiting helps.
  private static ApiException exists(
      ResourceKind kind,
      ObjectNode object,
      WriteOutcome.Refused<StoredObject> refused,
      boolean generated) {
    String name = ObjectMetadata.text(object, "name");
    ApiException exists = ApiException.alreadyExists(kind.resource(), name);
    ApiStatus status = exists.status();
    // The client can simply repeat the request: another random name is probably free.
    if (generated) {
      return new ApiException(
          new ApiStatus(
              409, status.reason(), status.message(), status.details().withRetryAfter(1)));
    }
    boolean deleting =
        refused.current() != null
            && refused.current().value().isReadable()
            && ObjectMetadata.isBeingDeleted(refused.current().value().tree());
    return deleting
        ? new ApiException(
            new ApiStatus(
                409,
                status.reason(),
                "object is being deleted: " + status.message(),
                status.details()))
        : exists;
  }
}
