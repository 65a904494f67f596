package dev.berth.server.resources.requests;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.json.TreeNormalizer;
import dev.berth.server.json.WrongTypeException;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.resources.requests.WriteOptions.FieldValidation;
import dev.berth.server.schema.ObjectType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/// Decodes bodies: checks kind and types, and handles unknown fields as the client requested.
public final class BodyDecoder {
  // Upstream's message names a line of its source; clients and tests compare the whole text.
  private static final String SCHEME = "pkg/api/legacyscheme/scheme.go:30";

  private final ServedKinds kinds;

  public BodyDecoder(ServedKinds kinds) {
    this.kinds = kinds;
  }

  /// Normalizes a body that is not stored itself, such as a Binding.
  public ObjectNode decode(
      BodyType wanted, RequestBody body, FieldValidation validation, Consumer<String> warnings) {
    require(wanted, body.tree());
    List<String> unknown = new ArrayList<>();
    ObjectNode normal = normal(wanted.type(), body.tree(), unknown, wanted::cannotHandle);
    report(StrictProblems.of(body, unknown), validation, warnings, wanted::cannotHandle);
    if (body.audit().wantsRequest()) {
      body.audit().requestObject(wanted.typed(normal.deepCopy()));
    } else {
      body.audit().requestObject(normal);
    }
    return normal;
  }

  /// Normalizes an object and reports its unknown fields.
  ///
  /// @param refusal makes the exception from the reason
  public static ObjectNode normal(
      ObjectType type,
      ObjectNode object,
      List<String> unknown,
      Function<String, ApiException> refusal) {
    try {
      return new TreeNormalizer(unknown).normalize(type, object);
    } catch (WrongTypeException e) {
      throw refusal.apply(String.valueOf(e.getMessage()));
    }
  }

  public static void report(
      List<String> problems,
      FieldValidation validation,
      Consumer<String> warnings,
      Function<String, ApiException> refusal) {
    if (problems.isEmpty()) {
      return;
    }
    switch (validation) {
      case IGNORE -> {}
      case WARN -> problems.forEach(warnings);
      case STRICT -> throw refusal.apply("strict decoding error: " + String.join(", ", problems));
    }
  }

  /// Rejects an object with another kind or apiVersion.
  ///
  /// The texts are those of upstream's decoder, which clients and its tests compare. An absent kind
  /// or apiVersion is taken from the path, as upstream does.
  public void require(BodyType wanted, ObjectNode object) {
    if (wanted.fits(object)) {
      return;
    }
    String why = mismatch(wanted, object);
    Sent sent = Sent.of(wanted, object);
    throw ApiException.badRequest(
        sent.kind().equals(wanted.kind()) && isKnown(sent)
            ? why
            : "%s in version \"%s\" cannot be handled as a %s: %s"
                .formatted(sent.kind(), sent.version(), wanted.kind(), why));
  }

  /// The reason why an object does not fit.
  public String mismatch(BodyType wanted, ObjectNode object) {
    Sent sent = Sent.of(wanted, object);
    if (!isKnown(sent)) {
      return "no kind \"%s\" is registered for version \"%s\" in scheme \"%s\""
          .formatted(sent.kind(), sent.apiVersion(), SCHEME);
    }
    if (sent.kind().equals(wanted.kind())) {
      return "the API version in the data (%s) does not match the expected API version (%s)"
          .formatted(sent.apiVersion(), wanted.apiVersion());
    }
    return "converting (%s.%s) to (%s.%s): unknown conversion"
        .formatted(sent.version(), sent.kind(), internalGroup(wanted), wanted.kind());
  }

  /// The kind and apiVersion of an object; absent ones are the expected ones.
  private record Sent(String apiVersion, String kind) {
    static Sent of(BodyType wanted, ObjectNode object) {
      String apiVersion = object.path("apiVersion").asText("");
      String kind = object.path("kind").asText("");
      return new Sent(
          apiVersion.isEmpty() ? wanted.apiVersion() : apiVersion,
          kind.isEmpty() ? wanted.kind() : kind);
    }

    String version() {
      return BodyType.versionOf(apiVersion);
    }
  }

  private boolean isKnown(Sent sent) {
    String group = BodyType.groupOf(sent.apiVersion());
    return kinds.kind(group, sent.version(), sent.kind()).isPresent()
        || kinds.reviews().stream()
            .anyMatch(
                review ->
                    review.kind().equals(sent.kind())
                        && review.apiVersion().equals(sent.apiVersion()));
  }

  private static String internalGroup(BodyType wanted) {
    return wanted.group().isEmpty() ? "core" : wanted.group().replaceAll("\\..*", "");
  }
}
