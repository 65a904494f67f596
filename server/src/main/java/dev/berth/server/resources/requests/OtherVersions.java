package dev.berth.server.resources.requests;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.ServedVersion;
import dev.berth.server.schema.ObjectType;
import dev.berth.server.schema.SchemaField;
import dev.berth.server.schema.ValueShape;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Finds the versions of a kind that have a field which the request's version lacks.
///
/// Upstream only says that a field is unknown. A user who writes a field of `v1` into an object of
/// `v1beta1` learns here which apiVersion to use.
public record OtherVersions(ResourceKind kind, ServedVersion asked) {
  /// An index or the key of a list element; a quoted value may contain brackets and dots.
  private static final Pattern ELEMENT =
      Pattern.compile("\\[(?:\"(?:\\\\.|[^\"\\\\])*\"|[^\\]\"])*\\]");

  public static OtherVersions of(RequestTarget target) {
    return new OtherVersions(target.kind(), target.version());
  }

  /// Adds to each unknown field the versions that have it.
  public List<String> explain(List<String> problems, List<String> unknown) {
    return problems.stream().map(problem -> explain(problem, unknown)).toList();
  }

  private String explain(String problem, List<String> unknown) {
    return unknown.stream()
        .filter(path -> problem.equals("unknown field \"" + path + "\""))
        .findFirst()
        .map(path -> problem + advice(path))
        .orElse(problem);
  }

  /// Advice for a JSON patch operation that does not apply: the first field that only other
  /// versions have; "" when there is none.
  public String adviceOnOperations(JsonNode patch) {
    return patch
        .valueStream()
        .map(operation -> fieldPath(operation.path("path").asText()))
        .filter(path -> !has(asked.type(), path))
        .map(path -> Map.entry(path, advice(path)))
        .filter(one -> !one.getValue().isEmpty())
        .findFirst()
        .map(one -> "unknown field \"" + one.getKey() + "\"" + one.getValue())
        .orElse("");
  }

  /// `/spec/items/0/name` as `spec.items.name`.
  private static String fieldPath(String pointer) {
    return Arrays.stream(pointer.split("/", -1))
        .skip(1)
        .filter(step -> !step.matches("-|-?[0-9]+"))
        .collect(Collectors.joining("."));
  }

  /// Advice about a field that only other versions have; "" when no version has it.
  ///
  /// @param path with indices or keys of list elements, such as `a[0].b` or `a[name="x"].b`
  public String advice(String path) {
    String versions =
        kind.versions().stream()
            .filter(version -> !version.equals(asked) && has(version.type(), path))
            .map(ServedVersion::apiVersion)
            .collect(Collectors.joining(", "));
    return versions.isEmpty()
        ? ""
        : " (it is a field of apiVersion %s; this is %s)".formatted(versions, asked.apiVersion());
  }

  /// Fields of maps and scalars are not looked at: any name may be there.
  private static boolean has(ObjectType type, String path) {
    @Nullable ObjectType at = type;
    for (String part : ELEMENT.matcher(path).replaceAll("").split("\\.", -1)) {
      SchemaField field = at == null ? null : at.field(part);
      if (field == null) {
        return false;
      }
      at = struct(field.shape());
    }
    return true;
  }

  private static @Nullable ObjectType struct(ValueShape shape) {
    return switch (shape) {
      case ValueShape.Struct(ObjectType type) -> type;
      case ValueShape.ListOf(ValueShape element) -> struct(element);
      case ValueShape.MapOf _, ValueShape.Scalar _ -> null;
    };
  }
}
