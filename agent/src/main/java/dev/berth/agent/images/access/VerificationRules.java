package dev.berth.agent.images.access;

import java.util.List;

/// Which images need a proof of access before a pod uses what is present.
///
/// @param allowlist repositories without tag; `registry.example/team/*` stands for all below
public record VerificationRules(VerificationPolicy policy, List<String> allowlist) {
  public static final VerificationRules STANDARD =
      new VerificationRules(VerificationPolicy.NEVER_VERIFY_PRELOADED, List.of());

  public VerificationRules {
    allowlist = List.copyOf(allowlist);
  }

  /// @param repository of the image, with its registry
  /// @param pulledHere whether the agent pulled the image, or began to
  boolean requireProof(String repository, boolean pulledHere) {
    return switch (policy) {
      case NEVER_VERIFY -> false;
      case NEVER_VERIFY_PRELOADED -> pulledHere;
      case NEVER_VERIFY_ALLOWLISTED -> pulledHere || !isAllowlisted(repository);
      case ALWAYS_VERIFY -> true;
    };
  }

  private boolean isAllowlisted(String repository) {
    return allowlist.stream().anyMatch(pattern -> fits(pattern, repository));
  }

  private static boolean fits(String pattern, String repository) {
    return pattern.endsWith("/*")
        ? repository.startsWith(pattern.substring(0, pattern.length() - 1))
        : repository.equals(pattern);
  }
}
