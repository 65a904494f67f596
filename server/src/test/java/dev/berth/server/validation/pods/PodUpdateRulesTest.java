package dev.berth.server.validation.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.pods.PodSamples;
import dev.berth.server.validation.FieldErrors;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodUpdateRulesTest {
  private static final String ONLY =
      "spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,"
          + "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only"
          + " additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to"
          + " be set to 1 if it was previously negative)\n";

  private static ObjectNode pod(String fields) {
    return PodSamples.podOf("containers: [{name: app, image: 'app:1'}]\n" + fields);
  }

  private static List<String> update(String from, String to) {
    return PodErrors.onUpdate(pod(to), pod(from));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          hostname: a                 | hostname: a                     | ''
          hostname: a                 | {hostname: a, activeDeadlineSeconds: 9} | ''
          activeDeadlineSeconds: 9    | activeDeadlineSeconds: 8        | ''
          activeDeadlineSeconds: 9    | activeDeadlineSeconds: 10       | spec.activeDeadlineSeconds: Invalid value: 10: must be less than or equal to previous value
          activeDeadlineSeconds: 9    | restartPolicy: Always           | spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value
          terminationGracePeriodSeconds: -5 | terminationGracePeriodSeconds: 1 | ''
          schedulingGates: [{name: a}, {name: b}] | schedulingGates: [{name: b}] | ''
          schedulingGates: [{name: a}] | schedulingGates: [{name: b}]   | spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'b'
          tolerations: [{key: a}]     | tolerations: [{key: b}]         | spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds
          {schedulingGates: [{name: g}], nodeSelector: {a: b}} | {schedulingGates: [{name: g}], nodeSelector: {a: b, c: d}} | ''
          {schedulingGates: [{name: g}], nodeSelector: {a: b}} | {schedulingGates: [{name: g}], nodeSelector: {a: c}} | spec.nodeSelector: Invalid value: map[string]string{"a":"c"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)
          """)
  void whatMayChange(String from, String to, String expected) {
    PodErrors.assertMessages(PodErrors.onUpdate(flow(to), flow(from)), expected);
  }

  private static ObjectNode flow(String fields) {
    return fields.startsWith("{")
        ? PodSamples.podOf("{containers: [{name: app, image: 'app:1'}], " + fields.substring(1))
        : pod(fields);
  }

  @Test
  void imagesMayChange() {
    ObjectNode old = pod("initContainers: [{name: i, image: 'i:1'}]");
    ObjectNode pod = old.deepCopy();
    ((ObjectNode) pod.at("/spec/containers/0")).put("image", "app:2");
    ((ObjectNode) pod.at("/spec/initContainers/0")).put("image", "i:2");
    assertThat(PodErrors.onUpdate(pod, old)).isEmpty();
  }

  @Test
  void containersStay() {
    ObjectNode pod = PodSamples.podOf("containers: [{name: a, image: a}, {name: b, image: b}]");
    assertThat(PodErrors.onUpdate(pod, pod("")))
        .containsExactly(
            "spec.containers: Forbidden: pod updates may not add or remove containers");
  }

  @Test
  void numbersAreComparedByValue() {
    ObjectNode old = pod("priority: 5");
    ObjectNode pod = old.deepCopy();
    ((ObjectNode) pod.get("spec")).put("priority", 5L);
    assertThat(PodErrors.onUpdate(pod, old)).isEmpty();
  }

  @Test
  void addedMapsAndScalarsAreShown() {
    assertThat(update("", "nodeSelector: {a: b}\npriority: 5"))
        .containsExactly(
            ONLY
                + """
                  core.PodSpec{
                  	... // 6 identical fields
                  	ActiveDeadlineSeconds:        nil,
                  	DNSPolicy:                    "ClusterFirst",
                - 	NodeSelector:                 nil,
                + 	NodeSelector:                 map[string]string{"a": "b"},
                  	ServiceAccountName:           "",
                  	AutomountServiceAccountToken: nil,
                  	... // 9 identical fields
                  	HostAliases:       nil,
                  	PriorityClassName: "",
                - 	Priority:          nil,
                + 	Priority:          &5,
                  	PreemptionPolicy:  nil,
                  	DNSConfig:         nil,
                  	... // 9 identical fields
                  }
                """);
  }

  @Test
  void changesInsideAContainerAreFound() {
    ObjectNode old = pod("");
    ObjectNode pod = old.deepCopy();
    ((ObjectNode) pod.at("/spec/containers/0")).putArray("args").add("x");
    assertThat(PodErrors.onUpdate(pod, old).getFirst())
        .contains("\n  \tContainers: []core.Container{\n  \t\t{\n")
        .contains("\n- \t\t\tArgs:                     nil,\n+ \t\t\tArgs: ");
  }

  @Test
  void nodeAffinityMayNarrowWhileGated() {
    String gated =
        """
        schedulingGates: [{name: g}]
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms:
              - matchExpressions: [{key: a, operator: Exists}%s]
        """;
    String narrower = gated.formatted(", {key: b, operator: Exists}");
    assertThat(update(gated.formatted(""), narrower)).isEmpty();
    assertThat(update("schedulingGates: [{name: g}]", narrower)).isEmpty();
    assertThat(update(narrower, gated.formatted("")))
        .singleElement()
        .asString()
        .endsWith("only additions are allowed (no mutations or deletions)");
    assertThat(update(narrower, "schedulingGates: [{name: g}]"))
        .containsExactly(
            "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"
                + ".nodeSelectorTerms: Invalid value: null: no additions/deletions to non-empty"
                + " NodeSelectorTerms list are allowed");
  }

  @Test
  void someAnnotationsStay() {
    String pod = "metadata: {annotations: {%s}}\nspec: {containers: [{name: a, image: a}]}";
    String key = "container.apparmor.security.beta.kubernetes.io/a";
    assertThat(
            PodErrors.onUpdate(
                PodSamples.pod(pod.formatted("")),
                PodSamples.pod(pod.formatted(key + ": runtime/default"))))
        .containsExactly(
            "metadata.annotations[%s]: Forbidden: may not remove or update AppArmor annotations"
                .formatted(key));
    assertThat(
            PodErrors.onUpdate(
                PodSamples.pod(pod.formatted(key + ": runtime/default")),
                PodSamples.pod(pod.formatted(""))))
        .containsExactly(
            "metadata.annotations[%s]: Forbidden: may not add AppArmor annotations".formatted(key));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          [{name: d, image: d, targetContainerName: app}] | ''
          [{name: app, image: d}]                   | spec.ephemeralContainers[0].name: Duplicate value: "app"
          [{name: d, image: d, targetContainerName: x}] | spec.ephemeralContainers[0].targetContainerName: Not found: "x"
          [{name: d, image: d, ports: [{containerPort: 1}], resources: {limits: {cpu: 1}}}] | spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container # spec.ephemeralContainers[0].resources: Forbidden: cannot be set for an Ephemeral Container
          """)
  void ephemeralContainersMayBeAdded(String containers, String expected) {
    FieldErrors errors = new FieldErrors();
    new PodValidator()
        .onEphemeralContainersUpdate(pod("ephemeralContainers: " + containers), pod(""), errors);
    PodErrors.assertMessages(PodErrors.texts(errors), expected);
  }

  @Test
  void ephemeralContainersStayAsTheyAre() {
    ObjectNode old = pod("ephemeralContainers: [{name: d, image: 'd:1'}, {name: e, image: 'e:1'}]");
    FieldErrors errors = new FieldErrors();
    new PodValidator()
        .onEphemeralContainersUpdate(
            pod("ephemeralContainers: [{name: d, image: 'd:2'}]"), old, errors);
    assertThat(PodErrors.texts(errors))
        .satisfiesExactly(
            changed ->
                assertThat(changed)
                    .startsWith(
                        "spec.ephemeralContainers: Forbidden: existing ephemeral containers \"d\""
                            + " may not be changed\n  core.EphemeralContainer{\n")
                    .contains("\n- \tImage: "),
            removed ->
                assertThat(removed)
                    .isEqualTo(
                        "spec.ephemeralContainers: Forbidden: existing ephemeral containers \"e\""
                            + " may not be removed\n"));
  }
}
