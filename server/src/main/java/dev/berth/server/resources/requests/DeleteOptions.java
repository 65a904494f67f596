package dev.berth.server.resources.requests;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldError;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The options of a delete.
///
/// @param uid precondition; "" for none
/// @param resourceVersion precondition; "" for none
/// @param orphanDependents deprecated form of the propagation policy
/// @param ignoreReadError delete even if the stored value cannot be read:
///   `ignoreStoreReadErrorWithClusterBreakingPotential`
public record DeleteOptions(
    Optional<Long> gracePeriodSeconds,
    String uid,
    String resourceVersion,
    Propagation propagation,
    Optional<Boolean> orphanDependents,
    boolean dryRun,
    boolean ignoreReadError) {

  /// The fate of dependents.
  public enum Propagation {
    UNSET,
    ORPHAN,
    BACKGROUND,
    FOREGROUND
  }

  private static final String IGNORE_READ_ERROR =
      "ignoreStoreReadErrorWithClusterBreakingPotential";

  public static final DeleteOptions NOW =
      new DeleteOptions(
          Optional.of(0L), "", "", Propagation.BACKGROUND, Optional.empty(), false, false);

  /// Reads the options from the body, or without one from the query.
  public static DeleteOptions parse(@Nullable JsonNode body, RequestQuery query) {
    FieldErrors errors = new FieldErrors();
    DeleteOptions options = body == null ? fromQuery(query, errors) : fromBody(body, errors);
    if (options.orphanDependents.isPresent() && options.propagation != Propagation.UNSET) {
      String policy =
          body == null ? query.first("propagationPolicy") : body.path("propagationPolicy").asText();
      errors.invalid(
          FieldPath.of("propagationPolicy"),
          policy,
          "orphanDependents and deletionPropagation cannot be both set");
    }
    if (!errors.isEmpty()) {
      throw WriteOptions.invalid("DeleteOptions", errors);
    }
    return options;
  }

  /// These options, with dry run if `trial` is set.
  public DeleteOptions orDryRun(boolean trial) {
    return new DeleteOptions(
        gracePeriodSeconds,
        uid,
        resourceVersion,
        propagation,
        orphanDependents,
        dryRun || trial,
        ignoreReadError);
  }

  private static DeleteOptions fromBody(JsonNode body, FieldErrors errors) {
    List<String> dryRun = new ArrayList<>();
    body.path("dryRun").forEach(value -> dryRun.add(value.asText()));
    WriteOptions.checkDryRun(dryRun, errors);
    JsonNode grace = body.path("gracePeriodSeconds");
    JsonNode orphan = body.path("orphanDependents");
    return new DeleteOptions(
        grace.isNumber() ? Optional.of(grace.longValue()) : Optional.empty(),
        body.path("preconditions").path("uid").asText(),
        body.path("preconditions").path("resourceVersion").asText(),
        propagation(body.path("propagationPolicy").asText(), errors),
        orphan.isBoolean() ? Optional.of(orphan.booleanValue()) : Optional.empty(),
        !dryRun.isEmpty(),
        body.path(IGNORE_READ_ERROR).asBoolean());
  }

  private static DeleteOptions fromQuery(RequestQuery query, FieldErrors errors) {
    List<String> dryRun = query.all("dryRun").stream().filter(v -> !v.isEmpty()).toList();
    WriteOptions.checkDryRun(dryRun, errors);
    return new DeleteOptions(
        grace(query.first("gracePeriodSeconds")),
        "",
        "",
        propagation(query.first("propagationPolicy"), errors),
        query.has("orphanDependents")
            ? Optional.of(query.flag("orphanDependents"))
            : Optional.empty(),
        !dryRun.isEmpty(),
        query.flag(IGNORE_READ_ERROR));
  }

  private static Optional<Long> grace(String text) {
    return text.isEmpty() ? Optional.empty() : Optional.of(RequestQuery.number(text));
  }

  private static Propagation propagation(String text, FieldErrors errors) {
    return switch (text) {
      case "" -> Propagation.UNSET;
      case "Orphan" -> Propagation.ORPHAN;
      case "Background" -> Propagation.BACKGROUND;
      case "Foreground" -> Propagation.FOREGROUND;
      default -> {
        errors.add(
            FieldError.Kind.NOT_SUPPORTED,
            FieldPath.of("propagationPolicy"),
            "Unsupported value: %s: supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\""
                .formatted(GoText.quote(text)));
        yield Propagation.UNSET;
      }
    };
  }
}
