package dev.berth.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.auth.UserInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditPolicyTest {
  private static final String HEAD = "apiVersion: audit.k8s.io/v1\nkind: Policy\n";

  @TempDir Path directory;
  private final List<String> mistakes = new ArrayList<>();

  private AuditPolicy read(String text) throws IOException {
    Path file = Files.writeString(directory.resolve("policy.yaml"), HEAD + text);
    AuditPolicy policy = AuditPolicyReader.read(file, mistakes);
    assertThat(mistakes).isEmpty();
    return Objects.requireNonNull(policy);
  }

  private static AuditRequest resource(String verb, String group, String path) {
    String[] parts = path.split("/", -1);
    String plural = parts[1];
    String name = parts.length > 2 ? parts[2] : "";
    String subresource = parts.length > 3 ? parts[3] : "";
    return new AuditRequest(
        "id",
        "/",
        verb,
        "/",
        new AuditRequest.Resource(group, "v1", plural, subresource, parts[0], name),
        List.of(),
        "",
        false);
  }

  private static AuditRequest path(String verb, String path) {
    return new AuditRequest(
        "id", path, verb, path, AuditRequest.Resource.NONE, List.of(), "", false);
  }

  /// The example of upstream's documentation.
  private static final String EXAMPLE =
      """
      omitStages:
        - "RequestReceived"
      rules:
        - level: RequestResponse
          resources:
          - group: ""
            resources: ["pods"]
        - level: Metadata
          resources:
          - group: ""
            resources: ["pods/log", "pods/status"]
        - level: None
          resources:
          - group: ""
            resources: ["configmaps"]
            resourceNames: ["controller-leader"]
        - level: None
          users: ["system:kube-proxy"]
          verbs: ["watch"]
          resources:
          - group: "" # core API group
            resources: ["endpoints", "services"]
        - level: None
          userGroups: ["system:authenticated"]
          nonResourceURLs:
          - "/api*"
          - "/version"
        - level: Request
          resources:
          - group: "" # core API group
            resources: ["configmaps"]
          namespaces: ["kube-system"]
        - level: Metadata
          resources:
          - group: "" # core API group
            resources: ["secrets", "configmaps"]
        - level: Request
          resources:
          - group: "" # core API group
          - group: "apps" # Version of group should NOT be included.
        - level: Metadata
          omitStages:
            - "ResponseStarted"
      """;

  @ParameterizedTest
  @CsvSource({
    "get, '', a/pods/x, RequestResponse",
    "get, '', a/pods/x/log, Metadata",
    "update, '', a/pods/x/exec, Request",
    "get, '', a/configmaps/controller-leader, None",
    "get, '', kube-system/configmaps/x, Request",
    "get, '', a/configmaps/x, Metadata",
    "list, '', /secrets, Metadata",
    "get, apps, a/deployments/x, Request",
    "get, batch, a/jobs/x, Metadata"
  })
  void theFirstMatchingRuleDecides(String verb, String group, String target, String level)
      throws IOException {
    AuditPolicy policy = read(EXAMPLE);
    UserInfo user = UserInfo.of("ann", "system:authenticated");
    assertThat(policy.decide(resource(verb, group, target), user).level()).hasToString(level);
  }

  @Test
  void usersGroupsAndPathsAreLookedAt() throws IOException {
    AuditPolicy policy = read(EXAMPLE);
    UserInfo user = UserInfo.of("ann", "system:authenticated");
    UserInfo proxy = UserInfo.of("system:kube-proxy");
    assertThat(policy.decide(resource("watch", "", "/endpoints"), proxy).level())
        .isEqualTo(AuditLevel.NONE);
    assertThat(policy.decide(resource("watch", "", "/endpoints"), user).level())
        .isEqualTo(AuditLevel.REQUEST);
    assertThat(policy.decide(path("get", "/apis"), user).level()).isEqualTo(AuditLevel.NONE);
    assertThat(policy.decide(path("get", "/version/x"), user).level())
        .isEqualTo(AuditLevel.METADATA);
    assertThat(policy.decide(path("get", "/version"), null).level()).isEqualTo(AuditLevel.METADATA);
    assertThat(policy.decide(path("get", "/version"), null).omitStages())
        .containsExactlyInAnyOrder(AuditStage.REQUEST_RECEIVED, AuditStage.RESPONSE_STARTED);
  }

  @Test
  void patternsOfSubresourcesAndAnOwnOmitManagedFields() throws IOException {
    AuditPolicy policy =
        read(
            """
            omitManagedFields: true
            rules:
              - level: Request
                resources: [{group: "", resources: ["*/status"]}]
                omitManagedFields: false
              - level: RequestResponse
                resources: [{group: "", resources: ["pods/*"]}]
              - level: Metadata
                resources: [{group: "", resources: ["*"]}]
            """);
    UserInfo user = UserInfo.of("ann");
    assertThat(policy.decide(resource("get", "", "a/nodes/x/status"), user))
        .isEqualTo(new AuditPolicy.Decision(AuditLevel.REQUEST, Set.of(), false));
    assertThat(policy.decide(resource("get", "", "a/pods/x/exec"), user))
        .isEqualTo(new AuditPolicy.Decision(AuditLevel.REQUEST_RESPONSE, Set.of(), true));
    assertThat(policy.decide(resource("get", "", "a/nodes/x/proxy"), user).level())
        .isEqualTo(AuditLevel.METADATA);
    assertThat(policy.decide(resource("get", "apps", "a/deployments"), user).level())
        .isEqualTo(AuditLevel.NONE);
  }

  @Test
  void everyMistakeIsReportedAtOnce() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("policy.yaml"),
            HEAD
                + """
                omitStages: [Sometimes]
                rules:
                  - level: Everything
                    user: [ann]
                  - level: Metadata
                    namespaces: [a]
                    nonResourceURLs: ["healthz", "/a*b"]
                  - level: Metadata
                    resources: [{group: "a_b", resourceNames: [x]}]
                    verbs: get
                  - level: Request
                    omitManagedFields: "no"
                """);
    assertThat(AuditPolicyReader.read(file, mistakes)).isNull();
    assertThat(mistakes)
        .hasSize(10)
        .contains(
            "rules[0].user: unknown field (known: level, namespaces, nonResourceURLs,"
                + " omitManagedFields, omitStages, resources, userGroups, users, verbs)",
            "rules[0].level: must be one of None, Metadata, Request, RequestResponse (found:"
                + " \"Everything\")",
            "rules[1].nonResourceURLs: rules cannot apply to both regular resources and"
                + " non-resource URLs",
            "rules[1].nonResourceURLs[0]: non-resource URL rules must begin with a '/' character"
                + " (found: \"healthz\")",
            "rules[1].nonResourceURLs[1]: non-resource URL wildcards '*' must be the final"
                + " character of the rule (found: \"/a*b\")",
            "rules[2].resources[0].resourceNames: using resourceNames requires at least one"
                + " resource",
            "rules[2].verbs: must be a list",
            "rules[3].omitManagedFields: must be true or false",
            "omitStages[0]: must be one of RequestReceived, ResponseStarted, ResponseComplete,"
                + " Panic (found: \"Sometimes\")");
  }
}
