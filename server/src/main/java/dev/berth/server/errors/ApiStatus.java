package dev.berth.server.errors;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/// The body of a failure. Empty strings and lists are left out of the JSON.
///
/// Clients read reason, code and causes; people read the message.
///
/// @param details null-like `Details.ABSENT` prints no `details` at all, `Details.EMPTY` prints
///   `{}`
/// @param continueToken token for continuing a list inconsistently; "" for none
public record ApiStatus(
    int code, String reason, String message, Details details, String continueToken) {
  public ApiStatus(int code, String reason, String message, Details details) {
    this(code, reason, message, details, "");
  }

  public ApiStatus withContinue(String token) {
    return new ApiStatus(code, reason, message, details, token);
  }

  /// The details of the failure.
  ///
  /// @param kind the plural resource for most failures, the Kind for `Invalid`
  public record Details(
      boolean present,
      String name,
      String group,
      String kind,
      String uid,
      List<Cause> causes,
      int retryAfterSeconds) {
    public static final Details ABSENT = new Details(false, "", "", "", "", List.of(), 0);
    public static final Details EMPTY = new Details(true, "", "", "", "", List.of(), 0);

    public static Details of(String name, String group, String kind) {
      return new Details(true, name, group, kind, "", List.of(), 0);
    }

    public Details withCauses(List<Cause> newCauses) {
      return new Details(
          present, name, group, kind, uid, List.copyOf(newCauses), retryAfterSeconds);
    }

    public Details withUid(String newUid) {
      return new Details(true, name, group, kind, newUid, causes, retryAfterSeconds);
    }

    public Details withRetryAfter(int seconds) {
      return new Details(true, name, group, kind, uid, causes, seconds);
    }
  }

  public record Cause(String reason, String message, String field) {}

  public ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ObjectNode metadata = json.put("kind", "Status").put("apiVersion", "v1").putObject("metadata");
    putUnlessEmpty(metadata, "continue", continueToken);
    json.put("status", code < 400 ? "Success" : "Failure");
    putUnlessEmpty(json, "message", message);
    putUnlessEmpty(json, "reason", reason);
    if (details.present()) {
      writeDetails(json.putObject("details"));
    }
    // As upstream, a Success with 200 has no code in the body.
    return code == 200 ? json : json.put("code", code);
  }

  private void writeDetails(ObjectNode json) {
    putUnlessEmpty(json, "name", details.name());
    putUnlessEmpty(json, "group", details.group());
    putUnlessEmpty(json, "kind", details.kind());
    putUnlessEmpty(json, "uid", details.uid());
    if (!details.causes().isEmpty()) {
      ArrayNode causes = json.putArray("causes");
      for (Cause cause : details.causes()) {
        ObjectNode entry = causes.addObject();
        putUnlessEmpty(entry, "reason", cause.reason());
        putUnlessEmpty(entry, "message", cause.message());
        putUnlessEmpty(entry, "field", cause.field());
      }
    }
    if (details.retryAfterSeconds() > 0) {
      json.put("retryAfterSeconds", details.retryAfterSeconds());
    }
  }

  private static void putUnlessEmpty(ObjectNode json, String field, String value) {
    if (!value.isEmpty()) {
      json.put(field, value);
    }
  }
}
