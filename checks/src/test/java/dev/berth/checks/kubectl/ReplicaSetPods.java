package dev.berth.checks.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.agent.pods.status.FailureReason;
import dev.berth.checks.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// ReplicaSets of one pod each, and how fast their pods are created and fail.
final class ReplicaSetPods {
  private static final JsonMapper MAPPER = new JsonMapper();

  /// The fourth fails a second after the third, the next ones 2, 4 and 8 seconds later.
  private static final int PODS = 7;

  private static final Duration LEAST = Duration.ofSeconds(1 + 2 + 4);

  /// An eviction follows a measurement, of which there is one every ten seconds.
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final Kubectl kubectl;

  private ReplicaSetPods(Kubectl kubectl) {
    this.kubectl = kubectl;
  }

  /// In a cluster whose node `node-1` is ready.
  static ReplicaSetPods in(TestCluster cluster, Path cache) {
    Kubectl kubectl = new Kubectl(cluster.kubeconfig(), cache);
    kubectl.run("wait", "--for=create", "serviceaccount/default", "--timeout=60s");
    kubectl.run("wait", "--for=create", "node/node-1", "--timeout=60s");
    kubectl.run("wait", "--for=condition=Ready", "node/node-1", "--timeout=60s");
    return new ReplicaSetPods(kubectl);
  }

  Kubectl kubectl() {
    return kubectl;
  }

  /// @param specs by name: lines of the pod's specification, and behind a bar more fields of its
  ///   container
  void create(Map<String, String> specs) {
    StringBuilder sets = new StringBuilder();
    specs.forEach((name, spec) -> sets.append(set(name, spec)));
    kubectl.apply(sets.toString(), "apply", "-f", "-");
  }

  void pod(String name, String spec) {
    String[] parts = spec.split("\\|", 2);
    String more = parts.length > 1 ? parts[1] : "";
    specified(
        name,
        "%s; containers: [{name: main, image: \"sim/web:1\", command: [sleep, \"1000000\"]%s}]"
            .formatted(parts[0], more));
  }

  /// @param spec all lines of the pod's specification
  void specified(String name, String spec) {
    kubectl.apply(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: %s}\nspec:\n  %s\n"
            .formatted(name, spec.replace("; ", "\n  ")),
        "apply",
        "-f",
        "-");
  }

  /// Seven pods failed for the reason, and the last four of them with growing pauses.
  void assertSlow(FailureReason reason) {
    await(
        () -> reason + ": " + of(name(reason)).size() + " pods",
        () -> failed(reason).size() >= PODS);
    List<JsonNode> all = failed(reason);
    assertThat(all).allSatisfy(pod -> assertThat(reason(pod)).isEqualTo(reason.toString()));
    // Each is made when the one before it failed; times of creation are whole seconds.
    assertThat(Duration.between(created(all.get(3)), created(all.get(PODS - 1))).plusSeconds(1))
        .as(reason.toString())
        .isGreaterThanOrEqualTo(LEAST);
  }

  /// The same where somebody else deletes pods meanwhile, at most one in the time that this takes.
  void assertSlowAlthoughDeleted(FailureReason reason) {
    Map<String, JsonNode> seen = new LinkedHashMap<>();
    await(
        () -> reason + ": " + seen.size() + " pods",
        () -> {
          of(name(reason)).forEach(pod -> seen.put(pod.at("/metadata/uid").asText(), pod));
          return seen.size() >= PODS;
        });
    List<Instant> times = seen.values().stream().map(ReplicaSetPods::created).sorted().toList();
    assertThat(seen.values().stream().map(ReplicaSetPods::reason)).contains(reason.toString());
    assertThat(Duration.between(times.getFirst(), times.get(PODS - 1)).plusSeconds(1))
        .as(reason.toString())
        .isGreaterThanOrEqualTo(Duration.ofSeconds(1 + 2));
  }

  /// One pod failed for the reason; its successor is there and has not failed.
  void assertOneFailedThenPending(FailureReason reason) {
    String app = name(reason);
    await(() -> reason + ": " + of(app), () -> failed(reason).size() == 1 && of(app).size() == 2);
    assertThat(reason(failed(reason).getFirst())).isEqualTo(reason.toString());
  }

  void assertOnePending(String name) {
    assertThat(of(name))
        .as(name)
        .singleElement()
        .satisfies(pod -> assertThat(phase(pod)).isEqualTo("Pending"));
  }

  void awaitRunning(String app) {
    await(
        () -> app + ": " + of(app),
        () -> of(app).stream().anyMatch(pod -> phase(pod).equals("Running")));
  }

  void awaitFailed(FailureReason reason, int count) {
    await(
        () -> reason + ": " + of(name(reason)),
        () ->
            failed(reason).stream().filter(pod -> reason(pod).equals(reason.toString())).count()
                >= count);
  }

  private List<JsonNode> failed(FailureReason reason) {
    return of(name(reason)).stream().filter(pod -> phase(pod).equals("Failed")).toList();
  }

  List<JsonNode> of(String app) {
    String json =
        kubectl.run(
            "get",
            "pods",
            "-l",
            "app=" + app,
            "--sort-by=.metadata.creationTimestamp",
            "-o",
            "json");
    return parse(json).path("items").valueStream().toList();
  }

  JsonNode named(String pod) {
    return parse(kubectl.run("get", "pod", pod, "-o", "json"));
  }

  static JsonNode parse(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String name(FailureReason reason) {
    return "r-" + reason.toString().toLowerCase(Locale.ROOT);
  }

  private static String reason(JsonNode pod) {
    return pod.at("/status/reason").asText();
  }

  private static String phase(JsonNode pod) {
    return pod.at("/status/phase").asText();
  }

  private static Instant created(JsonNode pod) {
    return Instant.parse(pod.at("/metadata/creationTimestamp").asText());
  }

  private static String set(String name, String spec) {
    String[] parts = spec.split("\\|", 2);
    return """
      apiVersion: apps/v1
      kind: ReplicaSet
      metadata: {name: %s}
      spec:
        replicas: 1
        selector: {matchLabels: {app: %s}}
        template:
          metadata: {labels: {app: %s}}
          spec:
            %s
            containers: [{name: main, image: "sim/web:1", command: [sleep, "1000000"]%s}]
      ---
      """
        .formatted(
            name, name, name, parts[0].replace("; ", "\n      "), parts.length > 1 ? parts[1] : "");
  }

  private static void await(Supplier<String> what, BooleanSupplier condition) {
    Instant end = Instant.now().plus(LONGEST);
    while (!condition.getAsBoolean()) {
      assertThat(Instant.now()).as(what.get()).isBefore(end);
    }
  }
}
