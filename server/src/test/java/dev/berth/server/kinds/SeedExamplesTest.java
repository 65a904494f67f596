package dev.berth.server.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.kinds.Trial.Prepared;
import dev.berth.server.kinds.catalog.KindOptions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The examples of the documents that this project carries out, as they are written there.
class SeedExamplesTest {
  private final Trial trial = new Trial();

  static Stream<String> examples() {
    return Stream.of(
            "kep-585-classes",
            "kep-585-deployment",
            "kep-1301-classes",
            "kep-1301-pod",
            "arktos-vm-pod")
        .flatMap(name -> documents(name).stream());
  }

  /// KEP-585 separates some of its documents by four dashes.
  private static List<String> documents(String name) {
    return List.of(Trial.resource("seeds/" + name + ".yaml").split("(?m)^-{3,}$", -1));
  }

  @ParameterizedTest
  @MethodSource("examples")
  void everyExampleIsUnderstoodAndValid(String document) {
    Prepared prepared = trial.create(document);

    assertThat(prepared.unknownFields()).isEmpty();
    assertThat(prepared.errors()).isEmpty();
  }

  @Test
  void classesOfTheFirstVersionKeepTheirHandler() {
    assertThat(documents("kep-585-classes"))
        .map(document -> trial.created(document).path("handler").asText())
        .containsExactly("runc", "gvisor", "kata-containers", "gvisor");
  }

  @Test
  void storyTwoUpdatesTheHandlerOfAClass() {
    List<String> classes = documents("kep-1301-classes");
    ObjectNode old = trial.created(classes.get(0));
    ObjectNode changed = Trial.yaml(classes.get(3));
    changed
        .withObjectProperty("metadata")
        .put("uid", Trial.UID)
        .put("creationTimestamp", Trial.CREATED);

    assertThat(trial.errorsOnUpdate(old, changed)).isEmpty();
    assertThat(trial.update(old, changed).path("handler").asText())
        .isEqualTo("containerd-hyperv-17763");
    assertThat(new Trial(new KindOptions(true)).errorsOnUpdate(old, changed))
        .containsExactly("handler: Invalid value: \"containerd-hyperv-17763\": field is immutable");
  }

  @Test
  void oldDeploymentsGetTheDefaultsOfTheirVersion() {
    ObjectNode body = Trial.yaml(documents("kep-585-deployment").getFirst());
    body.withObjectProperty("spec").remove("selector");
    ObjectNode spec = (ObjectNode) trial.create(body, "default").object().path("spec");

    assertThat(spec.path("selector").toString())
        .isEqualTo("{\"matchLabels\":{\"app\":\"sandboxed-nginx\"}}");
    assertThat(spec.path("strategy").toString())
        .isEqualTo(
            "{\"type\":\"RollingUpdate\",\"rollingUpdate\":{\"maxUnavailable\":1,\"maxSurge\":1}}");
    assertThat(spec.path("progressDeadlineSeconds").asInt()).isEqualTo(Integer.MAX_VALUE);
  }
}
