package dev.berth.server.validation.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.pods.PodSamples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PodSpecRulesTest {
  private static final String SUBDOMAIN =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or"
          + " '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex"
          + " used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          restartPolicy: Sometimes             | spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"
          dnsPolicy: Mine                      | spec.dnsPolicy: Unsupported value: "Mine": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"
          dnsPolicy: None                      | spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None
          {dnsPolicy: None, dnsConfig: {}}     | spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None
          dnsConfig: {nameservers: [1.1.1.1, x, 2.2.2.2, '::1']} | spec.dnsConfig.nameservers: Invalid value: []string{"1.1.1.1", "x", "2.2.2.2", "::1"}: must not have more than 3 nameservers # spec.dnsConfig.nameservers[1]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)
          dnsConfig: {searches: [example.com.], options: [{value: '1'}]} | spec.dnsConfig.options[0]: Required value: must not be empty
          hostAliases: [{ip: 1.2.3, hostnames: [a.b]}] | spec.hostAliases[0].ip: Invalid value: "1.2.3": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)
          activeDeadlineSeconds: 0             | spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive
          hostname: a.b                        | spec.hostname: Invalid value: "a.b": must not contain dots
          subdomain: a.b                       | spec.subdomain: Invalid value: "a.b": must not contain dots
          preemptionPolicy: Always             | spec.preemptionPolicy: Unsupported value: "Always": supported values: "PreemptLowerPriority", "Never"
          overhead: {cpu: -1}                  | spec.overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0
          resources: {limits: {cpu: 1}, requests: {cpu: 2}} | spec.resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1
          readinessGates: [{conditionType: ''}] | spec.readinessGates[0].conditionType: Invalid value: "": name part must be non-empty # spec.readinessGates[0].conditionType: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
          schedulingGates: [{name: a}, {name: a}] | spec.schedulingGates[1]: Duplicate value: "a"
          {nodeName: n, schedulingGates: [{name: a}]} | spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared
          ephemeralContainers: [{name: e, image: e}] | spec.ephemeralContainers: Forbidden: cannot be set on create
          resourceClaims: [{name: a, resourceClaimName: x}, {name: a, resourceClaimName: y}] | spec.resourceClaims[1].name: Duplicate value: "a"
          resourceClaims: [{name: a}]          | spec.resourceClaims[0]: Invalid value: {"name":"a"}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`
          topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}] | ''
          topologySpreadConstraints: [{}]      | spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero # spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty # spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "": supported values: "DoNotSchedule", "ScheduleAnyway"
          topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: ScheduleAnyway, minDomains: 0, nodeTaintsPolicy: Maybe, matchLabelKeys: [a]}] | spec.topologySpreadConstraints[0].minDomains: Invalid value: 0: must be greater than zero # spec.topologySpreadConstraints[0].minDomains: Invalid value: 0: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway # spec.topologySpreadConstraints[0].nodeTaintsPolicy: Unsupported value: "Maybe": supported values: "Honor", "Ignore" # spec.topologySpreadConstraints[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set
          topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: DoNotSchedule}, {maxSkew: 2, topologyKey: z, whenUnsatisfiable: DoNotSchedule}] | spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{z, DoNotSchedule}"
          tolerations: [{operator: Equal}]     | spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"
          """)
  void fieldsOfTheSpecification(String fields, String expected) {
    PodErrors.assertMessages(
        PodErrors.ofPod(
            PodSamples.podOf(
                fields.startsWith("{")
                    ? "{containers: [{name: app, image: 'app:1'}], " + fields.substring(1)
                    : "containers: [{name: app, image: 'app:1'}]\n" + fields)),
        expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"serviceAccountName", "nodeName", "priorityClassName", "runtimeClassName"})
  void namesOfOtherObjectsAreSubdomains(String field) {
    assertThat(PodErrors.ofSpec(field + ": Bad_Name"))
        .containsExactly("spec.%s: Invalid value: \"Bad_Name\": %s".formatted(field, SUBDOMAIN));
  }

  @Test
  void theEmptyRuntimeClassIsTheDefaultOne() {
    assertThat(PodErrors.ofSpec("runtimeClassName: ''")).isEmpty();
  }

  @Test
  void nodeSelectorsAreLabels() {
    assertThat(PodErrors.ofSpec("nodeSelector: {'a b': 'c d'}"))
        .hasSize(2)
        .allMatch(error -> error.startsWith("spec.nodeSelector: Invalid value: "));
  }

  @Test
  void hostNetworkMakesPortsHostPorts() {
    PodErrors.assertMessages(
        PodErrors.ofPod(
            PodSamples.podOf(
                "hostNetwork: true\n"
                    + "containers: [{name: a, image: a, ports: [{containerPort: 1, hostPort: 2}]}]")),
        "spec.containers[0].ports[0].hostPort: Invalid value: 2: must match `containerPort` when"
            + " `hostNetwork` is true");
  }

  @Test
  void everyMistakeIsReportedAtOnce() {
    assertThat(
            PodErrors.ofPod(
                PodSamples.podOf(
                    """
                    restartPolicy: x
                    dnsPolicy: y
                    volumes: [{name: A}, {name: v, hostPath: {}}]
                    nodeName: _
                    containers:
                    - {name: a, image: a, ports: [{containerPort: 0}], env: [{}]}
                    - {name: a, resources: {limits: {disk: 1}}}
                    """)))
        .hasSize(13);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          kubernetes.io/config.mirror: x | metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set
          controller.kubernetes.io/pod-deletion-cost: '-10' | ''
          controller.kubernetes.io/pod-deletion-cost: '+10' | metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "+10": must be a 32bit integer
          seccomp.security.alpha.kubernetes.io/pod: any | metadata.annotations.seccomp.security.alpha.kubernetes.io/pod: Invalid value: "any": must be a valid seccomp profile
          container.apparmor.security.beta.kubernetes.io/x: y | metadata.annotations[container.apparmor.security.beta.kubernetes.io/x]: Invalid value: "x": container not found # metadata.annotations[container.apparmor.security.beta.kubernetes.io/x]: Invalid value: "y": invalid AppArmor profile name: "y"
          scheduler.alpha.kubernetes.io/tolerations: '[{"operator":"In","key":"a"}]' | metadata.annotations.scheduler.alpha.kubernetes.io/tolerations[0].operator: Unsupported value: "In": supported values: "Equal", "Exists"
          """)
  void annotationsWithAMeaning(String annotation, String expected) {
    PodErrors.assertMessages(
        PodErrors.ofPod(
            PodSamples.pod(
                "metadata: {name: web, annotations: {%s}}\nspec: {containers: [{name: a, image: a}]}"
                    .formatted(annotation))),
        expected);
  }

  @Test
  void profilesInAnnotationsAndFieldsAgree() {
    PodErrors.assertMessages(
        PodErrors.ofPod(
            PodSamples.pod(
                """
                metadata:
                  annotations:
                    container.seccomp.security.alpha.kubernetes.io/a: runtime/default
                    container.apparmor.security.beta.kubernetes.io/a: localhost/x
                spec:
                  containers:
                  - name: a
                    image: a
                    securityContext:
                      seccompProfile: {type: Unconfined}
                      appArmorProfile: {type: Localhost, localhostProfile: y}
                """)),
        "spec.containers[0].securityContext.seccompProfile.type: Forbidden: seccomp type in"
            + " annotation and field must match #"
            + " spec.containers[0].securityContext.appArmorProfile.localhostProfile: Forbidden:"
            + " apparmor profile in annotation and field must match");
  }
}
