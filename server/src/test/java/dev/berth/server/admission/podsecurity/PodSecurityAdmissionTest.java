package dev.berth.server.admission.podsecurity;

import static dev.berth.server.admission.Writes.json;
import static dev.berth.server.admission.Writes.kind;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.admission.Writes;
import dev.berth.server.auth.FakeObjects;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.podsecurity.NamespacePolicy;
import dev.berth.server.podsecurity.PodSecurityConfiguration;
import dev.berth.server.podsecurity.PolicyEvaluator;
import dev.berth.server.validation.FieldErrors;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which writes pod security judges, and what it does about them.
class PodSecurityAdmissionTest {
  private static final String PREFIX = "pod-security.kubernetes.io/";
  private static final String PRIVILEGED_POD =
      "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'x',"
          + "'securityContext':{'privileged':true}}]}}";
  private static final String REFUSED =
      "pods \"p\" is forbidden: violates PodSecurity \"baseline:latest\": privileged (container"
          + " \"c\" must not set securityContext.privileged=true)";

  private final FakeObjects objects = new FakeObjects();
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final PodSecurityMetrics metrics = new PodSecurityMetrics(registry);
  private final List<String> warnings = new ArrayList<>();
  private final Map<String, String> annotations = new LinkedHashMap<>();
  private PodSecurityConfiguration config = PodSecurityConfiguration.STANDARD;

  @Test
  void namespacesWithoutLabelsArePrivileged() {
    labels("");
    validate(pod("", PRIVILEGED_POD, null));
    assertThat(annotations).containsEntry(PREFIX + "enforce-policy", "privileged:latest");
    assertThat(counted("pod_security_evaluations"))
        .containsExactly("allow privileged latest enforce create pod  1");
  }

  @Test
  void theDefaultOfTheClusterHoldsWhereThereAreNoLabels() {
    config = config("baseline", Set.of(), Set.of(), Set.of());
    labels("");
    assertThatThrownBy(() -> validate(pod("", PRIVILEGED_POD, null))).hasMessage(REFUSED);
    labels("'" + PREFIX + "enforce':'privileged'");
    validate(pod("", PRIVILEGED_POD, null));
  }

  @Test
  void aRefusalIsAuditedAndDoesNotWarn() {
    labels(
        label("enforce", "baseline")
            + ","
            + label("audit", "baseline")
            + ","
            + label("warn", "restricted"));
    assertThatThrownBy(() -> validate(pod("", PRIVILEGED_POD, null))).hasMessage(REFUSED);
    assertThat(warnings).isEmpty();
    assertThat(annotations)
        .containsEntry(PREFIX + "enforce-policy", "baseline:latest")
        .containsEntry(
            PREFIX + "audit-violations",
            "would violate PodSecurity \"baseline:latest\": privileged (container \"c\" must not set"
                + " securityContext.privileged=true)");
    assertThat(counted("pod_security_evaluations"))
        .containsExactlyInAnyOrder(
            "deny baseline latest enforce create pod  1",
            "deny baseline latest audit create pod  1");
  }

  @ParameterizedTest
  @CsvSource({"ann, '', t1, user", "bob, '', t1, namespace", "bob, gvisor, '', runtimeClass"})
  void exemptionsLetPass(String user, String runtimeClass, String namespace, String reason) {
    config =
        config(
            "baseline",
            Set.of("ann"),
            Set.of("gvisor"),
            reason.equals("namespace") ? Set.of(namespace) : Set.of());
    labels("");
    ObjectNode pod = json(PRIVILEGED_POD);
    if (!runtimeClass.isEmpty()) {
      pod.withObject("/spec").put("runtimeClassName", runtimeClass);
    }
    validate(write(Operation.CREATE, Writes.PODS, "", pod, null, user));
    assertThat(annotations).containsEntry(PREFIX + "exempt", reason);
    assertThat(counted("pod_security_exemptions")).containsExactly("create pod  1");
  }

  @Test
  void labelsThatCannotBeReadRestrict() {
    labels("'" + PREFIX + "enforce':'strict','" + PREFIX + "warn':'x'");
    assertThatThrownBy(() -> validate(pod("", PRIVILEGED_POD, null)))
        .hasMessageContaining("violates PodSecurity \"restricted:latest\"");
    assertThat(annotations.get(PREFIX + "error"))
        .startsWith("Failed to parse policy: [metadata.labels[pod-security.kubernetes.io/enforce]");
    assertThat(counted("pod_security_errors")).containsExactly("false create pod  1");
  }

  @Test
  void updatesAreJudgedWhenTheyMatter() {
    labels(label("enforce", "baseline"));
    ObjectNode old = json(PRIVILEGED_POD);
    ObjectNode labelled = old.deepCopy();
    labelled.withObject("/metadata").withObject("/labels").put("a", "b");
    validate(write(Operation.UPDATE, Writes.PODS, "", labelled, old, "bob"));
    ObjectNode image = json(PRIVILEGED_POD.replace("'x'", "'y'"));
    assertThatThrownBy(() -> validate(write(Operation.UPDATE, Writes.PODS, "", image, old, "bob")))
        .hasMessage(REFUSED);
    validate(write(Operation.UPDATE, Writes.PODS, "status", image, old, "bob"));
    validate(write(Operation.UPDATE, Writes.PODS, "resize", labelled, old, "bob"));
  }

