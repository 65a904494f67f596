package dev.berth.server.openapi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.schema.MergeRule;
import dev.berth.server.schema.SchemaField;
import dev.berth.server.schema.ValueShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The extensions that declare how lists and maps merge.
///
/// Clients that compute patches, such as kustomize, read them; server-side apply on this server
/// uses the schema itself.
final class MergeExtensions {
  private MergeExtensions() {}

  static void add(ObjectNode property, SchemaField field) {
    MergeRule merge = field.merge();
    if (field.shape() instanceof ValueShape.ListOf) {
      property.put("x-kubernetes-list-type", merge.listType().name().toLowerCase(Locale.ROOT));
      if (merge.listType() == MergeRule.ListType.MAP) {
        merge.listKeys().forEach(property.putArray("x-kubernetes-list-map-keys")::add);
      }
    }
    if (merge.atomicMap()) {
      property.put("x-kubernetes-map-type", "atomic");
    }
    List<String> strategies = new ArrayList<>();
    if (merge.patchMerge()) {
      strategies.add("merge");
    }
    if (merge.retainKeys()) {
      strategies.add("retainKeys");
    }
    if (!strategies.isEmpty()) {
      property.put("x-kubernetes-patch-strategy", String.join(",", strategies));
    }
    if (merge.patchMergeKey() != null) {
      property.put("x-kubernetes-patch-merge-key", merge.patchMergeKey());
    }
  }
}
