package dev.berth.server.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/// The columns of CertificateSigningRequest.
final class CertificateColumns {
  private CertificateColumns() {}

  static KindColumns sheet() {
    return ColumnSheet.named()
        .age()
        .text(
            "SignerName",
            "Who shall sign.",
            object -> TableCells.text(object, "spec", "signerName"))
        .text(
            "Requestor",
            "Who made the request.",
            object -> TableCells.text(object, "spec", "username"))
        .text(
            "RequestedDuration",
            "How long the certificate shall be valid.",
            CertificateColumns::duration)
        .text("Condition", "What was decided, and what came of it.", CertificateColumns::condition);
  }

  private static String duration(ObjectNode request) {
    JsonNode seconds = TableCells.at(request, "spec").path("expirationSeconds");
    return seconds.isNumber()
        ? HumanDuration.format(Duration.ofSeconds(seconds.asLong()))
        : "<none>";
  }

  /// Denied wins over Approved; Issued says that the certificate is there.
  private static String condition(ObjectNode request) {
    Set<String> types = new HashSet<>();
    JsonNode status = request.path("status");
    status.path("conditions").forEach(condition -> types.add(condition.path("type").asText("")));
    String text =
        types.contains("Denied") ? "Denied" : types.contains("Approved") ? "Approved" : "Pending";
    if (types.contains("Failed")) {
      text += ",Failed";
    }
    return status.path("certificate").asText("").isEmpty() ? text : text + ",Issued";
  }
}
