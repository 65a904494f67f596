package dev.berth.server.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.catalog.KindOptions;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.schema.ObjectSchema;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Short ways to write attributes in tests.
public final class Writes {
  public static final UserInfo ADMIN = UserInfo.of("admin", "system:masters");
  private static final ServedKinds KINDS =
      ServedKinds.standard(ObjectSchema.load(), KindOptions.STANDARD);
  public static final ResourceKind PODS = kind("pods");
  public static final ResourceKind NODES = kind("nodes");

  private Writes() {}

  public static ResourceKind kind(String bucket) {
    return KINDS.bucket(bucket).orElseThrow();
  }

  /// JSON with single quotes.
  public static ObjectNode json(String text) {
    return (ObjectNode)
        JsonTrees.parseTrusted(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  public static AdmissionAttributes newPod(String json) {
    return create(PODS, "t1", json(json));
  }

  public static AdmissionAttributes create(ResourceKind kind, String namespace, ObjectNode object) {
    return of(Operation.CREATE, kind, "", namespace, "", object, null, ADMIN);
  }

  public static AdmissionAttributes of(
      Operation operation,
      ResourceKind kind,
      String subresource,
      String namespace,
      String name,
      @Nullable ObjectNode object,
      @Nullable ObjectNode old,
      UserInfo user) {
    return new AdmissionAttributes(
        operation,
        kind,
        subresource,
        namespace,
        name,
        object,
        old,
        user,
        false,
        _ -> {},
        (_, _) -> {});
  }
}
