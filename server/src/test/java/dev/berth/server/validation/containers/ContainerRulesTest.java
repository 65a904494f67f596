package dev.berth.server.validation.containers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.pods.PodSamples;
import dev.berth.server.validation.pods.PodErrors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContainerRulesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      maxCharsPerColumn = 4000,
      textBlock =
          """
          tty: true                                      | ''
          imagePullPolicy: Maybe                         | spec.containers[0].imagePullPolicy: Unsupported value: "Maybe": supported values: "Always", "IfNotPresent", "Never"
          terminationMessagePolicy: Never                | spec.containers[0].terminationMessagePolicy: Unsupported value: "Never": supported values: "File", "FallbackToLogsOnError"
          restartPolicy: Always                          | spec.containers[0].restartPolicy: Forbidden: may not be set for non-init containers
          resizePolicy: [{resourceName: cpu, restartPolicy: NotRequired}, {resourceName: cpu, restartPolicy: Never}] | spec.containers[0].resizePolicy[1]: Duplicate value: "cpu" # spec.containers[0].resizePolicy: Unsupported value: "Never": supported values: "NotRequired", "RestartContainer"
          ports: [{containerPort: 80, name: http}]       | ''
          ports: [{}]                                    | spec.containers[0].ports[0].containerPort: Required value
          ports: [{containerPort: 65536, hostPort: -1}]  | spec.containers[0].ports[0].containerPort: Invalid value: 65536: must be between 1 and 65535, inclusive # spec.containers[0].ports[0].hostPort: Invalid value: -1: must be between 1 and 65535, inclusive
          ports: [{containerPort: 1, protocol: ICMP}]    | spec.containers[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"
          ports: [{containerPort: 1, name: a}, {containerPort: 2, name: a}] | spec.containers[0].ports[1].name: Duplicate value: "a"
          ports: [{containerPort: 1, name: '12'}]        | spec.containers[0].ports[0].name: Invalid value: "12": must contain at least one letter (a-z)
          ports: [{containerPort: 1, hostPort: 9}, {containerPort: 2, hostPort: 9}] | spec.containers[0].ports[1].hostPort: Duplicate value: "TCP//9"
          env: [{name: 'a b', value: c}]                 | ''
          env: [{}]                                      | spec.containers[0].env[0].name: Required value
          env: [{name: a=b}]                             | spec.containers[0].env[0].name: Invalid value: "a=b": a valid environment variable name must consist only of printable ASCII characters other than '='
          env: [{name: a, valueFrom: {}}]                | spec.containers[0].env[0].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`
          env: [{name: a, value: b, valueFrom: {fieldRef: {fieldPath: metadata.name}}}] | spec.containers[0].env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty
          env: [{name: a, valueFrom: {fieldRef: {fieldPath: metadata.name}, configMapKeyRef: {name: m, key: k}}}] | spec.containers[0].env[0].valueFrom: Invalid value: "": may not have more than one field specified at a time
          env: [{name: a, valueFrom: {secretKeyRef: {name: s}}}] | spec.containers[0].env[0].valueFrom.secretKeyRef.key: Required value
          env: [{name: a, valueFrom: {fieldRef: {fieldPath: "metadata.labels['x']"}}}] | ''
          env: [{name: a, valueFrom: {fieldRef: {fieldPath: "spec.nodeName['x']"}}}] | spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid value: "spec.nodeName['x']": error converting fieldPath: field label does not support subscript: spec.nodeName['x']
          env: [{name: a, valueFrom: {fieldRef: {fieldPath: spec.x}}}] | spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid value: "spec.x": error converting fieldPath: field label not supported: spec.x
          env: [{name: a, valueFrom: {fieldRef: {fieldPath: metadata.labels}}}] | spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Unsupported value: "metadata.labels": supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"
          env: [{name: a, valueFrom: {fieldRef: {apiVersion: v2, fieldPath: metadata.name}}}] | spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid value: "metadata.name": error converting fieldPath: unsupported pod version: v2
          env: [{name: a, valueFrom: {resourceFieldRef: {resource: limits.hugepages-2Mi, divisor: 1Mi}}}] | ''
          env: [{name: a, valueFrom: {resourceFieldRef: {resource: limits.disk}}}] | spec.containers[0].env[0].valueFrom.resourceFieldRef.resource: Unsupported value: "limits.disk": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"
          env: [{name: a, valueFrom: {resourceFieldRef: {resource: limits.cpu, divisor: 2}}}] | spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor's values 1m and 1 are supported with the cpu resource
          env: [{name: a, valueFrom: {resourceFieldRef: {resource: limits.memory, divisor: 1m}}}] | spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.memory": only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the memory resource
          envFrom: [{prefix: P_, configMapRef: {name: m}}] | ''
          envFrom: [{}]                                  | spec.containers[0].envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`
          envFrom: [{configMapRef: {name: m}, secretRef: {}}] | spec.containers[0].envFrom[0].secretRef.name: Required value # spec.containers[0].envFrom: Invalid value: "": may not have more than one field specified at a time
          volumeMounts: [{name: data, mountPath: /d}]    | ''
          volumeMounts: [{name: none, mountPath: /d}]    | spec.containers[0].volumeMounts[0].name: Not found: "none"
          volumeMounts: [{name: data}]                   | spec.containers[0].volumeMounts[0].mountPath: Required value
          volumeMounts: [{name: data, mountPath: /d}, {name: data, mountPath: /d}] | spec.containers[0].volumeMounts[1].mountPath: Invalid value: "/d": must be unique
          volumeMounts: [{name: data, mountPath: /d, subPath: ../x}] | spec.containers[0].volumeMounts.subPath: Invalid value: "../x": must not contain '..'
          volumeMounts: [{name: data, mountPath: /d, subPath: a, subPathExpr: /b}] | spec.containers[0].volumeMounts[0].subPathExpr: Invalid value: "/b": subPathExpr and subPath are mutually exclusive # spec.containers[0].volumeMounts.subPathExpr: Invalid value: "/b": must be a relative path
          volumeMounts: [{name: data, mountPath: /d, mountPropagation: Bidirectional}] | spec.containers[0].volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers
          volumeMounts: [{name: data, mountPath: /d, mountPropagation: Both}] | spec.containers[0].volumeMounts.mountPropagation: Unsupported value: "Both": supported values: "Bidirectional", "HostToContainer", "None"
          volumeMounts: [{name: data, mountPath: /d, recursiveReadOnly: Enabled}] | spec.containers[0].volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true
          volumeDevices: [{name: claim, devicePath: /dev/x}] | ''
          volumeDevices: [{name: data, devicePath: /dev/../x}] | spec.containers[0].volumeDevices[0].name: Invalid value: "data": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode # spec.containers[0].volumeDevices[0].devicePath: Invalid value: "/dev/../x": can not contain backsteps ('..')
          """)
  void fieldsOfContainers(String fields, String expected) {
    PodErrors.assertMessages(PodErrors.ofContainer(fields), expected);
  }

  @Test
  void aVolumeIsMountedOrADevice() {
    PodErrors.assertMessages(
        PodErrors.ofContainer(
            """
            volumeMounts: [{name: claim, mountPath: /x}]
            volumeDevices: [{name: claim, devicePath: /x}]
            """),
        """
        spec.containers[0].volumeMounts[0].name: Invalid value: "claim": must not already exist in volumeDevices # \
        spec.containers[0].volumeMounts[0].mountPath: Invalid value: "/x": must not already exist as a path in volumeDevices # \
        spec.containers[0].volumeDevices[0].name: Invalid value: "claim": must not already exist in volumeMounts # \
        spec.containers[0].volumeDevices[0].devicePath: Invalid value: "/x": must not already exist as a path in volumeMounts""");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          [{name: a, image: a}, {name: b, image: b}] | ''
          [{image: a}]                               | spec.containers[0].name: Required value
          [{name: a.b, image: a}]                    | spec.containers[0].name: Invalid value: "a.b": must not contain dots
          [{name: a, image: ' a'}]                   | spec.containers[0].image: Invalid value: " a": must not have leading or trailing whitespace
          [{name: a}, {name: a, image: b}]           | spec.containers[0].image: Required value # spec.containers[1].name: Duplicate value: "a"
          []                                         | spec.containers: Required value
          """)
  void namesAndImages(String containers, String expected) {
    PodErrors.assertMessages(
        PodErrors.ofPod(PodSamples.podOf("containers: " + containers)), expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {name: i, image: i}                                        | ''
          {name: i, image: i, restartPolicy: Always, livenessProbe: {exec: {command: [x]}}} | ''
          {name: app, image: i}                                      | spec.initContainers[0].name: Duplicate value: "app"
          {name: i, image: i, restartPolicy: Never}                  | spec.initContainers[0].restartPolicy: Unsupported value: "Never": supported values: "Always"
          {name: i, image: i, lifecycle: {}, readinessProbe: {exec: {command: [x]}}} | spec.initContainers[0].lifecycle: Forbidden: may not be set for init containers without restartPolicy=Always # spec.initContainers[0].readinessProbe: Forbidden: may not be set for init containers without restartPolicy=Always
          {name: i, image: i, restartPolicy: Always, startupProbe: {}} | spec.initContainers[0].startupProbe: Required value: must specify a handler type
          """)
  void initContainers(String container, String expected) {
    PodErrors.assertMessages(PodErrors.ofSpec("initContainers: [" + container + "]"), expected);
  }

  @Test
  void hostPortsAreFreeAgainWhenAnInitContainerEnds() {
    assertThat(
            PodErrors.ofSpec(
                """
                initContainers:
                - {name: i, image: i, ports: [{containerPort: 1, hostPort: 1}]}
                - {name: j, image: j, ports: [{containerPort: 1, hostPort: 1}]}
                """))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          exec: {command: [a]}                     | ''
          httpGet: {port: http}                    | ''
          initialDelaySeconds: 1                   | spec.containers[0].livenessProbe: Required value: must specify a handler type
          exec: {}                                 | spec.containers[0].livenessProbe.exec.command: Required value
          httpGet: {port: 0}                       | spec.containers[0].livenessProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive
          httpGet: {port: 1, scheme: FTP}          | spec.containers[0].livenessProbe.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"
          httpGet: {port: 1, httpHeaders: [{name: 'a b'}]} | spec.containers[0].livenessProbe.httpGet.httpHeaders: Invalid value: "a b": a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')
          tcpSocket: {port: '-'}                   | spec.containers[0].livenessProbe.tcpSocket.port: Invalid value: "-": must contain at least one letter (a-z) # spec.containers[0].livenessProbe.tcpSocket.port: Invalid value: "-": must not begin or end with a hyphen
          {exec: {command: [a]}, grpc: {port: 1}}  | spec.containers[0].livenessProbe.grpc: Forbidden: may not specify more than 1 handler type
          {grpc: {port: 1}, periodSeconds: -1, successThreshold: 2} | spec.containers[0].livenessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0 # spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1
          {grpc: {port: 1}, terminationGracePeriodSeconds: 0} | spec.containers[0].livenessProbe.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0
          """)
  void probes(String probe, String expected) {
    PodErrors.assertMessages(PodErrors.ofContainer("livenessProbe:\n" + probe.indent(2)), expected);
  }

  @Test
  void readinessHasNoGraceButThresholds() {
    PodErrors.assertMessages(
        PodErrors.ofContainer(
            "readinessProbe: {grpc: {port: 1}, successThreshold: 2,"
                + " terminationGracePeriodSeconds: 5}"),
        "spec.containers[0].readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must"
            + " not be set for readinessProbes");
  }

  @Test
  void hooksEndWithinTheGracePeriod() {
    PodErrors.assertMessages(
        PodErrors.ofContainer("lifecycle: {preStop: {sleep: {seconds: 31}}, postStart: {}}"),
        "spec.containers[0].lifecycle.postStart: Required value: must specify a handler type #"
            + " spec.containers[0].lifecycle.preStop.sleep: Invalid value: 31: must be greater than"
            + " 0 and less than terminationGracePeriodSeconds (30). Enable"
            + " AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.");
  }
}
