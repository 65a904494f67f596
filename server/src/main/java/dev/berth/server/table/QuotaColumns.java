package dev.berth.server.table;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.ResourceAmounts;
import java.util.StringJoiner;

/// The table of resource quotas: used and allowed amounts.
///
/// Limits have a column of their own, as kubectl has it.
final class QuotaColumns {
  private QuotaColumns() {}

  static KindColumns sheet() {
    return ColumnSheet.named()
        .text(
            "Request",
            "Used and allowed amounts of everything but limits.",
            quota -> amounts(quota, false))
        .text("Limit", "Used and allowed amounts of limits.", quota -> amounts(quota, true))
        .age();
  }

  private static String amounts(ObjectNode quota, boolean limits) {
    ResourceAmounts used = ResourceAmounts.of(TableCells.at(quota, "status", "used"));
    StringJoiner text = new StringJoiner(", ");
    ResourceAmounts.of(TableCells.at(quota, "status", "hard"))
        .asMap()
        .forEach(
            (name, hard) -> {
              if (name.startsWith("limits.") == limits) {
                text.add("%s: %s/%s".formatted(name, used.orZero(name), hard));
              }
            });
    return text.toString();
  }
}
