package dev.berth.server.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.table.Columns;
import java.time.Instant;
import java.util.List;

/// Name and creation time, for kinds without a table of their own.
final class PlainColumns implements Columns {
  private static final List<Column> DEFINITIONS =
      List.of(
          new Column("Name", "string", "name", "Name must be unique within a namespace.", 0),
          new Column("Created At", "date", "", "When the server stored the object.", 0));

  @Override
  public List<Column> definitions() {
    return DEFINITIONS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    JsonNode metadata = object.path("metadata");
    return List.of(
        JsonNodeFactory.instance.textNode(metadata.path("name").asText()),
        JsonNodeFactory.instance.textNode(metadata.path("creationTimestamp").asText()));
  }
}
