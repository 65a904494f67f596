package dev.berth.server.table;

/// Kinds of which a row shows one or two fields and nothing computed.
final class PlainColumns {
  private PlainColumns() {}

  static Columns namespace() {
    return Sheet.named()
        .text("Status", "Active or Terminating.", object -> Cells.text(object, "status", "phase"))
        .age();
  }

  static Columns configMap() {
    return Sheet.named()
        .count(
            "Data",
            "Number of keys, text and binary together.",
            object -> Cells.at(object, "data").size() + Cells.at(object, "binaryData").size())
        .age();
  }

  static Columns secret() {
    return Sheet.named()
        .text("Type", "What the secret is for.", object -> Cells.text(object, "type"))
        .count("Data", "Number of keys.", object -> Cells.at(object, "data").size())
        .age();
  }

  static Columns serviceAccount() {
    return Sheet.named()
        .count("Secrets", "Number of listed secrets.", object -> Cells.at(object, "secrets").size())
        .age();
  }

  static Columns lease() {
    return Sheet.named()
        .text(
            "Holder",
            "Who holds the lease now.",
            object -> Cells.text(object, "spec", "holderIdentity"))
        .age();
  }

  /// The handler is below `spec` in v1alpha1.
  static Columns runtimeClass() {
    return Sheet.named()
        .text(
            "Handler",
            "Runtime configuration on the node that runs pods of this class.",
            object -> Cells.textOr(Cells.text(object, "spec", "runtimeHandler"), object, "handler"))
        .age();
  }

  static Columns priorityClass() {
    return Sheet.named()
        .integer(
            "Value", "Priority of pods of this class.", object -> Cells.at(object, "value").asInt())
        .flag(
            "Global-Default",
            "Whether pods that name no class are of this one.",
            object -> Cells.at(object, "globalDefault").asBoolean())
        .age()
        .text(
            "PreemptionPolicy",
            "What pods of this class get as their preemption policy.",
            object -> Cells.text(object, "preemptionPolicy"));
  }

  static Columns status() {
    return Sheet.unnamed()
        .text("Status", "Success or Failure.", object -> Cells.text(object, "status"))
        .text("Reason", "One word for the cause.", object -> Cells.text(object, "reason"))
        .text("Message", "The cause in a sentence.", object -> Cells.text(object, "message"));
  }

  static Columns nameAndCreation() {
    return Sheet.named()
        .date(
            "Created At",
            "Time at which the server stored the object.",
            object ->
                Cells.textOr("0001-01-01T00:00:00Z", object, "metadata", "creationTimestamp"));
  }
}
