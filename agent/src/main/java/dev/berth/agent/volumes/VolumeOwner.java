package dev.berth.agent.volumes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Who of a pod's processes shall own what the agent writes for it.
///
/// @param group the pod's fsGroup
/// @param user the one that all containers run as
record VolumeOwner(@Nullable Long group, @Nullable Long user) {
  private static final int GROUP_MAY_READ = 0040;
  private static final int FOLDER_OF_GROUP = 02770;

  static VolumeOwner of(Pod pod) {
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

  /// A file that is private to its owner belongs to whoever shall read it.
  void take(Path file, int mode) throws IOException {
    Long gid = group;
    Long uid = user;
    if (gid != null) {
      Files.setAttribute(file, "unix:gid", gid.intValue(), LinkOption.NOFOLLOW_LINKS);
      Files.setAttribute(file, "unix:mode", mode | GROUP_MAY_READ, LinkOption.NOFOLLOW_LINKS);
    } else if (uid != null && (mode & 0077) == 0) {
      Files.setAttribute(file, "unix:uid", uid.intValue(), LinkOption.NOFOLLOW_LINKS);
    }
  }

  /// The group may write in the folder, and owns what is made there.
  void takeFolder(Path folder) throws IOException {
    Long gid = group;
    if (gid != null) {
      Files.setAttribute(folder, "unix:gid", gid.intValue(), LinkOption.NOFOLLOW_LINKS);
      int mode = (Integer) Files.getAttribute(folder, "unix:mode", LinkOption.NOFOLLOW_LINKS);
      Files.setAttribute(folder, "unix:mode", (mode & 07777) | FOLDER_OF_GROUP);
    }
  }
}
