package dev.berth.server.fields;

import dev.berth.server.json.ScalarForms;
import dev.berth.server.schema.ObjectType;
import java.time.Instant;

/// One write as the owner of fields sees it.
///
/// @param manager the `fieldManager` of the request, or what stands for it
/// @param apiVersion the version in which the request and both objects speak, e.g. `apps/v1`
/// @param subresource empty for the object itself
/// @param type the object's type in that version
/// @param reset fields that this endpoint does not write, whatever the request says: nobody comes
///   to own them here (`status` on the object itself, `spec` on `/status`)
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
