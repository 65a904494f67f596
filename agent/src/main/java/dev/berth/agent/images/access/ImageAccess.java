package dev.berth.agent.images.access;

import java.util.ArrayList;
import java.util.List;

/// Who has shown that they can pull an image by one repository.
///
/// @param everyPod whether a pull without credentials succeeded
/// @param secrets with which a pull succeeded
record ImageAccess(boolean everyPod, List<SecretUse> secrets) {
  /// Somebody pulled the image, and nobody knows with which credentials.
  static final ImageAccess UNPROVEN = new ImageAccess(false, List.of());

  static final ImageAccess ANYBODY = new ImageAccess(true, List.of());

  /// Secrets come and go with namespaces; the record of an image stays bounded.
  private static final int MOST_SECRETS = 100;

  ImageAccess {
    secrets = List.copyOf(secrets);
  }

  boolean allows(List<SecretUse> ofPod) {
    return everyPod
        || ofPod.stream().anyMatch(use -> secrets.stream().anyMatch(use::provesAccessLike));
  }

  /// The newest credentials of a secret replace its older ones.
  ImageAccess with(SecretUse use) {
    List<SecretUse> all = new ArrayList<>(secrets);
    all.removeIf(use::isSameSecretAs);
    all.add(use);
    return new ImageAccess(
        everyPod, all.subList(Math.max(0, all.size() - MOST_SECRETS), all.size()));
  }
}
