package dev.berth.server.table;

/// The tables of kinds whose columns are plain fields.
final class PlainColumns {
  private PlainColumns() {}

  static KindColumns namespace() {
    return ColumnSheet.named()
        .text(
            "Status",
            "Active or Terminating.",
            object -> TableCells.text(object, "status", "phase"))
        .age();
  }

  static KindColumns configMap() {
    return ColumnSheet.named()
        .count(
            "Data",
            "Number of keys, text and binary together.",
            object ->
                TableCells.at(object, "data").size() + TableCells.at(object, "binaryData").size())
        .age();
  }

  static KindColumns secret() {
    return ColumnSheet.named()
        .text("Type", "What the secret is for.", object -> TableCells.text(object, "type"))
        .count("Data", "Number of keys.", object -> TableCells.at(object, "data").size())
        .age();
  }

  static KindColumns serviceAccount() {
    return ColumnSheet.named()
        .count(
            "Secrets",
            "Number of listed secrets.",
            object -> TableCells.at(object, "secrets").size())
        .age();
  }

  static KindColumns lease() {
    return ColumnSheet.named()
        .text(
            "Holder",
            "Who holds the lease now.",
            object -> TableCells.text(object, "spec", "holderIdentity"))
        .age();
  }

  /// The handler is below `spec` in v1alpha1.
  static KindColumns runtimeClass() {
    return ColumnSheet.named()
        .text(
            "Handler",
            "Runtime configuration on the node that runs pods of this class.",
            object ->
                TableCells.textOr(
                    TableCells.text(object, "spec", "runtimeHandler"), object, "handler"))
        .age();
  }

  static KindColumns priorityClass() {
    return ColumnSheet.named()
        .integer(
            "Value",
            "Priority of pods of this class.",
            object -> TableCells.at(object, "value").asInt())
        .flag(
            "Global-Default",
            "Whether pods that name no class are of this one.",
            object -> TableCells.at(object, "globalDefault").asBoolean())
        .age()
        .text(
            "PreemptionPolicy",
            "What pods of this class get as their preemption policy.",
            object -> TableCells.text(object, "preemptionPolicy"));
  }

  static KindColumns status() {
    return ColumnSheet.unnamed()
        .text("Status", "Success or Failure.", object -> TableCells.text(object, "status"))
        .text("Reason", "One word for the cause.", object -> TableCells.text(object, "reason"))
        .text("Message", "The cause in a sentence.", object -> TableCells.text(object, "message"));
  }

  static KindColumns nameAndCreation() {
    return ColumnSheet.named()
        .date(
            "Created At",
            "Time at which the server stored the object.",
            object ->
                TableCells.textOr("0001-01-01T00:00:00Z", object, "metadata", "creationTimestamp"));
  }
}
