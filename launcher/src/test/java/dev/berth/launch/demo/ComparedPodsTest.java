package dev.berth.launch.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ComparedPodsTest {
  private static final String SUMMARY =
      """
      {"pods": [
        {"podRef": {"name": "hello-vm", "namespace": "other"}, "memory": {"workingSetBytes": 1}},
        {"podRef": {"name": "hello-vm", "namespace": "berth-demo"},
         "memory": {"workingSetBytes": 68157440}},
        {"podRef": {"name": "hello-runc", "namespace": "berth-demo"}}]}
      """;

  @Test
  void memoryIsThatOfThePodInItsNamespace() {
    assertThat(ComparedPods.memory(SUMMARY, "hello-vm")).isEqualTo("65.0 MiB");
  }

  @Test
  void whatIsUnknownIsADash() {
    assertThat(ComparedPods.memory(SUMMARY, "hello-runc")).isEqualTo("-");
    assertThat(ComparedPods.memory(SUMMARY, "hello")).isEqualTo("-");
    assertThat(ComparedPods.memory("Error from server", "hello-vm")).isEqualTo("-");
  }

  @Test
  void shortTimesHaveDigits() {
    assertThat(ComparedPods.seconds(Duration.ofMillis(254))).isEqualTo("0.25 s");
  }
}
