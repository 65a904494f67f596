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
import dev.berth.server.podsecurity.NamespacePolicy;
import dev.berth.server.podsecurity.PodSecurityConfiguration;
import dev.berth.server.podsecurity.PolicyEvaluator;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is said about the labels of a namespace.
class NamespaceSecurityLabelsTest {
  private static final String PREFIX = "pod-security.kubernetes.io/";

  private final FakeObjects objects = new FakeObjects();
  private final List<String> warnings = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong();
  private Set<String> exempt = Set.of();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "enforce|nope|\"nope\": must be one of privileged, baseline, restricted",
        "warn|Baseline|\"Baseline\": must be one of privileged, baseline, restricted",
        "audit-version|1.25|\"1.25\": must be \"latest\" or \"v1.x\"",
        "enforce-version|v1.025|\"v1.025\": must be \"latest\" or \"v1.x\"",
      })
  void labelsMustBeReadable(String label, String value, String detail) {
    ObjectNode namespace = namespace(label, value);
    assertThatThrownBy(() -> validate(namespace, null))
        .hasMessage(
            "Namespace \"t1\" is invalid: metadata.labels["
                + PREFIX
                + label
                + "]: Invalid value: "
                + detail);
    // What was wrong before may stay while it is not touched.
    validate(namespace, namespace.deepCopy());
    assertThatThrownBy(() -> validate(namespace, namespace("enforce", "baseline")))
        .hasMessageContaining("Invalid value");
  }

  @Test
  void aStricterLevelNamesThePodsThatBreakIt() {
    pod("web-2", "'hostNetwork':true");
    pod("web-1", "'hostNetwork':true");
    pod("web-3", "'hostNetwork':true");
    pod("disk", "'volumes':[{'name':'v','hostPath':{}}]");
    pod("fine", "'containers':[{'name':'c'}]");
    validate(namespace("enforce", "baseline"), namespace("enforce", "privileged"));
    assertThat(warnings)
        .containsExactly(
            "existing pods in namespace \"t1\" violate the new PodSecurity enforce level"
                + " \"baseline:latest\"",
            "disk: hostPath volumes",
            "web-1 (and 2 other pods): host namespaces");
  }

  @ParameterizedTest
  @CsvSource({
    "baseline, restricted",
    "baseline, baseline",
    "privileged, restricted",
  })
  void aLevelThatIsNotStricterNeedsNoLook(String now, String before) {
    pod("web-1", "'hostNetwork':true");
    validate(namespace("enforce", now), namespace("enforce", before));
    assertThat(warnings).isEmpty();
  }

  @Test
  void lookingTakesASecondAtMost() {
    for (int i = 0; i < 5; i++) {
      pod("web-" + i, "'hostNetwork':true");
    }
    nanos.set(1);
    validate(
        namespace("enforce", "baseline"),
        namespace("warn", "baseline"),
        () -> nanos.addAndGet(400_000_000L));
    assertThat(warnings)
        .contains(
            "new PodSecurity enforce level only checked against the first 3 of 5 existing pods",
            "web-0 (and 2 other pods): host namespaces");
  }

  @Test
  void labelsOfAnExemptNamespaceAreIgnored() {
    exempt = Set.of("t1");
    pod("web-1", "'hostNetwork':true");
    validate(namespace("enforce", "baseline"), namespace("warn", "privileged"));
    assertThat(warnings)
        .containsExactly(
            "namespace \"t1\" is exempt from Pod Security, and the policy (enforce=baseline:latest)"
                + " will be ignored");
  }

  private void pod(String name, String spec) {
    objects.put(
        "pods",
        json("{'metadata':{'name':'%s','namespace':'t1'},'spec':{%s}}".formatted(name, spec)));
  }

  private static ObjectNode namespace(String label, String value) {
    return json("{'metadata':{'name':'t1','labels':{'%s':'%s'}}}".formatted(PREFIX + label, value));
  }

  private void validate(ObjectNode namespace, @Nullable ObjectNode old) {
    validate(namespace, old, nanos::get);
  }

  private void validate(
      ObjectNode namespace, @Nullable ObjectNode old, java.util.function.LongSupplier time) {
    new NamespaceSecurityLabels(
            objects,
            new PodSecurityConfiguration(NamespacePolicy.PRIVILEGED, Set.of(), Set.of(), exempt),
            new PodSecurityMetrics(new PrometheusRegistry()),
            new PolicyEvaluator(),
            time)
        .validate(
            new AdmissionAttributes(
                old == null ? Operation.CREATE : Operation.UPDATE,
                kind("namespaces"),
                "",
                "",
                "t1",
                namespace,
                old,
                Writes.ADMIN,
                false,
                warnings::add,
                (_, _) -> {}));
  }
}
