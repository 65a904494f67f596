package dev.berth.server.errors;

import dev.berth.server.errors.ApiStatus.Cause;
import dev.berth.server.errors.ApiStatus.Details;
import dev.berth.server.validation.FieldError;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Ends a request with an `ApiStatus`. Factory methods make one for each type of failure.
///
/// Reasons, codes and texts are upstream's, because client libraries decide by reason and code, and
/// users search for the texts. Admission, validation and verbs throw it; `ApiHandler` turns it into
/// the answer.
public final class ApiException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final String REJECTED =
      "the server rejected our request due to an error in our request";

  private final transient ApiStatus status;

  public ApiException(ApiStatus status) {
    // A rejection is an answer and not a fault: nobody reads its stack trace, which is expensive to
    // fill in.
    super(status.message(), null, false, false);
    this.status = status;
  }

  public ApiStatus status() {
    return status;
  }

  /// Whether a create found an existing object; other conflicts do not count.
  public boolean isAlreadyExists() {
    return status.reason().equals("AlreadyExists");
  }

  /// Names a resource in messages: `pods`, `deployments.apps`.
  public record Resource(String group, String plural, String kind) {
    public String qualifiedPlural() {
      return group.isEmpty() ? plural : plural + "." + group;
    }

    public String qualifiedKind() {
      return group.isEmpty() ? kind : kind + "." + group;
    }
  }

  public static ApiException badRequest(String message) {
    return of(400, "BadRequest", message, Details.ABSENT);
  }

  public static ApiException unauthorized() {
    return of(401, "Unauthorized", "Unauthorized", Details.ABSENT);
  }

  public static ApiException forbidden(Resource resource, String name, String why) {
    String subject = resource.qualifiedPlural() + (name.isEmpty() ? "" : " \"" + name + "\"");
    return of(
        403,
        "Forbidden",
        subject + " is forbidden: " + why,
        Details.of(name, resource.group(), resource.plural()));
  }

  public static ApiException forbiddenPath(String user, String verb, String path) {
    return of(
        403,
        "Forbidden",
        "forbidden: User \"%s\" cannot %s path \"%s\"".formatted(user, verb, path),
        Details.EMPTY);
  }

  public static ApiException notFound(Resource resource, String name) {
    return of(
        404,
        "NotFound",
        "%s \"%s\" not found".formatted(resource.qualifiedPlural(), name),
        Details.of(name, resource.group(), resource.plural()));
  }

  public static ApiException noSuchResource() {
    return of(404, "NotFound", "the server could not find the requested resource", Details.EMPTY);
  }

  public static ApiException methodNotAllowed() {
    return of(
        405,
        "MethodNotAllowed",
        "the server does not allow this method on the requested resource",
        Details.EMPTY);
  }

  public static ApiException alreadyExists(Resource resource, String name) {
    return of(
        409,
        "AlreadyExists",
        "%s \"%s\" already exists".formatted(resource.qualifiedPlural(), name),
        Details.of(name, resource.group(), resource.plural()));
  }

  public static ApiException conflict(Resource resource, String name, String why) {
    return of(
        409,
        "Conflict",
        "Operation cannot be fulfilled on %s \"%s\": %s"
            .formatted(resource.qualifiedPlural(), name, why),
        Details.of(name, resource.group(), resource.plural()));
  }

  public static ApiException staleWrite(Resource resource, String name) {
    return conflict(
        resource,
        name,
        "the object has been modified; please apply your changes to the latest version and try"
            + " again");
  }

  /// Server-side apply conflicts with other managers.
  public static ApiException applyConflict(String message, List<Cause> causes) {
    return of(409, "Conflict", message, Details.EMPTY.withCauses(causes));
  }

  public static ApiException expired(String message) {
    return of(410, "Expired", message, Details.ABSENT);
  }

  public static ApiException tooLarge(long limit) {
    return of(
        413,
        "RequestEntityTooLarge",
        "Request entity too large: limit is " + limit,
        Details.ABSENT);
  }

  /// The object exceeds the size limit of the store.
  public static ApiException requestTooLarge(String message) {
    return of(413, "RequestEntityTooLarge", "Request entity too large: " + message, Details.ABSENT);
  }

  public static ApiException unsupportedMediaType(String message) {
    return of(415, "UnsupportedMediaType", message, Details.ABSENT);
  }

  /// Makes the refusal of an object with all of its validation errors. A text that occurs twice is
  /// printed once, but both causes are kept, as upstream has it.
  public static ApiException invalid(Resource resource, String name, List<FieldError> errors) {
    Set<String> texts =
        errors.stream()
            .map(FieldError::toString)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    String all = String.join(", ", texts);
    List<Cause> causes =
        errors.stream()
            .map(error -> new Cause(error.kind().reason(), error.text(), error.field()))
            .toList();
    return of(
        422,
        "Invalid",
        "%s \"%s\" is invalid: %s"
            .formatted(resource.qualifiedKind(), name, texts.size() == 1 ? all : "[" + all + "]"),
        Details.of(name, resource.group(), resource.kind()).withCauses(causes));
  }

  public static ApiException unprocessable() {
    return of(422, "Invalid", REJECTED, Details.EMPTY);
  }

  /// A request that cannot be processed, with the reason that upstream leaves out.
  public static ApiException unprocessable(String why) {
    return of(422, "Invalid", REJECTED + ": " + why, Details.EMPTY);
  }

  public static ApiException tooManyRequests(String message, int retryAfterSeconds) {
    return of(429, "TooManyRequests", message, Details.EMPTY.withRetryAfter(retryAfterSeconds));
  }

  /// A failure that upstream does not classify: code 500 with a message only.
  public static ApiException unclassified(String message) {
    return of(500, "", message, Details.ABSENT);
  }

  public static ApiException internal(String message) {
    return of(
        500,
        "InternalError",
        "Internal error occurred: " + message,
        Details.EMPTY.withCauses(List.of(new Cause("", message, ""))));
  }

  public static ApiException unavailable(String message) {
    return of(503, "ServiceUnavailable", message, Details.EMPTY.withRetryAfter(1));
  }

  public static ApiException timeout(String message, Details details) {
    return of(504, "Timeout", "Timeout: " + message, details);
  }

  private static ApiException of(int code, String reason, String message, Details details) {
    return new ApiException(new ApiStatus(code, reason, message, details));
  }
}
