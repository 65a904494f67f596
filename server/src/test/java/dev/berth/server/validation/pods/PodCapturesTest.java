package dev.berth.server.validation.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.defaults.PodDefaults;
import dev.berth.server.pods.PodSamples;
import dev.berth.server.validation.FieldErrors;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Upstream's own answers.
class PodCapturesTest {
  @ParameterizedTest
  @ValueSource(strings = {"pod-invalid", "pod-no-containers"})
  void refusalsAreWordForWord(String label) {
    PodSamples.Capture capture = PodSamples.capture(label);
    ObjectNode pod = PodSamples.normal("core.v1.Pod", (ObjectNode) capture.request());
    new PodDefaults().apply(pod);
    List<String> expected = new ArrayList<>();
    capture
        .answer()
        .at("/details/causes")
        .forEach(
            cause ->
                expected.add(cause.path("field").asText() + ": " + cause.path("message").asText()));
    expected.removeIf(error -> error.startsWith("metadata."));
    assertThat(PodErrors.ofPod(pod)).isEqualTo(expected);
  }

  @Test
  void anImmutableFieldIsShownInADifference() {
    PodSamples.Capture capture = PodSamples.capture("pod-put-immutable");
    ObjectNode pod = PodSamples.normal("core.v1.Pod", (ObjectNode) capture.request());
    ObjectNode old =
        PodSamples.normal(
            "core.v1.Pod", PodSamples.capture("pod-create-defaults").answer().deepCopy());
    assertThat(PodErrors.onUpdate(pod, old))
        .containsExactly("spec: " + capture.answer().at("/details/causes/0/message").asText());
  }

  @ParameterizedTest
  @ValueSource(strings = {"pod-create-defaults", "pod-create-rich", "pod-rtc", "pod-after-binding"})
  void whatUpstreamStoredIsGood(String label) {
    ObjectNode pod =
        PodSamples.normal("core.v1.Pod", PodSamples.capture(label).answer().deepCopy());
    assertThat(PodErrors.ofPod(pod)).isEmpty();
    assertThat(PodErrors.warnings(pod)).isEmpty();
  }

  @Test
  void tolerationsMayBeAdded() {
    ObjectNode old =
        PodSamples.normal(
            "core.v1.Pod", PodSamples.capture("pod-create-defaults").answer().deepCopy());
    ObjectNode pod =
        PodSamples.normal("core.v1.Pod", PodSamples.capture("patch-strategic").answer().deepCopy());
    assertThat(PodErrors.onUpdate(pod, old)).isEmpty();
  }

  @Test
  void statusesOfNodeAgentsAreGood() {
    FieldErrors errors = new FieldErrors();
    new PodValidator()
        .onStatusUpdate(
            PodSamples.capture("pod-status-patch").answer().deepCopy(),
            PodSamples.capture("pod-after-binding").answer().deepCopy(),
            errors);
    assertThat(errors.toList()).isEmpty();
  }

  @Test
  void adviceIsWordForWord() {
    PodSamples.Capture capture = PodSamples.capture("warn-deprecated");
    ObjectNode pod = PodSamples.normal("core.v1.Pod", (ObjectNode) capture.request());
    new PodDefaults().apply(pod);
    List<String> headers =
        PodErrors.warnings(pod).stream()
            .map(text -> "299 - \"" + text.replace("\"", "\\\"") + "\"")
            .toList();
    assertThat(headers).isEqualTo(capture.warnings());
  }
}
