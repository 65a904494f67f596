package dev.berth.server.resources.requests;

import dev.berth.api.FieldSelector;
import dev.berth.api.LabelSelector;
import dev.berth.api.SelectorSyntaxException;
import dev.berth.server.errors.ApiException;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The options of a list or watch: selectors, limit, freshness.
///
/// @param resourceVersion -1 when absent
/// @param timeout zero when absent
public record ListOptions(
    LabelSelector labels,
    FieldSelector fields,
    long limit,
    String continueToken,
    long resourceVersion,
    Match match,
    Duration timeout,
    boolean bookmarks,
    Optional<Boolean> sendInitialEvents) {

  /// A year, in seconds: adding more could overflow a time.
  private static final long LONGEST_TIMEOUT = 365L * 24 * 60 * 60;

  /// `resourceVersionMatch`.
  public enum Match {
    UNSET,
    EXACT,
    NOT_OLDER_THAN
  }

  /// The rules about `resourceVersionMatch` and `sendInitialEvents` are those of upstream's
  /// `ValidateListOptions`; all violations are reported at once.
  public static ListOptions parse(RequestQuery query, boolean watch) {
    FieldErrors errors = new FieldErrors();
    Match match = match(query.first("resourceVersionMatch"), errors);
    Optional<Boolean> initial =
        query.has("sendInitialEvents")
            ? Optional.of(query.flag("sendInitialEvents"))
            : Optional.empty();
    if (watch) {
      checkWatch(match, initial, errors);
    } else {
      checkList(query, match, initial, errors);
    }
    if (!errors.isEmpty()) {
      throw WriteOptions.invalid("ListOptions", errors);
    }
    return new ListOptions(
        labels(query.first("labelSelector")),
        fields(query.first("fieldSelector")),
        number(query, "limit"),
        query.first("continue"),
        resourceVersion(query.first("resourceVersion")),
        match,
        Duration.ofSeconds(Math.min(number(query, "timeoutSeconds"), LONGEST_TIMEOUT)),
        query.flag("allowWatchBookmarks"),
        initial);
  }

  /// These options restricted to one name, for a watch of a single object.
  public ListOptions only(String name) {
    List<FieldSelector.Requirement> requirements = new ArrayList<>(fields.requirements());
    requirements.add(new FieldSelector.Requirement("metadata.name", true, name));
    return new ListOptions(
        labels,
        new FieldSelector(requirements),
        limit,
        continueToken,
        resourceVersion,
        match,
        timeout,
        bookmarks,
        sendInitialEvents);
  }

  private static Match match(String text, FieldErrors errors) {
    return switch (text) {
      case "" -> Match.UNSET;
      case "Exact" -> Match.EXACT;
      case "NotOlderThan" -> Match.NOT_OLDER_THAN;
      default -> {
        errors.notSupported(
            FieldPath.of("resourceVersionMatch"), text, List.of("", "Exact", "NotOlderThan"));
        yield Match.UNSET;
      }
    };
  }

  private static void checkWatch(Match match, Optional<Boolean> initial, FieldErrors errors) {
    FieldPath path = FieldPath.of("resourceVersionMatch");
    if (initial.isPresent() && match != Match.NOT_OLDER_THAN) {
      errors.forbidden(
          path, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    }
    if (initial.isEmpty() && match != Match.UNSET) {
      errors.forbidden(
          path, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
    }
  }

  private static void checkList(
      RequestQuery query, Match match, Optional<Boolean> initial, FieldErrors errors) {
    FieldPath path = FieldPath.of("resourceVersionMatch");
    String version = query.first("resourceVersion");
    if (initial.isPresent()) {
      errors.forbidden(
          FieldPath.of("sendInitialEvents"), "sendInitialEvents is forbidden for list");
    }
    if (match == Match.UNSET) {
      return;
    }
    if (version.isEmpty()) {
      errors.forbidden(
          path, "resourceVersionMatch is forbidden unless resourceVersion is provided");
    }
    if (!query.first("continue").isEmpty()) {
      errors.forbidden(path, "resourceVersionMatch is forbidden when continue is provided");
    }
    if (match == Match.EXACT && version.equals("0")) {
      errors.forbidden(
          path, "resourceVersionMatch \"Exact\" is forbidden for resourceVersion \"0\"");
    }
  }

  /// Upstream's versions are unsigned 64-bit numbers; a version beyond every revision is answered
  /// like any version that is too large.
  public static long resourceVersion(String text) {
    if (text.isEmpty()) {
      return -1;
    }
    try {
      long version = Long.parseUnsignedLong(text);
      // Larger than any revision; a negative number would mean absent.
      return version < 0 ? Long.MAX_VALUE : version;
    } catch (NumberFormatException e) {
      throw ApiException.badRequest(
          "resourceVersion: Invalid value: \"%s\": strconv.ParseUint: parsing \"%s\": invalid syntax"
              .formatted(text, text));
    }
  }

  private static long number(RequestQuery query, String name) {
    String text = query.first(name);
    return text.isEmpty() ? 0 : Math.max(0, RequestQuery.number(text));
  }

  private static LabelSelector labels(String text) {
    try {
      return LabelSelector.parse(text);
    } catch (SelectorSyntaxException e) {
      throw ApiException.badRequest(String.valueOf(e.getMessage()));
    }
  }

  private static FieldSelector fields(String text) {
    try {
      return FieldSelector.parse(text);
    } catch (SelectorSyntaxException e) {
      throw ApiException.badRequest(String.valueOf(e.getMessage()));
    }
  }
}
