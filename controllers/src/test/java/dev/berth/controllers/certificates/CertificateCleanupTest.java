package dev.berth.controllers.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CertificateCleanupTest {
  /// Created at noon, decided at one.
  @ParameterizedTest
  @CsvSource({
    "'', '', 2026-01-02T12:00:00Z",
    "Denied, '', 2026-01-01T14:00:00Z",
    "Failed, '', 2026-01-01T14:00:00Z",
    "Approved, eA==, 2026-01-01T14:00:00Z",
    "Approved, '', ",
  })
  void requestsGoWhenNobodyNeedsThemAnyMore(String condition, String certificate, String end) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.putObject("metadata").put("creationTimestamp", "2026-01-01T12:00:00Z");
    ObjectNode status = object.putObject("status").put("certificate", certificate);
    if (!condition.isEmpty()) {
      status
          .putArray("conditions")
          .addObject()
          .put("type", condition)
          .put("lastUpdateTime", "2026-01-01T13:00:00Z");
    }

    assertThat(CertificateCleanup.end(new SigningRequest(object)).orElse(null))
        .isEqualTo(end == null ? null : Instant.parse(end));
  }
}
