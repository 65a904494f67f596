package dev.berth.server.http.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class AuditIdTest {
  @Test
  void theClientsNameIsKept() {
    assertThat(AuditId.of("mine")).isEqualTo("mine");
    assertThat(AuditId.of("x".repeat(100))).hasSize(64);
  }

  @Test
  void withoutOneARandomNameIsMade() {
    UUID made = UUID.fromString(AuditId.of(""));
    assertThat(made.version()).isEqualTo(4);
    assertThat(made.variant()).isEqualTo(2);
    assertThat(AuditId.of("")).isNotEqualTo(made.toString());
  }
}
