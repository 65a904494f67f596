package dev.berth.agent.pods.config;

import static dev.berth.agent.pods.config.TestConfigs.LINUX;
import static dev.berth.agent.pods.config.TestConfigs.NODE;
import static dev.berth.agent.pods.config.TestConfigs.container;
import static dev.berth.agent.pods.config.TestConfigs.pod;
import static dev.berth.agent.pods.config.TestConfigs.sandbox;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.pods.config.linux.AllowedSysctls;
import dev.berth.agent.pods.config.linux.LinuxPlatform;
import dev.berth.cri.v1.LinuxContainerSecurityContext;
import dev.berth.cri.v1.SecurityProfile;
import dev.berth.cri.v1.SupplementalGroupsPolicy;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What containers may do, and what pods may change of the kernel.
final class SecurityTest {
  @Test
  void aContainerMayLessThanItsPod() {
    var security =
        container(
                """
                securityContext: {runAsUser: 1000, supplementalGroups: [5], fsGroup: 7}
                containers:
                - name: a
                  securityContext:
                    runAsUser: 2000
                    runAsGroup: 3000
                    readOnlyRootFilesystem: true
                    allowPrivilegeEscalation: false
                    seccompProfile: {type: RuntimeDefault}
                    capabilities: {add: [NET_ADMIN], drop: [ALL]}
                """)
            .getLinux()
            .getSecurityContext();

    assertThat(security.getRunAsUser().getValue()).isEqualTo(2000);
    assertThat(security.getRunAsGroup().getValue()).isEqualTo(3000);
    assertThat(security.getSupplementalGroupsList()).containsExactly(5L, 7L);
    assertThat(security.getReadonlyRootfs()).isTrue();
    assertThat(security.getNoNewPrivs()).isTrue();
    assertThat(security.getCapabilities().getDropCapabilitiesList()).containsExactly("ALL");
    assertThat(security.getMaskedPathsList()).contains("/proc/kcore");
  }

  @Test
  void aPodsSeccompProfileIsForItsContainersAlone() {
    String spec =
        "{securityContext: {seccompProfile: {type: Localhost, localhostProfile: strict.json}}, containers: [{name: a}]}";

    assertThat(security(spec).getSeccomp().getLocalhostRef()).endsWith("/seccomp/strict.json");
    assertThat(sandbox(spec).getLinux().getSecurityContext().getSeccomp())
        .isEqualTo(
            SecurityProfile.newBuilder()
                .setProfileType(SecurityProfile.ProfileType.RuntimeDefault)
                .build());
  }

  @ParameterizedTest
  @CsvSource({"containers,true", "initContainers,true", "ephemeralContainers,true", "none,false"})
  void aSandboxIsToldOfPrivilegedContainers(String where, boolean privileged) {
    String spec =
        "{containers: [{name: a}]}"
            .replace("}]}", "}], %s: [{name: b, securityContext: {privileged: true}}]}")
            .formatted(where);

    assertThat(sandbox(spec).getLinux().getSecurityContext().getPrivileged()).isEqualTo(privileged);
  }

  @Test
  void runtimesGetAGroupOnlyWithAUser() {
    String spec = "{securityContext: {runAsGroup: 3000}, containers: [{name: a}]}";
    var ofContainer = security(spec);
    var ofSandbox = sandbox(spec).getLinux().getSecurityContext();

    assertThat(ofContainer.hasRunAsUser()).as("that of an image without a user").isTrue();
    assertThat(ofContainer.getRunAsUser().getValue()).isZero();
    assertThat(ofContainer.getRunAsGroup().getValue()).isEqualTo(3000);
    assertThat(ofSandbox.hasRunAsUser()).isFalse();
    assertThat(ofSandbox.hasRunAsGroup()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{runAsNonRoot: true, runAsUser: 0} | container's runAsUser breaks non-root policy",
        "{runAsNonRoot: true} | container has runAsNonRoot and image will run as root",
      })
  void nobodyIsRootWhoMustNot(String context, String message) {
    assertThatThrownBy(
            () -> container("{containers: [{name: a, securityContext: %s}]}".formatted(context)))
        .isInstanceOf(ConfigException.class)
        .hasMessage(message + " (pod: \"web_default(uid-1)\", container: a)");
  }

