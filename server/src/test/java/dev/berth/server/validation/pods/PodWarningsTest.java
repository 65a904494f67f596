package dev.berth.server.validation.pods;

import dev.berth.server.pods.PodSamples;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodWarningsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nodeSelector: {kubernetes.io/os: linux}    | ''
          nodeSelector: {node-role.kubernetes.io/master: ''} | spec.nodeSelector[node-role.kubernetes.io/master]: use "node-role.kubernetes.io/control-plane" instead
          affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: beta.kubernetes.io/os, operator: Exists}]}]}}} | spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].key: beta.kubernetes.io/os is deprecated since v1.14; use "kubernetes.io/os" instead
          affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: z}]}} | spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: a null labelSelector results in matching no pod
          topologySpreadConstraints: [{topologyKey: failure-domain.beta.kubernetes.io/zone, labelSelector: {}}] | spec.topologySpreadConstraints[0].topologyKey: failure-domain.beta.kubernetes.io/zone is deprecated since v1.17; use "topology.kubernetes.io/zone" instead
          volumes: [{name: v, gitRepo: {repository: r}}] | spec.volumes[0].gitRepo: deprecated in v1.11
          hostAliases: [{ip: 1.1.1.1}, {ip: 1.1.1.1}] | spec.hostAliases[1].ip: duplicate ip "1.1.1.1"
          imagePullSecrets: [{name: a}, {name: a}, {}] | spec.imagePullSecrets[1].name: duplicate name "a" # spec.imagePullSecrets[2].name: invalid empty name ""
          overhead: {memory: 100m}                   | spec.overhead[memory]: fractional byte value "100m" is invalid, must be an integer
          terminationGracePeriodSeconds: -1          | spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1
          volumes: [{name: v, projected: {sources: [{serviceAccountToken: {path: t}}, {configMap: {name: m, items: [{key: k, path: t}]}}]}}] | spec.volumes[0].projected.sources.configMap[0]: has duplicated path with ServiceAccountToken "t"
          """)
  void advice(String fields, String expected) {
    PodErrors.assertMessages(
        PodErrors.warnings(
            PodSamples.podOf("containers: [{name: app, image: 'app:1'}]\n" + fields)),
        expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          env: [{name: A, value: a}, {name: A, value: '$(A)b'}] | ''
          env: [{name: A, value: a}, {name: A, value: '$(A)'}]  | spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply
          resources: {limits: {memory: 1500m}} | spec.containers[0].resources.limits[memory]: fractional byte value "1500m" is invalid, must be an integer # spec.containers[0].resources.requests[memory]: fractional byte value "1500m" is invalid, must be an integer
          ports: [{containerPort: 80}, {containerPort: 80, protocol: UDP}] | ''
          ports: [{containerPort: 80}, {containerPort: 80}] | spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]
          ports: [{containerPort: 80}, {containerPort: 80, hostPort: 1}] | spec.containers[0].ports[1]: overlapping port definition with spec.containers[0].ports[0]
          ports: [{containerPort: 80, hostPort: 1}, {containerPort: 80, hostPort: 1, hostIP: 1.1.1.1}] | spec.containers[0].ports[1]: dangerously ambiguous port definition with spec.containers[0].ports[0]
          ports: [{containerPort: 80, hostIP: 1.1.1.1}] | spec.containers[0].ports[0]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:80 Protocol:TCP HostIP:1.1.1.1}
          """)
  void adviceAboutContainers(String fields, String expected) {
    PodErrors.assertMessages(PodErrors.warnings(PodSamples.podWithContainer(fields)), expected);
  }
}
