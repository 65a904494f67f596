package dev.berth.vm.pods.rules;

import dev.berth.api.Problem;
import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.v1.LinuxSandboxSecurityContext;
import dev.berth.cri.v1.NamespaceMode;
import dev.berth.cri.v1.NamespaceOption;
import dev.berth.cri.v1.PodSandboxConfig;
import dev.berth.cri.v1.SELinuxOption;
import dev.berth.cri.v1.SecurityProfile;
import dev.berth.cri.v1.SecurityProfile.ProfileType;
import io.grpc.Status;

/// Refuses what a pod in a virtual machine cannot have, before anything is made for it.
///
/// A privileged pod is not refused: it may do anything to its guest, and nothing to the host. The
/// same holds for a user namespace: the users of a guest are none of the host.
public final class SandboxRules {
  private SandboxRules() {}

  /// Checks a whole pod.
  ///
  /// @throws CallRefusal INVALID_ARGUMENT with what is accepted instead
  public static void check(PodSandboxConfig config) {
    String pod =
        "pod %s/%s cannot start in a virtual machine"
            .formatted(config.getMetadata().getNamespace(), config.getMetadata().getName());
    LinuxSandboxSecurityContext security = config.getLinux().getSecurityContext();
    checkNamespaces(pod, security.getNamespaceOptions());
    checkSecurity(pod, security.getSelinuxOptions(), security.getSeccomp(), security.getApparmor());
    if (config.hasWindows()) {
      throw refusal(pod, "it is a pod for Windows", "Choose a RuntimeClass for Windows");
    }
  }

  static void checkNamespaces(String subject, NamespaceOption options) {
    refuseHost(subject, "hostNetwork", options.getNetwork());
    refuseHost(subject, "hostPID", options.getPid());
    refuseHost(subject, "hostIPC", options.getIpc());
  }

  private static void refuseHost(String subject, String field, NamespaceMode mode) {
    if (mode == NamespaceMode.NODE) {
      throw refusal(
          subject,
          "it has %s: true, and a guest shares no namespace with the node".formatted(field),
          "Remove %s, or choose a RuntimeClass of containers on the node's kernel"
              .formatted(field));
    }
  }

  static void checkSecurity(
      String subject, SELinuxOption selinux, SecurityProfile seccomp, SecurityProfile appArmor) {
    if (!selinux.equals(SELinuxOption.getDefaultInstance())) {
      throw refusal(
          subject,
          "it has seLinuxOptions, and the kernel of guests has no SELinux",
          "Remove seLinuxOptions");
    }
    refuseProfile(subject, "seccompProfile", seccomp);
    refuseProfile(subject, "appArmorProfile", appArmor);
  }

  private static void refuseProfile(String subject, String field, SecurityProfile profile) {
    if (profile.getProfileType() == ProfileType.Localhost) {
      throw refusal(
          subject,
          "its %s is %s of the node, which guests do not have"
              .formatted(field, profile.getLocalhostRef()),
          "Use the type RuntimeDefault or Unconfined");
    }
  }

  static CallRefusal refusal(String what, String why, String remedy) {
    return new CallRefusal(Status.Code.INVALID_ARGUMENT, new Problem(what, why, remedy).toString());
  }
}