  @Test
  void profilesOfAppArmorReachTheRuntime() {
    String spec =
        "{securityContext: {appArmorProfile: {type: RuntimeDefault}}, containers: [{name: a%s}]}";
    String own = ", securityContext: {appArmorProfile: {type: Localhost, localhostProfile: mine}}";

    assertThat(security(spec.formatted("")).getApparmor().getProfileType())
        .isEqualTo(SecurityProfile.ProfileType.RuntimeDefault);
    var local = security(spec.formatted(own));
    assertThat(local.getApparmor().getProfileType())
        .isEqualTo(SecurityProfile.ProfileType.Localhost);
    assertThat(local.getApparmor().getLocalhostRef()).isEqualTo("mine");
    assertThat(security("{containers: [{name: a}]}").hasApparmor()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{containers: [{name: a}]} | | false",
        "{securityContext: {appArmorProfile: {type: RuntimeDefault}}, containers: []} | | true",
        "{securityContext: {appArmorProfile: {type: Unconfined}}, containers: []} | | false",
        "{containers: [{securityContext: {appArmorProfile: {type: Localhost}}}]} | | true",
        "{initContainers: [{securityContext: {appArmorProfile: {type: RuntimeDefault}}}]} | | true",
        "{containers: [{name: a}]} | runtime/default | true",
        "{containers: [{name: a}]} | unconfined | false",
      })
  void aNodeWithoutAppArmorTakesNoPodThatWantsIt(
      String spec, @Nullable String annotation, boolean isRefused) {
    Pod pod = pod(spec);
    if (annotation != null) {
      pod.getMetadata()
          .setAnnotations(Map.of("container.apparmor.security.beta.kubernetes.io/a", annotation));
    }

    assertThat(
            new LinuxPlatform(NODE, AllowedSysctls.ONLY_SAFE, false)
                .missingAppArmor(pod)
                .isPresent())
        .isEqualTo(isRefused);
    assertThat(LINUX.missingAppArmor(pod)).isEmpty();
  }

  @Test
  void thePolicyOfGroupsReachesTheRuntime() {
    String spec = "{securityContext: {supplementalGroupsPolicy: Strict}, containers: [{name: a}]}";

    assertThat(security(spec).getSupplementalGroupsPolicy())
        .isEqualTo(SupplementalGroupsPolicy.Strict);
    assertThat(sandbox(spec).getLinux().getSecurityContext().getSupplementalGroupsPolicy())
        .isEqualTo(SupplementalGroupsPolicy.Strict);
  }

  private static LinuxContainerSecurityContext security(String spec) {
    return container(spec).getLinux().getSecurityContext();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "net.ipv4.tcp_syncookies | | ",
        "net/ipv4/tcp_syncookies | | ",
        "kernel.msgmax | | ",
        "net.core.somaxconn | | forbidden sysctl: \"net.core.somaxconn\" not allowlisted",
        "net.ipv4.tcp_syncookies | hostNetwork: true, | forbidden sysctl: \"net.ipv4.tcp_syncookies\" not allowed with host net enabled",
        "kernel.msgmax | hostIPC: true, | forbidden sysctl: \"kernel.msgmax\" not allowed with host ipc enabled",
      })
  void settingsOfTheKernelAreOnlyThoseOfThePodAlone(
      String name, @Nullable String more, @Nullable String refusal) {
    Pod pod =
        pod(
            "{%s securityContext: {sysctls: [{name: %s, value: '1'}]}, containers: [{name: a}]}"
                .formatted(more == null ? "" : more, name));

    assertThat(
            new LinuxPlatform(NODE, new AllowedSysctls(List.of("kernel.msg*")), true)
                .forbiddenSysctl(pod))
        .isEqualTo(Optional.ofNullable(refusal));
  }
}
