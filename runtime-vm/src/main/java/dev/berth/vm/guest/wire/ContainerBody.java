package dev.berth.vm.guest.wire;

import dev.berth.vm.guest.model.GuestConfig;
import dev.berth.vm.guest.model.GuestConfig.GuestNetwork;
import dev.berth.vm.guest.model.GuestContainer;
import dev.berth.vm.guest.model.GuestContainer.PidNamespace;
import dev.berth.vm.guest.model.GuestLimits;
import dev.berth.vm.guest.model.GuestMount;
import dev.berth.vm.guest.model.GuestMount.GuestOwner;
import dev.berth.vm.guest.model.GuestMount.MountSource;
import dev.berth.vm.guest.model.GuestPrivileges;
import dev.berth.vm.guest.model.GuestUser;
import java.time.Instant;

/// Bodies of the requests with many values.
public final class ContainerBody {
  private ContainerBody() {}

  public static void container(BodyWriter body, GuestContainer container) {
    body.string(container.id()).string(container.imageDisk());
    body.strings(container.args()).strings(container.environment());
    body.string(container.workingDirectory());
    user(body, container.user());
    privileges(body, container.privileges());
    body.list(container.mounts(), ContainerBody::mount);
    limits(body, container.limits());
    pidNamespace(body, container.pidNamespace());
    body.bool(container.tty()).bool(container.stdin()).bool(container.stdinOnce());
  }

  public static void limits(BodyWriter body, GuestLimits limits) {
    body.i64(limits.cpuQuotaMicros()).i64(limits.cpuPeriodMicros()).i64(limits.cpuWeight());
    body.i64(limits.memoryBytes()).i64(limits.pids()).i32(limits.oomScoreAdjustment());
    body.map(limits.unified());
  }

  /// The body of `CONFIGURE` after the operation.
  ///
  /// @param seed for the guest's random numbers
  public static void configuration(BodyWriter body, GuestConfig config, Instant now, byte[] seed) {
    GuestNetwork network = config.network();
    body.time(now).bytes(seed).string(config.hostName());
    body.string(network.mac()).u32(network.mtu()).strings(network.addresses());
    body.list(
        network.routes(), (to, route) -> to.string(route.destination()).string(route.gateway()));
    body.map(config.sysctls());
  }

  private static void user(BodyWriter body, GuestUser user) {
    body.string(user.user()).bool(user.group().isPresent());
    user.group().ifPresent(body::u32);
    body.list(user.supplementalGroups(), BodyWriter::u32).bool(user.strictGroups());
  }

  private static void privileges(BodyWriter body, GuestPrivileges privileges) {
    body.i64(privileges.capabilities().bounding()).i64(privileges.capabilities().ambient());
    body.bool(privileges.privileged()).bool(privileges.noNewPrivileges());
    body.bool(privileges.readOnlyRoot());
    body.strings(privileges.maskedPaths()).strings(privileges.readOnlyPaths());
  }

  private static void mount(BodyWriter body, GuestMount mount) {
    body.string(mount.destination()).string(mount.subPath()).bool(mount.readOnly());
    switch (mount.source()) {
      case MountSource.TreeSource(String name) -> body.u8(1).string(name);
      case MountSource.ScratchSource(String name, GuestOwner owner) ->
          owner(body.u8(2).string(name), owner);
      case MountSource.MemorySource(String name, long bytes, GuestOwner owner) ->
          owner(body.u8(3).string(name).i64(bytes), owner);
      case MountSource.ImageSource(String disk) -> body.u8(4).string(disk);
      case MountSource.FileSource(String name) -> body.u8(5).string(name);
    }
  }

  private static void owner(BodyWriter body, GuestOwner owner) {
    body.u32(owner.uid()).u32(owner.gid()).u32(owner.mode());
  }

  private static void pidNamespace(BodyWriter body, PidNamespace namespace) {
    switch (namespace) {
      case PidNamespace.OwnProcesses() -> body.u8(0).string("");
      case PidNamespace.PodProcesses() -> body.u8(1).string("");
      case PidNamespace.TargetProcesses(String container) -> body.u8(2).string(container);
    }
  }
}
