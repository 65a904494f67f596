package dev.berth.server.validation;

/// A validation error at a field. Clients read the kind and the field from the causes of a
/// `Status`, people read the text.
///
/// @param text the text after the field's path, e.g. `Invalid value: "x": must be ...`
public record FieldError(Kind kind, String field, String text) {
  /// The machine-readable reasons that a `Status` cause may carry.
  public enum Kind {
    NOT_FOUND("FieldValueNotFound"),
    REQUIRED("FieldValueRequired"),
    DUPLICATE("FieldValueDuplicate"),
    INVALID("FieldValueInvalid"),
    NOT_SUPPORTED("FieldValueNotSupported"),
    FORBIDDEN("FieldValueForbidden"),
    TOO_LONG("FieldValueTooLong"),
    TOO_MANY("FieldValueTooMany"),
    TYPE_INVALID("FieldValueTypeInvalid"),
    INTERNAL("InternalError");

    private final String reason;

    Kind(String reason) {
      this.reason = reason;
    }

    public String reason() {
      return reason;
    }
  }

  @Override
  public String toString() {
    return field + ": " + text;
  }
}
