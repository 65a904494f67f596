package dev.berth.server.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KindStrategyTest {
  private static final Trial TRIAL = new Trial();
  private static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

  private static String workload(String kind) {
    return """
    apiVersion: apps/v1
    kind: %s
    metadata: {name: a, generation: 7}
    spec:
      selector: {matchLabels: {a: b}}
      template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: x}]}}
    status: {observedGeneration: 9}
    """
        .formatted(kind);
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "Deployment | {spec: {replicas: 2}} | 2",
        "Deployment | {metadata: {annotations: {a: b}}} | 2",
        "Deployment | {metadata: {labels: {a: b}}} | 1",
        "Deployment | {status: {replicas: 1}} | 1",
        "Deployment | {metadata: {generation: 5}} | 1",
        "ReplicaSet | {metadata: {annotations: {a: b}}} | 1",
        "ReplicaSet | {spec: {minReadySeconds: 2}} | 2",
        "DaemonSet | {spec: {minReadySeconds: 2}} | 2",
        "StatefulSet | {spec: {replicas: 2}} | 2",
      })
  void changesOfTheSpecAreCounted(String kind, String patch, long generation) {
    ObjectNode old = TRIAL.created(workload(kind));
    ObjectNode updated = TRIAL.update(old, Trial.merged(old, patch));

    assertThat(old.path("metadata").path("generation").asLong()).isEqualTo(1);
    assertThat(updated.path("metadata").path("generation").asLong()).isEqualTo(generation);
    assertThat(updated.path("status")).isEqualTo(old.path("status"));
  }

  @Test
  void daemonSetsCountChangesOfTheirTemplate() {
    ObjectNode old = TRIAL.created(workload("DaemonSet"));
    ObjectNode other =
        TRIAL.update(
            old, Trial.merged(old, "{spec: {minReadySeconds: 1}, metadata: {annotations: null}}"));
    ObjectNode changed =
        TRIAL.update(other, Trial.merged(other, "{spec: {template: {spec: {hostNetwork: true}}}}"));

    assertThat(templateGeneration(old)).isEqualTo("1");
    assertThat(templateGeneration(other)).isEqualTo("1");
    assertThat(templateGeneration(changed)).isEqualTo("2");
    assertThat(changed.path("metadata").path("generation").asLong()).isEqualTo(3);
  }

  private static String templateGeneration(ObjectNode daemonSet) {
    return daemonSet.path("metadata").path("annotations").path(TEMPLATE_GENERATION).asText();
  }

  @Test
  void statusWritesChangeNothingElse() {
    ObjectNode old = TRIAL.created(workload("Deployment"));
    ObjectNode written =
        Trial.merged(
            old,
            """
            metadata: {labels: {q: "1"}, annotations: {q: "1"}, generation: 8}
            spec: {replicas: 9}
            status: {replicas: 1, observedGeneration: 1}
            """);
    TRIAL.kindOf(old).strategy().prepareStatusUpdate(written, old);

    assertThat(written.path("spec")).isEqualTo(old.path("spec"));
    assertThat(written.path("metadata").has("labels")).isFalse();
    assertThat(written.path("metadata").path("annotations").path("q").asText()).isEqualTo("1");
    assertThat(written.path("metadata").path("generation").asInt()).isEqualTo(1);
    assertThat(written.path("status").path("replicas").asInt()).isEqualTo(1);
  }

  @Test
  void namespacesKeepTheirFinalizersUntilTheyAreFinalized() {
    ObjectNode old =
        TRIAL.created("{apiVersion: v1, kind: Namespace, metadata: {name: a, labels: {x: y}}}");
    ObjectNode emptied = Trial.merged(old, "{spec: {finalizers: null}, status: {phase: X}}");
    ObjectNode updated = TRIAL.update(old, emptied);
    ObjectNode finalized = emptied.deepCopy();
    TRIAL.kindOf(old).strategy().prepareFinalize(finalized, old);

    assertThat(updated).isEqualTo(old);
    assertThat(finalized.path("spec").path("finalizers")).isEmpty();
    assertThat(finalized.path("status")).isEqualTo(old.path("status"));
    assertThat(TRIAL.kindOf(old).validateFinalize(finalized, old)).isEmpty();
    assertThat(old.path("metadata").path("labels").toString())
        .isEqualTo("{\"x\":\"y\",\"kubernetes.io/metadata.name\":\"a\"}");
  }

  @Test
  void nodesRegisterWithTheirStatus() {
    ObjectNode node =
        TRIAL.created(
            "{apiVersion: v1, kind: Node, metadata: {name: a}, status: {capacity: {cpu: 4}}}");
    ObjectNode updated = TRIAL.update(node, Trial.merged(node, "{status: {capacity: {cpu: 8}}}"));

    assertThat(node.path("status").path("allocatable").path("cpu").asText()).isEqualTo("4");
    assertThat(updated.path("status").path("capacity").path("cpu").asText()).isEqualTo("4");
  }

  @Test
  void endpointsAreRepacked() {
    ObjectNode endpoints =
        TRIAL.created(
            """
            apiVersion: v1
            kind: Endpoints
            metadata: {name: a}
            subsets:
            - {addresses: [{ip: 10.0.0.2}, {ip: 10.0.0.1}], ports: [{port: 80, name: a}]}
            - {addresses: [{ip: 10.0.0.1}, {ip: 10.0.0.2}], ports: [{port: 81, name: b}]}
            - {notReadyAddresses: [{ip: 10.0.0.2}], ports: [{port: 80, name: a}]}
            - {notReadyAddresses: [{ip: 10.0.0.2}], addresses: [{ip: 10.0.0.1}], ports: [{port: 82, name: c}]}
            """);

    assertThat(endpoints.path("subsets").toString())
        .isEqualTo(
            "[{\"addresses\":[{\"ip\":\"10.0.0.1\"}],\"notReadyAddresses\":[{\"ip\":\"10.0.0.2\"}],"
                + "\"ports\":[{\"port\":80,\"name\":\"a\",\"protocol\":\"TCP\"},"
                + "{\"port\":82,\"name\":\"c\",\"protocol\":\"TCP\"}]},"
                + "{\"addresses\":[{\"ip\":\"10.0.0.1\"},{\"ip\":\"10.0.0.2\"}],"
                + "\"ports\":[{\"port\":81,\"name\":\"b\",\"protocol\":\"TCP\"}]}]");
  }

  @Test
  void serviceAccountsReferToSecretsByName() {
    ObjectNode account =
        TRIAL.created(
            """
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: a}
            secrets: [{name: s, namespace: other, uid: u}]
            """);
    assertThat(account.path("secrets").toString()).isEqualTo("[{\"name\":\"s\"}]");
  }

  @Test
  void leasesDropWhatNothingCarriesOut() {
    ObjectNode lease =
        TRIAL.created(
            """
            apiVersion: coordination.k8s.io/v1
            kind: Lease
            metadata: {name: a}
            spec: {holderIdentity: x, preferredHolder: y, strategy: OldestEmulationVersion}
            """);
    assertThat(lease.path("spec").toString()).isEqualTo("{\"holderIdentity\":\"x\"}");
  }

  @Test
  void whatALoadBalancerReportedGoesWithTheTypeOfTheService() {
    ObjectNode old =
        TRIAL.created(
            """
            apiVersion: v1
            kind: Service
            metadata: {name: a}
            spec: {type: LoadBalancer, ports: [{port: 80}]}
            """);
    ObjectNode reported =
        Trial.merged(old, "{status: {loadBalancer: {ingress: [{ip: 1.2.3.4, ipMode: VIP}]}}}");

    assertThat(
            TRIAL
                .update(reported, Trial.merged(reported, "{metadata: {labels: {a: b}}}"))
                .path("status"))
        .isEqualTo(reported.path("status"));
    assertThat(
            TRIAL
                .update(reported, Trial.merged(reported, "{spec: {type: ClusterIP}}"))
                .path("status")
                .toString())
        .isEqualTo("{\"loadBalancer\":{}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pods | spec.nodeName | {spec: {nodeName: n1}} | n1",
        "pods | spec.host | {spec: {nodeName: n1}} | n1",
        "pods | spec.hostNetwork | {spec: {}} | false",
        "pods | status.podIPs | {status: {podIPs: [{ip: 1.2.3.4}]}} | ''",
        "pods | status.nominatedNodeName | {} | ''",
        "nodes | spec.unschedulable | {spec: {unschedulable: true}} | true",
        "events | source | {source: {component: kubelet}} | kubelet",
        "events | source | {reportingComponent: kubelet} | kubelet",
        "events | involvedObject.name | {involvedObject: {name: p}} | p",
        "secrets | type | {type: Opaque} | Opaque",
        "jobs.batch | status.successful | {status: {succeeded: 3}} | 3",
      })
  void fieldsOfSelectorsAreReadFromTheObject(
      String bucket, String field, String object, String value) {
    ResourceKind kind = TRIAL.kinds().bucket(bucket).orElseThrow();
    var reader = Objects.requireNonNull(kind.selectable().get(field), field);
    assertThat(reader.apply(Trial.yaml(object))).isEqualTo(value);
  }
}
