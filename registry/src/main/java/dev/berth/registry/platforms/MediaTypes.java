package dev.berth.registry.platforms;

import java.util.List;
import java.util.Set;

/// The media types of indexes and manifests, of OCI and of Docker.
public final class MediaTypes {
  public static final String OCI_INDEX = "application/vnd.oci.image.index.v1+json";
  public static final String OCI_MANIFEST = "application/vnd.oci.image.manifest.v1+json";
  public static final String DOCKER_LIST =
      "application/vnd.docker.distribution.manifest.list.v2+json";
  public static final String DOCKER_MANIFEST =
      "application/vnd.docker.distribution.manifest.v2+json";

  /// What a client can read, for an `Accept` header.
  public static final List<String> READABLE =
      List.of(OCI_INDEX, DOCKER_LIST, OCI_MANIFEST, DOCKER_MANIFEST);

  private static final Set<String> INDEXES = Set.of(OCI_INDEX, DOCKER_LIST);

  private MediaTypes() {}

  public static boolean isIndex(String mediaType) {
    return INDEXES.contains(mediaType);
  }
}
