package dev.berth.agent.images.access;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// For which images a pod must prove that it could pull them itself: the values of
/// `imagePullCredentialsVerificationPolicy`.
public enum VerificationPolicy {
  /// Every pod may use every image that is present.
  NEVER_VERIFY("NeverVerify"),
  /// Images that the agent did not pull are free for all.
  NEVER_VERIFY_PRELOADED("NeverVerifyPreloadedImages"),
  /// Only images of the allowlist that the agent did not pull are free for all.
  NEVER_VERIFY_ALLOWLISTED("NeverVerifyAllowlistedImages"),
  ALWAYS_VERIFY("AlwaysVerify");

  private final String word;

  VerificationPolicy(String word) {
    this.word = word;
  }

  /// The policy of a word in a configuration file or flag; empty when there is none.
  public static Optional<VerificationPolicy> of(String word) {
    return Arrays.stream(values()).filter(policy -> policy.word.equals(word)).findFirst();
  }

  public static List<String> words() {
    return Arrays.stream(values()).map(VerificationPolicy::toString).toList();
  }

  @Override
  public String toString() {
    return word;
  }
}
