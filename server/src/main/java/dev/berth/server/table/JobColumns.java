package dev.berth.server.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;

/// The table of jobs.
final class JobColumns {
  private JobColumns() {}

  static KindColumns sheet() {
    return ColumnSheet.named()
        .text("Status", "How far the job is.", JobColumns::status)
        .text("Completions", "Pods that succeeded of those that must.", JobColumns::completions)
        .text("Duration", "Time from start to completion, or until now.", JobColumns::duration)
        .age()
        .template()
        .selector();
  }

  /// The order decides when several conditions hold.
  private static String status(ObjectNode job) {
    if (TableCells.condition(job, "Complete")) {
      return "Complete";
    } else if (TableCells.condition(job, "Failed")) {
      return "Failed";
    } else if (!TableCells.text(job, "metadata", "deletionTimestamp").isEmpty()) {
      return "Terminating";
    } else if (TableCells.condition(job, "Suspended")) {
      return "Suspended";
    }
    return TableCells.condition(job, "FailureTarget") ? "FailureTarget" : "Running";
  }

  private static String completions(ObjectNode job) {
    int succeeded = TableCells.number(job, "status", "succeeded");
    JsonNode wanted = TableCells.at(job, "spec", "completions");
    int parallelism = TableCells.number(job, "spec", "parallelism");
    if (wanted.isNumber()) {
      return succeeded + "/" + wanted.asInt();
    }
    return parallelism > 1 ? succeeded + "/1 of " + parallelism : succeeded + "/1";
  }

  private static String duration(ObjectNode job, Instant now) {
    String start = TableCells.text(job, "status", "startTime");
    if (start.isEmpty()) {
      return "";
    }
    String end = TableCells.text(job, "status", "completionTime");
    return HumanDuration.format(
        Duration.between(Instant.parse(start), end.isEmpty() ? now : Instant.parse(end)));
  }
}
