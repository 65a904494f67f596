package dev.berth.cri;

import dev.berth.cri.v1.ContainerStatus;
import dev.berth.cri.v1.PodSandboxMetadata;
import dev.berth.cri.v1.PodSandboxStatus;
import dev.berth.cri.v1.VersionResponse;
import dev.berth.cri.vm.v1.VirtualMachineStatus;

/// Finds the first required field that a reply lacks; returns an empty text when the reply is
/// complete.
///
/// The fields are those that the kubelet requires. A reply without them is treated as an error of
/// the runtime, because a call with an empty id would fail later, with an error that no longer
/// names the cause.
final class ReplyCheck {
  private ReplyCheck() {}

  static String missingInVersion(VersionResponse version) {
    return first(
        unless(version.getVersion(), "version"),
        unless(version.getRuntimeName(), "runtime_name"),
        unless(version.getRuntimeVersion(), "runtime_version"),
        unless(version.getRuntimeApiVersion(), "runtime_api_version"));
  }

  static String missingIn(PodSandboxStatus status) {
    PodSandboxMetadata metadata = status.getMetadata();
    return first(
        unless(status.getId(), "status.id"),
        unless(metadata.getName(), "status.metadata.name"),
        unless(metadata.getNamespace(), "status.metadata.namespace"),
        unless(metadata.getUid(), "status.metadata.uid"),
        unless(status.getCreatedAt(), "status.created_at"));
  }

  static String missingIn(ContainerStatus status) {
    return first(
        unless(status.getId(), "status.id"),
        unless(status.getMetadata().getName(), "status.metadata.name"),
        unless(status.getCreatedAt(), "status.created_at"),
        unless(status.getImage().getImage(), "status.image.image"),
        unless(status.getImageRef(), "status.image_ref"));
  }

  static String missingIn(VirtualMachineStatus status) {
    return first(
        unless(status.getId(), "status.id"),
        unless(status.getPodSandboxId(), "status.pod_sandbox_id"),
        unless(status.getMetadata().getName(), "status.metadata.name"),
        unless(status.getCreatedAt(), "status.created_at"));
  }

  static String unless(String value, String field) {
    return value.isEmpty() ? field : "";
  }

  private static String unless(long value, String field) {
    return value == 0 ? field : "";
  }

  private static String first(String... missing) {
    for (String field : missing) {
      if (!field.isEmpty()) {
        return field;
      }
    }
    return "";
  }
}
