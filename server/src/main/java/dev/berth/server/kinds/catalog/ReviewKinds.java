package dev.berth.server.kinds.catalog;

import dev.berth.server.kinds.ReviewKind;
import java.util.List;

/// The list of review kinds, which are answered and never stored.
final class ReviewKinds {
  private static final String AUTHENTICATION = "authentication.k8s.io";
  private static final String AUTHORIZATION = "authorization.k8s.io";

  static final List<ReviewKind> ALL =
      List.of(
          cluster(AUTHENTICATION, "selfsubjectreviews", "SelfSubjectReview"),
          cluster(AUTHENTICATION, "tokenreviews", "TokenReview"),
          new ReviewKind(
              AUTHORIZATION, "v1", "localsubjectaccessreviews", "LocalSubjectAccessReview", true),
          cluster(AUTHORIZATION, "selfsubjectaccessreviews", "SelfSubjectAccessReview"),
          cluster(AUTHORIZATION, "selfsubjectrulesreviews", "SelfSubjectRulesReview"),
          cluster(AUTHORIZATION, "subjectaccessreviews", "SubjectAccessReview"));

  private ReviewKinds() {}

  private static ReviewKind cluster(String group, String plural, String kind) {
    return new ReviewKind(group, "v1", plural, kind, false);
  }
}
