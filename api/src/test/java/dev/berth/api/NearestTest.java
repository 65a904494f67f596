package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class NearestTest {
  private static final List<String> KNOWN = List.of("maxPods", "clusterDNS", "clusterDomain");

  @Test
  void aSlipOfTheHandIsRecognized() {
    assertThat(Nearest.to("maxPod", KNOWN)).contains("maxPods");
    assertThat(Nearest.to("clusterDns", KNOWN)).contains("clusterDNS");
    assertThat(Nearest.to("clusterdomian", KNOWN)).contains("clusterDomain");
  }

  @Test
  void anotherWordIsNoSlip() {
    assertThat(Nearest.to("rotateCertificates", KNOWN)).isEmpty();
    assertThat(Nearest.to("x", List.of())).isEmpty();
  }
}
