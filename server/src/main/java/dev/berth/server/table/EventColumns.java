package dev.berth.server.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Locale;

/// The table of events, for core/v1 and for events.k8s.io with its different field names.
final class EventColumns {
  private EventColumns() {}

  static KindColumns sheet() {
    return ColumnSheet.unnamed()
        .text("Last Seen", "Time since it happened last.", EventColumns::lastSeen)
        .text("Type", "Normal or Warning.", event -> TableCells.text(event, "type"))
        .text("Reason", "One word for what happened.", event -> TableCells.text(event, "reason"))
        .text("Object", "What it happened to.", EventColumns::subject)
        .wide(
            "Subobject",
            "Which part of the object it happened to.",
            event -> TableCells.text(about(event), "fieldPath"))
        .wide("Source", "Who saw it, and where.", EventColumns::source)
        .text(
            "Message",
            "What happened, in a sentence.",
            event -> TableCells.textOr(TableCells.text(event, "note"), event, "message").strip())
        .wide("First Seen", "Time since it happened first.", EventColumns::firstSeen)
        .wideCount("Count", "How often it happened.", EventColumns::count)
        .wideName();
  }

  /// New clients write `series` and `eventTime`, old ones the timestamps with counts; the server
  /// keeps both forms.
  private static String lastSeen(ObjectNode event, Instant now) {
    if (event.path("series").isObject()) {
      return HumanDuration.since(TableCells.text(event, "series", "lastObservedTime"), now);
    }
    String last = either(event, "lastTimestamp", "deprecatedLastTimestamp");
    return last.isEmpty() ? firstSeen(event, now) : HumanDuration.since(last, now);
  }

  private static String firstSeen(ObjectNode event, Instant now) {
    String first = either(event, "firstTimestamp", "deprecatedFirstTimestamp");
    return HumanDuration.since(first.isEmpty() ? TableCells.text(event, "eventTime") : first, now);
  }

  private static String subject(ObjectNode event) {
    String kind = TableCells.text(about(event), "kind").toLowerCase(Locale.ROOT);
    String name = TableCells.text(about(event), "name");
    return name.isEmpty() ? kind : kind + "/" + name;
  }

  private static JsonNode about(ObjectNode event) {
    return event.has("regarding") ? event.path("regarding") : event.path("involvedObject");
  }

  private static String source(ObjectNode event) {
    JsonNode source =
        event.has("deprecatedSource") ? event.path("deprecatedSource") : event.path("source");
    String component =
        TableCells.textOr(
            either(event, "reportingComponent", "reportingController"), source, "component");
    String host = TableCells.textOr(TableCells.text(event, "reportingInstance"), source, "host");
    return host.isEmpty() ? component : component + ", " + host;
  }

  /// An event without a count happened once.
  private static int count(ObjectNode event) {
    if (event.path("series").isObject()) {
      return TableCells.number(event, "series", "count");
    }
    int count =
        TableCells.number(event, event.has("deprecatedCount") ? "deprecatedCount" : "count");
    return count == 0 ? 1 : count;
  }

  private static String either(ObjectNode event, String core, String other) {
    return TableCells.textOr(TableCells.text(event, other), event, core);
  }
}
