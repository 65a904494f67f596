package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class NearestWordTest {
  private static final List<String> KNOWN = List.of("maxPods", "clusterDNS", "clusterDomain");

  @Test
  void aSlipOfTheHandIsRecognized() {
    assertThat(NearestWord.to("maxPod", KNOWN)).contains("maxPods");
    assertThat(NearestWord.to("clusterDns", KNOWN)).contains("clusterDNS");
    assertThat(NearestWord.to("clusterdomian", KNOWN)).contains("clusterDomain");
  }

  @Test
  void anotherWordIsNoSlip() {
    assertThat(NearestWord.to("rotateCertificates", KNOWN)).isEmpty();
    assertThat(NearestWord.to("x", List.of())).isEmpty();
  }
}
