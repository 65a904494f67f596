package dev.berth.vm.pods.rules;

import dev.berth.cri.v1.Capability;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.LinuxContainerSecurityContext;
import dev.berth.cri.v1.NamespaceOption;
import dev.berth.cri.v1.SupplementalGroupsPolicy;
import dev.berth.vm.guest.model.GuestCapabilities;
import dev.berth.vm.guest.model.GuestContainer;
import dev.berth.vm.guest.model.GuestContainer.PidNamespace;
import dev.berth.vm.guest.model.GuestMount;
import dev.berth.vm.guest.model.GuestPrivileges;
import dev.berth.vm.guest.model.GuestUser;
import dev.berth.vm.images.StoredImage.ImageDefaults;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// What runs in a container: the pod's settings over those of the image.
public final class ProcessRule {
  private static final String PATH =
      "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  private ProcessRule() {}

  /// Computes the guest's container.
  ///
  /// @param config with the limits that CRI gave it
  public static GuestContainer container(
      String id,
      String disk,
      String hostName,
      ContainerConfig config,
      ImageDefaults image,
      List<GuestMount> mounts) {
    LinuxContainerSecurityContext security = config.getLinux().getSecurityContext();
    return new GuestContainer(
        id,
        disk,
        command(config, image),
        environment(hostName, config, image),
        config.getWorkingDir().isEmpty() ? image.workingDirectory() : config.getWorkingDir(),
        user(security, image),
        privileges(security),
        mounts,
        ContainerLimitsRule.of(config.getLinux().getResources()),
        processes(security.getNamespaceOptions()),
        config.getTty(),
        config.getStdin(),
        config.getStdinOnce());
  }

  /// As Kubernetes documents it: a command replaces entry point and command of the image, arguments
  /// replace only the command.
  static List<String> command(ContainerConfig config, ImageDefaults image) {
    List<String> words = new ArrayList<>(config.getCommandList());
    List<String> args = config.getArgsList();
    if (words.isEmpty()) {
      words.addAll(image.entrypoint());
      args = args.isEmpty() ? image.command() : args;
    }
    words.addAll(args);
    if (words.isEmpty()) {
      throw SandboxRules.refusal(
          "container %s cannot be created".formatted(config.getMetadata().getName()),
          "neither the pod nor the image %s has a command".formatted(config.getImage().getImage()),
          "Set command or args");
    }
    return words;
  }

  /// The last of a name counts. Bytes that are no UTF-8 do not survive: programs and their guests
  /// exchange text.
  private static List<String> environment(
      String hostName, ContainerConfig config, ImageDefaults image) {
    List<String> variables = new ArrayList<>(List.of(PATH, "HOSTNAME=" + hostName));
    if (config.getTty()) {
      variables.add("TERM=xterm");
    }
    variables.addAll(image.environment());
    config
        .getEnvsList()
        .forEach(pair -> variables.add(pair.getKey() + "=" + pair.getValue().toStringUtf8()));
    return variables;
  }

  private static GuestUser user(LinuxContainerSecurityContext security, ImageDefaults image) {
    String user =
        security.hasRunAsUser()
            ? Long.toString(security.getRunAsUser().getValue())
            : security.getRunAsUsername().isEmpty() ? image.user() : security.getRunAsUsername();
    return new GuestUser(
        user,
        security.hasRunAsGroup()
            ? OptionalLong.of(security.getRunAsGroup().getValue())
            : OptionalLong.empty(),
        security.getSupplementalGroupsList(),
        security.getSupplementalGroupsPolicy() == SupplementalGroupsPolicy.Strict);
  }

  private static GuestPrivileges privileges(LinuxContainerSecurityContext security) {
    Capability wanted = security.getCapabilities();
    return new GuestPrivileges(
        GuestCapabilities.of(
            wanted.getAddCapabilitiesList(),
            wanted.getDropCapabilitiesList(),
            wanted.getAddAmbientCapabilitiesList()),
        security.getPrivileged(),
        security.getNoNewPrivs(),
        security.getReadonlyRootfs(),
        security.getMaskedPathsList(),
        security.getReadonlyPathsList());
  }

  private static PidNamespace processes(NamespaceOption options) {
    return switch (options.getPid()) {
      case POD -> new PidNamespace.PodProcesses();
      case TARGET -> new PidNamespace.TargetProcesses(options.getTargetId());
      case CONTAINER, NODE, UNRECOGNIZED -> new PidNamespace.OwnProcesses();
    };
  }
}
