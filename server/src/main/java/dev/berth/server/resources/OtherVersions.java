package dev.berth.server.resources;

import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.ServedVersion;
import dev.berth.server.schema.ObjectType;
import dev.berth.server.schema.SchemaField;
import dev.berth.server.schema.ValueShape;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Which other versions of a kind have a field that the version of a request does not have.
record OtherVersions(ResourceKind kind, ServedVersion asked) {
  /// The problems of strict decoding, with the versions that have an unknown field.
  List<String> explain(List<String> problems, List<String> unknown) {
    return problems.stream().map(problem -> explain(problem, unknown)).toList();
  }

  private String explain(String problem, List<String> unknown) {
    return unknown.stream()
        .filter(path -> problem.equals("unknown field \"" + path + "\""))
        .findFirst()
        .map(path -> problem + advice(path))
        .orElse(problem);
  }

  private String advice(String path) {
    String versions =
        kind.versions().stream()
            .filter(version -> !version.equals(asked) && has(version.type(), path))
            .map(ServedVersion::apiVersion)
            .collect(Collectors.joining(", "));
    return versions.isEmpty()
        ? ""
        : " (it is a field of apiVersion %s; this is %s)".formatted(versions, asked.apiVersion());
  }

  private static boolean has(ObjectType type, String path) {
    @Nullable ObjectType at = type;
    for (String part : path.replaceAll("\\[[0-9]+\\]", "").split("\\.", -1)) {
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
