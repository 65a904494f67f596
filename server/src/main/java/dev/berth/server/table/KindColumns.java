package dev.berth.server.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;

/// The table of one kind, as `kubectl get` prints it. The server computes the cells, so that a
/// client needs no knowledge about kinds. Implementations have no state.
public interface KindColumns {
  /// The head of a column.
  ///
  /// @param priority 0 is always shown, 1 only with `-o wide`
  record Column(String name, String type, String format, String description, int priority) {}

  List<Column> definitions();

  /// Returns a cell for each column, in their order.
  List<JsonNode> cells(ObjectNode object, Instant now);

  /// Row conditions as `meta.v1.TableRowCondition` objects; usually none.
  default List<ObjectNode> conditions(ObjectNode object) {
    return List.of();
  }
}
