package dev.berth.agent.volumes.payloads;

import dev.berth.agent.files.DirectoryHandle;
import dev.berth.agent.files.FileHandle;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContext;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The owner of files that the agent writes for a pod.
///
/// @param group the pod's fsGroup
/// @param user the user that all containers run as; null when they differ
public record VolumeOwner(@Nullable Long group, @Nullable Long user) {
  private static final int GROUP_MAY_READ = 0040;

  /// The set-group bit lets new files belong to the group of `fsGroup` as well.
  private static final int DIRECTORY_OF_GROUP = 02770;

  public static VolumeOwner of(Pod pod) {
    PodSecurityContext context =
        Objects.requireNonNullElseGet(pod.getSpec().getSecurityContext(), PodSecurityContext::new);
    Set<@Nullable Long> users = new HashSet<>();
    Stream.of(pod.getSpec().getInitContainers(), pod.getSpec().getContainers())
        .flatMap(List::stream)
        .forEach(container -> users.add(user(container, context)));
    Long only = users.size() == 1 ? users.iterator().next() : null;
    return new VolumeOwner(context.getFsGroup(), only);
  }

  private static @Nullable Long user(Container container, PodSecurityContext ofPod) {
    SecurityContext own = container.getSecurityContext();
    return own != null && own.getRunAsUser() != null ? own.getRunAsUser() : ofPod.getRunAsUser();
  }

  boolean isNobody() {
    return group == null && user == null;
  }

  /// Sets group and mode. A file that is private to its owner belongs to the pod's user.
  void take(FileHandle file, int mode) throws IOException {
    Long gid = group;
    Long uid = user;
    if (gid != null) {
      file.setGroup(gid);
      file.setMode(mode | GROUP_MAY_READ);
    } else if (uid != null && (mode & 0077) == 0) {
      file.setUser(uid);
    }
  }

  /// The group may write in the directory, and owns files created in it (setgid).
  public void takeDirectory(DirectoryHandle directory) throws IOException {
    Long gid = group;
    if (gid != null) {
      directory.self().setGroup(gid);
      directory.self().setMode(directory.self().status().permissions() | DIRECTORY_OF_GROUP);
    }
  }
}