  @Test
  void ephemeralContainersAreJudged() {
    labels(label("enforce", "baseline"));
    String plain = "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'x'}]%s}}";
    ObjectNode old = json(plain.formatted(""));
    ObjectNode added =
        json(
            plain.formatted(
                ",'ephemeralContainers':[{'name':'debug','image':'x','securityContext':"
                    + "{'capabilities':{'add':['SYS_PTRACE']}}}]"));
    assertThatThrownBy(
            () ->
                validate(
                    write(Operation.UPDATE, Writes.PODS, "ephemeralcontainers", added, old, "bob")))
        .hasMessage(
            "pods \"p\" is forbidden: violates PodSecurity \"baseline:latest\": non-default"
                + " capabilities (container \"debug\" must not include \"SYS_PTRACE\" in"
                + " securityContext.capabilities.add)");
    // Those that are there already are not judged again.
    validate(
        write(
            Operation.UPDATE, Writes.PODS, "ephemeralcontainers", added, added.deepCopy(), "bob"));
  }

  @ParameterizedTest
  @CsvSource({
    "deployments.apps",
    "replicasets.apps",
    "statefulsets.apps",
    "daemonsets.apps",
    "jobs.batch"
  })
  void templatesAreWarnedAboutOnly(String bucket) {
    labels(
        label("enforce", "baseline")
            + ","
            + label("warn", "baseline")
            + ","
            + label("audit", "baseline"));
    ObjectNode workload = json("{'metadata':{'name':'d'}}");
    workload.putObject("spec").set("template", json(PRIVILEGED_POD));
    validate(write(Operation.CREATE, kind(bucket), "", workload, null, "bob"));
    assertThat(warnings)
        .containsExactly(
            "would violate PodSecurity \"baseline:latest\": privileged (container \"c\" must not set"
                + " securityContext.privileged=true)");
    assertThat(annotations).containsOnlyKeys(PREFIX + "audit-violations");
    assertThat(counted("pod_security_evaluations"))
        .containsExactlyInAnyOrder(
            "deny baseline latest audit create controller  1",
            "deny baseline latest warn create controller  1");
  }

  @Test
  void versionsThatDoNotExistYetAreCountedAsOne() {
    labels(label("enforce", "baseline") + "," + label("enforce-version", "v1.77"));
    validate(pod("", "{'metadata':{'name':'p'},'spec':{}}", null));
    assertThat(counted("pod_security_evaluations"))
        .containsExactly("allow baseline future enforce create pod  1");
  }

  private static String label(String mode, String level) {
    return "'" + PREFIX + mode + "':'" + level + "'";
  }

  private void labels(String labels) {
    objects.put("namespaces", json("{'metadata':{'name':'t1','labels':{" + labels + "}}}"));
  }

  private static PodSecurityConfiguration config(
      String enforce, Set<String> users, Set<String> classes, Set<String> namespaces) {
    return new PodSecurityConfiguration(
        NamespacePolicy.of(
            Map.of(PREFIX + "enforce", enforce), NamespacePolicy.PRIVILEGED, new FieldErrors()),
        users,
        classes,
        namespaces);
  }

  private AdmissionAttributes pod(String subresource, String pod, @Nullable ObjectNode old) {
    return write(Operation.CREATE, Writes.PODS, subresource, json(pod), old, "bob");
  }

  private AdmissionAttributes write(
      Operation operation,
      ResourceKind kind,
      String subresource,
      ObjectNode object,
      @Nullable ObjectNode old,
      String user) {
    return new AdmissionAttributes(
        operation,
        kind,
        subresource,
        "t1",
        "",
        object,
        old,
        UserInfo.of(user),
        false,
        warnings::add,
        annotations::put);
  }

  private void validate(AdmissionAttributes write) {
    new PodSecurityAdmission(objects, config, metrics, new PolicyEvaluator()).validate(write);
  }

  private List<String> counted(String name) {
    return registry.scrape(name::equals).stream()
        .flatMap(snapshot -> ((CounterSnapshot) snapshot).getDataPoints().stream())
        .map(
            point ->
                point.getLabels().stream()
                        .sorted(PodSecurityAdmissionTest::inOrder)
                        .map(label -> label.getValue())
                        .collect(Collectors.joining(" "))
                    + " "
                    + (int) point.getValue())
        .toList();
  }

  private static int inOrder(
      io.prometheus.metrics.model.snapshots.Label one,
      io.prometheus.metrics.model.snapshots.Label other) {
    List<String> order =
        List.of(
            "fatal",
            "decision",
            "policy_level",
            "policy_version",
            "mode",
            "request_operation",
            "resource",
            "subresource");
    return order.indexOf(one.getName()) - order.indexOf(other.getName());
  }
}
