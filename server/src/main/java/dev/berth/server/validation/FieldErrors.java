package dev.berth.server.validation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/// Collects validation errors; one method per type of error, with upstream's messages.
///
/// Errors keep the order in which they are found, because the message lists them in this order and
/// clients compare it. An instance belongs to one validation.
public final class FieldErrors {
  // Not deduplicated: upstream reports some errors twice, and a client that counts causes would
  // differ.
  private final List<FieldError> errors = new ArrayList<>();

  /// Adds an error for a value that is absent or empty.
  public void required(FieldPath field, String detail) {
    add(FieldError.Kind.REQUIRED, field, "Required value" + after(detail));
  }

  public void invalid(FieldPath field, JsonNode value, String detail) {
    add(FieldError.Kind.INVALID, field, "Invalid value: " + GoText.of(value) + after(detail));
  }

  public void invalid(FieldPath field, String value, String detail) {
    add(FieldError.Kind.INVALID, field, "Invalid value: " + GoText.quote(value) + after(detail));
  }

  /// Adds one error per reason.
  public void invalid(FieldPath field, String value, List<String> reasons) {
    reasons.forEach(reason -> invalid(field, value, reason));
  }

  public void invalid(FieldPath field, long value, String detail) {
    add(FieldError.Kind.INVALID, field, "Invalid value: " + value + after(detail));
  }

  /// Adds an error whose value the caller formats, for composites.
  public void invalidLiteral(FieldPath field, String literal, String detail) {
    add(FieldError.Kind.INVALID, field, "Invalid value: " + literal + after(detail));
  }

  /// Sorted, as upstream prints its sets. Lists that upstream prints in another order use the
  /// method below.
  public void notSupported(FieldPath field, String value, Collection<String> supported) {
    notSupportedInOrder(field, value, supported.stream().sorted().toList());
  }

  /// Like `notSupported`, but keeps the given order of values.
  public void notSupportedInOrder(FieldPath field, String value, List<String> supported) {
    String list = supported.stream().map(GoText::quote).collect(Collectors.joining(", "));
    add(
        FieldError.Kind.NOT_SUPPORTED,
        field,
        "Unsupported value: "
            + GoText.quote(value)
            + (supported.isEmpty() ? "" : ": supported values: " + list));
  }

  public void duplicate(FieldPath field, JsonNode value) {
    add(FieldError.Kind.DUPLICATE, field, "Duplicate value: " + GoText.of(value));
  }

  public void duplicate(FieldPath field, String value) {
    add(FieldError.Kind.DUPLICATE, field, "Duplicate value: " + GoText.quote(value));
  }

  /// Adds an error for a reference to something that does not exist within the object.
  public void notFound(FieldPath field, String value) {
    add(FieldError.Kind.NOT_FOUND, field, "Not found: " + GoText.quote(value));
  }

  /// Adds an error for a field that must not be set here, or not by this request.
  public void forbidden(FieldPath field, String detail) {
    add(FieldError.Kind.FORBIDDEN, field, "Forbidden" + after(detail));
  }

  /// Upstream reports the limit without the value, which may be long.
  public void tooLong(FieldPath field, int maximum) {
    add(FieldError.Kind.TOO_LONG, field, "Too long: may not be more than " + maximum + " bytes");
  }

  /// Upstream reports the number and not the elements.
  public void tooMany(FieldPath field, int actual, int maximum) {
    add(
        FieldError.Kind.TOO_MANY,
        field,
        "Too many: " + actual + ": must have at most " + maximum + " items");
  }

  public void add(FieldError.Kind kind, FieldPath field, String text) {
    errors.add(new FieldError(kind, field.toString(), text));
  }

  public void addAll(FieldErrors others) {
    errors.addAll(others.errors);
  }

  public boolean isEmpty() {
    return errors.isEmpty();
  }

  public int size() {
    return errors.size();
  }

  public List<FieldError> toList() {
    return List.copyOf(errors);
  }

  private static String after(String detail) {
    return detail.isEmpty() ? "" : ": " + detail;
  }
}
