package dev.berth.server.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.api.Quantity;
import dev.berth.server.schema.ObjectType;
import dev.berth.server.schema.ValueShape;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Base64;

/// Validates scalars and converts them to their canonical form.
///
/// The forms are those in which upstream's types print, so that equal values are equal bytes in the
/// store. A value of another type is an error with the message of Go's decoder.
public final class ScalarForms {
  /// Bounds the part of an invalid value that a message shows.
  private static final int LONGEST_SHOWN = 40;

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private ScalarForms() {}

  /// A `meta.v1.Time` as the API prints it: whole seconds, UTC.
  public static String time(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /// A `meta.v1.MicroTime` as the API prints it.
  public static String microTime(Instant instant) {
    return MICROS.format(instant);
  }

  static JsonNode normalize(ObjectType owner, ValueShape.Scalar scalar, JsonNode value, String path)
      throws WrongTypeException {
    return switch (scalar) {
      case STRING -> requireType(value.isTextual(), owner, scalar, value, path);
      case BOOL -> requireType(value.isBoolean(), owner, scalar, value, path);
      case INT32 ->
          requireType(isIntegral(value) && value.canConvertToInt(), owner, scalar, value, path);
      case INT64 ->
          requireType(isIntegral(value) && value.canConvertToLong(), owner, scalar, value, path);
      case INT_OR_STRING ->
          requireType(value.isTextual() || value.canConvertToInt(), owner, scalar, value, path);
      case BYTES -> bytes(owner, value, path);
      case TIME -> NODES.textNode(time(instant(owner, scalar, value, path)));
      case MICRO_TIME -> NODES.textNode(microTime(instant(owner, scalar, value, path)));
      case QUANTITY -> quantity(owner, value, path);
      case FIELDS, RAW -> value;
    };
  }

  private static boolean isIntegral(JsonNode value) {
    return value.isIntegralNumber();
  }

  private static JsonNode requireType(
      boolean right, ObjectType owner, ValueShape shape, JsonNode value, String path)
      throws WrongTypeException {
    if (!right) {
      throw mismatch(owner, shape, value, path);
    }
    return value;
  }

  private static JsonNode bytes(ObjectType owner, JsonNode value, String path)
      throws WrongTypeException {
    requireType(value.isTextual(), owner, ValueShape.Scalar.BYTES, value, path);
    String text = value.textValue();
    int fault = GoBase64.fault(text);
    if (fault >= 0) {
      throw new WrongTypeException(
          "illegal base64 data at input byte %d%s".formatted(fault, at(path)));
    }
    byte[] decoded = Base64.getMimeDecoder().decode(text);
    return NODES.textNode(Base64.getEncoder().encodeToString(decoded));
  }

  private static Instant instant(
      ObjectType owner, ValueShape.Scalar scalar, JsonNode value, String path)
      throws WrongTypeException {
    requireType(value.isTextual(), owner, scalar, value, path);
    try {
      return OffsetDateTime.parse(value.textValue()).toInstant();
    } catch (DateTimeException e) {
      throw new WrongTypeException(
          "parsing time \"%s\" as \"%s\": cannot parse \"%s\" as \"2006\"%s"
              .formatted(
                  value.textValue(),
                  scalar == ValueShape.Scalar.MICRO_TIME
                      ? "2006-01-02T15:04:05.000000Z07:00"
                      : "2006-01-02T15:04:05Z07:00",
                  value.textValue(),
                  at(path)));
    }
  }

  private static JsonNode quantity(ObjectType owner, JsonNode value, String path)
      throws WrongTypeException {
    requireType(
        value.isTextual() || value.isNumber(), owner, ValueShape.Scalar.QUANTITY, value, path);
    String text = value.asText();
    Quantity quantity =
        Quantity.parse(text.strip())
            .orElseThrow(
                () ->
                    new WrongTypeException(
                        "%s%s, such as 250m or 64Mi, and not \"%s\""
                            .formatted(Quantity.SYNTAX, at(path), shortened(text))));
    String canonical = quantity.toString();
    return value.isTextual() && canonical.equals(text) ? value : NODES.textNode(canonical);
  }

  /// Adds the field, which upstream's messages lack.
  private static String at(String path) {
    return " (field " + path + ")";
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "...";
  }

  /// `json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type
  /// []v1.Container`.
  ///
  /// Go leaves out the positions in lists.
  static WrongTypeException mismatch(
      ObjectType owner, ValueShape shape, JsonNode value, String path) {
    String plain = path.replaceAll("\\[[0-9]+\\]", "");
    return new WrongTypeException(
        "json: cannot unmarshal %s into Go struct field %s.%s of type %s"
            .formatted(jsonType(value), owner.simpleName(), plain, goType(shape)));
  }

  private static String jsonType(JsonNode value) {
    return switch (value.getNodeType()) {
      case ARRAY -> "array";
      case BOOLEAN -> "bool";
      case NUMBER -> value.isIntegralNumber() ? "number" : "number " + value.asText();
      case STRING -> "string";
      default -> "object";
    };
  }

  private static String goType(ValueShape shape) {
    return switch (shape) {
      case ValueShape.ListOf(ValueShape element) -> "[]" + goType(element);
      case ValueShape.MapOf(ValueShape element) -> "map[string]" + goType(element);
      case ValueShape.Struct(ObjectType type) -> type.version() + "." + type.simpleName();
      case ValueShape.Scalar scalar ->
          switch (scalar) {
            case STRING -> "string";
            case BYTES -> "[]uint8";
            case INT32 -> "int32";
            case INT64 -> "int64";
            case BOOL -> "bool";
            case TIME -> "v1.Time";
            case MICRO_TIME -> "v1.MicroTime";
            case QUANTITY -> "resource.Quantity";
            case INT_OR_STRING -> "intstr.IntOrString";
            case FIELDS -> "v1.FieldsV1";
            case RAW -> "runtime.RawExtension";
          };
    };
  }
}
