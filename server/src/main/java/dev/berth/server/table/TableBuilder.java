package dev.berth.server.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import java.time.Instant;
import java.util.List;

/// Builds `meta.k8s.io` Tables of one kind for one request.
///
/// @param version `v1` or `v1beta1`, of the table and of the metadata in its rows
public record TableBuilder(KindColumns columns, IncludeObject include, String version) {

  /// Builds a whole table.
  ///
  /// @param listMeta `resourceVersion`, `continue` and `remainingItemCount` as far as they apply
  /// @param withColumnDefinitions false for all but the first event of a watch
  public ObjectNode table(
      List<ObjectNode> objects, ObjectNode listMeta, Instant now, boolean withColumnDefinitions) {
    ObjectNode table = JsonTrees.object();
    table.put("kind", "Table").put("apiVersion", "meta.k8s.io/" + version);
    table.set("metadata", listMeta);
    if (withColumnDefinitions) {
      table.set("columnDefinitions", columnDefinitions());
    } else {
      table.putNull("columnDefinitions");
    }
    ArrayNode rows = table.putArray("rows");
    objects.forEach(object -> rows.add(row(object, now)));
    return table;
  }

  /// The table of one object: the answer to a GET, a POST or a watch event.
  public ObjectNode table(ObjectNode object, Instant now, boolean withColumnDefinitions) {
    ObjectNode listMeta = JsonTrees.object();
    JsonNode revision = object.path("metadata").path("resourceVersion");
    if (revision.isTextual()) {
      listMeta.set("resourceVersion", revision);
    }
    return table(List.of(object), listMeta, now, withColumnDefinitions);
  }

  public ArrayNode columnDefinitions() {
    ArrayNode definitions = JsonTrees.array();
    for (KindColumns.Column column : columns.definitions()) {
      definitions
          .addObject()
          .put("name", column.name())
          .put("type", column.type())
          .put("format", column.format())
          .put("description", column.description())
          .put("priority", column.priority());
    }
    return definitions;
  }

  /// Builds a row, for callers that stream a long list.
  public ObjectNode row(ObjectNode object, Instant now) {
    ObjectNode row = JsonTrees.object();
    row.putArray("cells").addAll(columns.cells(object, now));
    List<ObjectNode> conditions = columns.conditions(object);
    if (!conditions.isEmpty()) {
      row.putArray("conditions").addAll(conditions);
    }
    switch (include) {
      case NONE -> row.putNull("object");
      case METADATA -> row.set("object", PartialMetadata.of(object, version));
      case OBJECT -> row.set("object", object);
    }
    return row;
  }
}
