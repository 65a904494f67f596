package dev.berth.server.fields;

import dev.berth.server.json.ScalarForms;
import dev.berth.server.schema.ObjectType;
import java.time.Instant;

/// The context of a write for managed fields.
///
/// @param manager the `fieldManager` of the request or its default
/// @param apiVersion the version of the request and of both objects, e.g. `apps/v1`
/// @param subresource empty for the object itself
/// @param type the object's type in that version
/// @param reset fields that this endpoint ignores, so that nobody can own them through it (`status`
///   on the object itself, `spec` on `/status`)
public record WriteContext(
    String manager,
    String apiVersion,
    String subresource,
    Instant now,
    ObjectType type,
    FieldSet reset) {

  public WriteContext {
    manager = manager.isEmpty() ? "unknown" : manager;
  }

  String time() {
    return ScalarForms.time(now);
  }

  /// `apps/v1, Kind=Deployment`; the core group leaves its place empty.
  String groupVersionKind() {
    return qualified(apiVersion, type.simpleName());
  }

  static String qualified(String apiVersion, String kind) {
    return (apiVersion.indexOf('/') < 0 ? "/" : "") + apiVersion + ", Kind=" + kind;
  }
}
