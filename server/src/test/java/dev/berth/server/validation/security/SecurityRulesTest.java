package dev.berth.server.validation.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.pods.PodSamples;
import dev.berth.server.validation.pods.PodErrors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecurityRulesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {runAsUser: 0, runAsGroup: 4294967295}     | ''
          {runAsUser: -1}                            | spec.containers[0].securityContext.runAsUser: Invalid value: -1: must be between 0 and 4294967295, inclusive
          {runAsGroup: 4294967296}                   | spec.containers[0].securityContext.runAsGroup: Invalid value: 4294967296: must be between 0 and 4294967295, inclusive
          {procMount: Hidden}                        | spec.containers[0].securityContext.procMount: Unsupported value: "Hidden": supported values: "Default", "Unmasked"
          {procMount: Unmasked}                      | spec.containers[0].securityContext.procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`
          {allowPrivilegeEscalation: false, privileged: true} | spec.containers[0].securityContext: Invalid value: {"allowPrivilegeEscalation":false,"privileged":true}: cannot set `allowPrivilegeEscalation` to false and `privileged` to true
          {allowPrivilegeEscalation: false, capabilities: {add: [CAP_SYS_ADMIN]}} | spec.containers[0].securityContext: Invalid value: {"allowPrivilegeEscalation":false,"capabilities":{"add":["CAP_SYS_ADMIN"]}}: cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN
          {seccompProfile: {type: Localhost, localhostProfile: a.json}} | ''
          {seccompProfile: {type: Localhost}}        | spec.containers[0].securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost
          {seccompProfile: {}}                       | spec.containers[0].securityContext.seccompProfile.type: Required value: type is required when seccompProfile is set
          {seccompProfile: {type: X, localhostProfile: a}} | spec.containers[0].securityContext.seccompProfile.type: Unsupported value: "X": supported values: "Localhost", "RuntimeDefault", "Unconfined" # spec.containers[0].securityContext.seccompProfile.localhostProfile: Invalid value: {"type":"X","localhostProfile":"a"}: can only be set when seccomp type is Localhost
          {appArmorProfile: {type: Unconfined, localhostProfile: a}} | spec.containers[0].securityContext.appArmorProfile.localhostProfile: Invalid value: "a": can only be set when AppArmor type is Localhost
          {appArmorProfile: {type: Localhost, localhostProfile: ' a'}} | spec.containers[0].securityContext.appArmorProfile.localhostProfile: Invalid value: " a": must not be padded with whitespace
          {appArmorProfile: {type: Localhost, localhostProfile: ''}} | spec.containers[0].securityContext.appArmorProfile.localhostProfile: Required value: must be set when AppArmor type is Localhost
          {windowsOptions: {runAsUserName: 'NT AUTHORITY\\SYSTEM'}} | ''
          {windowsOptions: {runAsUserName: ''}}      | spec.containers[0].securityContext.windowsOptions.runAsUserName: Invalid value: "": runAsUserName cannot be an empty string
          {windowsOptions: {runAsUserName: 'a\\b\\c'}} | spec.containers[0].securityContext.windowsOptions.runAsUserName: Invalid value: "a\\\\b\\\\c": runAsUserName cannot contain more than one backslash
          {windowsOptions: {runAsUserName: '*\\...'}} | spec.containers[0].securityContext.windowsOptions.runAsUserName: Invalid value: "*\\\\...": runAsUserName's Domain doesn't match the NetBios nor the DNS format # spec.containers[0].securityContext.windowsOptions.runAsUserName: Invalid value: "*\\\\...": runAsUserName's User cannot contain only periods or spaces
          {windowsOptions: {gmsaCredentialSpec: ''}} | spec.containers[0].securityContext.windowsOptions.gmsaCredentialSpec: Invalid value: "": gmsaCredentialSpec cannot be an empty string
          """)
  void contextsOfContainers(String context, String expected) {
    PodErrors.assertMessages(PodErrors.ofContainer("securityContext: " + context), expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          securityContext: {fsGroup: -1, supplementalGroups: [1, -2]} | spec.securityContext.fsGroup: Invalid value: -1: must be between 0 and 4294967295, inclusive # spec.securityContext.supplementalGroups[1]: Invalid value: -2: must be between 0 and 4294967295, inclusive
          securityContext: {fsGroupChangePolicy: Never}  | spec.securityContext.fsGroupChangePolicy: Unsupported value: "Never": supported values: "Always", "OnRootMismatch"
          securityContext: {supplementalGroupsPolicy: X} | spec.securityContext.supplementalGroupsPolicy: Unsupported value: "X": supported values: "Merge", "Strict"
          securityContext: {sysctls: [{name: kernel/shm_rmid_forced}, {name: A}]} | spec.securityContext.sysctls[1].name: Invalid value: "A": must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$
          securityContext: {sysctls: [{name: a}, {name: a}]} | spec.securityContext.sysctls[1].name: Duplicate value: "a"
          {hostNetwork: true, securityContext: {sysctls: [{name: net/ipv4/x}]}} | spec.securityContext.sysctls[0].name: Invalid value: "net/ipv4/x": may not be specified when 'hostNetwork' is true
          {hostIPC: true, securityContext: {sysctls: [{name: kernel.msgmax}]}} | spec.securityContext.sysctls[0].name: Invalid value: "kernel.msgmax": may not be specified when 'hostIPC' is true
          {hostPID: true, shareProcessNamespace: true}   | spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled
          {hostUsers: false, hostNetwork: true, hostPID: true} | spec.hostNetwork: Forbidden: when `pod.Spec.HostUsers` is false # spec.HostPID: Forbidden: when `pod.Spec.HostUsers` is false
          securityContext: {windowsOptions: {hostProcess: true}} | spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers
          os: {}                                         | spec.os.name: Required value: cannot be empty
          os: plan9                                      | spec.os: Unsupported value: "plan9": supported values: "linux", "windows"
          {os: linux, securityContext: {windowsOptions: {}}} | spec.securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod
          {os: windows, hostPID: true, securityContext: {runAsUser: 1, seLinuxOptions: {}}} | spec.securityContext.seLinuxOptions: Forbidden: cannot be set for a windows pod # spec.hostPID: Forbidden: cannot be set for a windows pod # spec.securityContext.runAsUser: Forbidden: cannot be set for a windows pod
          """)
  void contextsOfPods(String fields, String expected) {
    PodErrors.assertMessages(
        PodErrors.ofPod(
            PodSamples.podOf(
                fields.startsWith("{")
                    ? "{containers: [{name: app, image: 'app:1'}], " + fields.substring(1)
                    : "containers: [{name: app, image: 'app:1'}]\n" + fields)),
        expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "securityContext.appArmorProfile          | {type: RuntimeDefault}",
        "securityContext.seLinuxOptions           | {level: s0}",
        "securityContext.seccompProfile           | {type: RuntimeDefault}",
        "securityContext.fsGroup                  | 0",
        "securityContext.fsGroupChangePolicy      | Always",
        "securityContext.sysctls                  | [{name: kernel.shm_rmid_forced, value: '1'}]",
        "securityContext.runAsUser                | 0",
        "securityContext.runAsGroup               | 0",
        "securityContext.supplementalGroups       | [0]",
        "securityContext.supplementalGroupsPolicy | Strict",
        "hostUsers                                | true",
        "hostPID                                  | true",
        "hostIPC                                  | true",
        "shareProcessNamespace                    | true",
      })
  void fieldsOfPodsThatOnlyLinuxHas(String field, String value) {
    int dot = field.indexOf('.');
    String text =
        dot < 0
            ? "%s: %s".formatted(field, value)
            : "securityContext: {%s: %s}".formatted(field.substring(dot + 1), value);
    String pod = "os: {name: %s}\n%s\ncontainers: [{name: app, image: 'app:1'}]";

    PodErrors.assertMessages(PodErrors.ofPod(PodSamples.podOf(pod.formatted("linux", text))), "");
    PodErrors.assertMessages(
        PodErrors.ofPod(PodSamples.podOf(pod.formatted("windows", text))),
        "spec.%s: Forbidden: cannot be set for a windows pod".formatted(field));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "appArmorProfile          | {type: RuntimeDefault}",
        "seLinuxOptions           | {level: s0}",
        "seccompProfile           | {type: RuntimeDefault}",
        "capabilities             | {drop: [ALL]}",
        "readOnlyRootFilesystem   | false",
        "privileged               | false",
        "allowPrivilegeEscalation | false",
        "procMount                | Default",
        "runAsUser                | 0",
        "runAsGroup               | 0",
      })
  void fieldsOfContainersThatOnlyLinuxHas(String field, String value) {
    String context = "securityContext: {%s: %s}".formatted(field, value);
    String pod =
        "os: {name: %s}\ninitContainers: [{name: first, image: 'app:1', "
            + context
            + "}]\ncontainers: [{name: app, image: 'app:1', "
            + context
            + "}]";
    String forbidden = "s[0].securityContext.%s: Forbidden: cannot be set for a windows pod";

    PodErrors.assertMessages(PodErrors.ofPod(PodSamples.podOf(pod.formatted("linux"))), "");
    PodErrors.assertMessages(
        PodErrors.ofPod(PodSamples.podOf(pod.formatted("windows"))),
        ("spec.initContainer" + forbidden + " # spec.container" + forbidden)
            .formatted(field, field));
  }

  @ParameterizedTest
  @ValueSource(strings = {"containers", "initContainers"})
  void optionsOfWindowsAreNotForLinux(String list) {
    String other = list.equals("containers") ? "" : "containers: [{name: app, image: 'app:1'}]\n";
    String pod =
        "os: {name: %s}\n"
            + other
            + list
            + ": [{name: one, image: 'app:1', securityContext: {windowsOptions: {runAsUserName: a}}}]";

    PodErrors.assertMessages(PodErrors.ofPod(PodSamples.podOf(pod.formatted("windows"))), "");
    PodErrors.assertMessages(
        PodErrors.ofPod(PodSamples.podOf(pod.formatted("linux"))),
        "spec.%s[0].securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod"
            .formatted(list));
  }

  @Test
  void privilegesMeanNothingToWindows() {
    PodErrors.assertMessages(
        PodErrors.ofPod(
            PodSamples.podOf(
                """
                os: windows
                containers:
                - {name: a, image: a, securityContext: {privileged: true, capabilities: {}}}
                """)),
        "spec.containers[0].securityContext.capabilities: Forbidden: cannot be set for a windows"
            + " pod # spec.containers[0].securityContext.privileged: Forbidden: cannot be set for a"
            + " windows pod");
  }

  @Test
  void hostProcessesComeTogether() {
    PodErrors.assertMessages(
        PodErrors.ofPod(
            PodSamples.podOf(
                """
                hostNetwork: true
                securityContext: {windowsOptions: {hostProcess: true}}
                containers:
                - {name: a, image: a}
                - {name: b, image: b, securityContext: {windowsOptions: {hostProcess: false}}}
                """)),
        "spec.containers[1].securityContext.windowsOptions.hostProcess: Invalid value: false: pod"
            + " hostProcess value must be identical if both are specified, was true # spec: Invalid"
            + " value: \"\": If pod contains any hostProcess containers then all containers must be"
            + " HostProcess containers");
  }

  @Test
  void namesOfWindowsUsersLackSomeCharacters() {
    PodErrors.assertMessages(
        PodErrors.ofContainer("securityContext: {windowsOptions: {runAsUserName: a@b}}"),
        "spec.containers[0].securityContext.windowsOptions.runAsUserName: Invalid value: \"a@b\":"
            + " runAsUserName's User cannot contain the following characters:"
            + " \"/\\:;|=,+*?<>@[]");
  }

  @Test
  void podsOfOneSystemAreGood() {
    assertThat(PodErrors.ofSpec("os: windows\nosversion: 10.0.17763\narchitecture: amd64"))
        .isEmpty();
  }
}
