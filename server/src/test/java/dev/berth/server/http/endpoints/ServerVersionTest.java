package dev.berth.server.http.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.json.JsonTrees;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerVersionTest {
  @ParameterizedTest
  @CsvSource({
    "Linux, amd64, linux/amd64",
    "Linux, aarch64, linux/arm64",
    "Linux, riscv64, linux/riscv64",
    "Linux, ppc64le, linux/ppc64le",
    "Mac OS X, x86_64, darwin/amd64",
    "Windows Server 2022, amd64, windows/amd64"
  })
  void thePlatformIsWrittenAsGoDoes(String system, String machine, String platform) {
    assertThat(ServerVersion.platform(system, machine)).isEqualTo(platform);
  }

  @Test
  void theBuildIsThatOfMaven() {
    JsonNode version = JsonTrees.parseTrusted(ServerVersion.document());

    assertThat(Instant.parse(version.path("buildDate").asText()))
        .isBetween(Instant.parse("2026-01-01T00:00:00Z"), Instant.now().plus(Duration.ofDays(1)));
    assertThat(version.path("gitCommit").asText()).doesNotContain("$");
    assertThat(version.path("goVersion").asText()).isEqualTo("java" + Runtime.version());
  }
}
