package dev.berth.server.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.TestServer;
import dev.berth.server.json.JsonTrees;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the audit log says of requests to a real server.
class AuditIT {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String SERVICES = "/api/v1/namespaces/default/services";
  private static final String SECRETS = "/api/v1/namespaces/default/secrets";
  private static final String POLICY =
      """
      apiVersion: audit.k8s.io/v1
      kind: Policy
      omitManagedFields: true
      rules:
        - level: None
          nonResourceURLs: ["/healthz*"]
        - level: Metadata
          resources: [{group: "", resources: [secrets]}]
          omitStages: [RequestReceived]
        - level: RequestResponse
          resources: [{group: "", resources: [configmaps]}]
          omitStages: [RequestReceived]
        - level: Request
          verbs: [create, update, delete, patch]
        - level: Metadata
      """;

  @TempDir Path directory;
  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    List<String> mistakes = new ArrayList<>();
    Path file = Files.writeString(directory.resolve("policy.yaml"), POLICY);
    AuditPolicy policy = AuditPolicyReader.read(file, mistakes);
    assertThat(mistakes).isEmpty();
    AuditConfig audit =
        new AuditConfig(
            Objects.requireNonNull(policy),
            Optional.of(directory.resolve("audit.log")),
            new AuditConfig.Rotation(1 << 20, 0, Duration.ZERO, false));
    server =
        TestServer.start(
            directory.resolve("data"), config -> config.with(config.http().withAudit(audit)));
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private HttpResponse<String> send(
      HttpClient client, String method, String target, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.url() + target))
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /// The events of all requests, after the server has ended.
  private List<JsonNode> events(String uri) throws IOException {
    server.close();
    List<JsonNode> events = new ArrayList<>();
    for (String line : Files.readAllLines(directory.resolve("audit.log"))) {
      JsonNode event = JsonTrees.parseTrusted(line.getBytes(UTF_8));
      if (event.path("requestURI").asText().equals(uri)) {
        events.add(event);
      }
    }
    return events;
  }

  private static String map(String kind, String field) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"%s\",\"metadata\":{\"name\":\"a\"},%s}"
        .formatted(kind, field);
  }

  @Test
  void metadataHasNoBodiesAndUpstreamsFields() throws Exception {
    HttpResponse<String> made =
        send(
            server.admin(),
            "POST",
            SECRETS,
            map("Secret", "\"data\":{\"p\":\"c2VjcmV0\"}"),
            "User-Agent",
            "test/1",
            "X-Forwarded-For",
            "192.0.2.1, 10.0.0.1",
            "Audit-ID",
            "my-id");
    assertThat(made.statusCode()).isEqualTo(201);
    assertThat(made.headers().firstValue("Audit-Id")).contains("my-id");
    JsonNode event = events(SECRETS).getFirst();
    List<String> fields = new ArrayList<>();
    event.fieldNames().forEachRemaining(fields::add);
    assertThat(fields)
        .containsExactly(
            "kind",
            "apiVersion",
            "level",
            "auditID",
            "stage",
            "requestURI",
            "verb",
            "user",
            "sourceIPs",
            "userAgent",
            "objectRef",
            "responseStatus",
            "requestReceivedTimestamp",
            "stageTimestamp",
            "annotations");
    assertThat(event.path("stage").asText()).isEqualTo("ResponseComplete");
    assertThat(event.path("auditID").asText()).isEqualTo("my-id");
    assertThat(event.path("user").path("username").asText()).isEqualTo("kubernetes-admin");
    assertThat(event.path("sourceIPs")).hasToString("[\"192.0.2.1\",\"10.0.0.1\",\"127.0.0.1\"]");
    assertThat(event.path("objectRef"))
        .hasToString(
            "{\"resource\":\"secrets\",\"namespace\":\"default\",\"name\":\"a\",\"apiVersion\":\"v1\"}");
    assertThat(event.path("responseStatus")).hasToString("{\"metadata\":{},\"code\":201}");
    assertThat(event.path("annotations"))
        .hasToString(
            "{\"authorization.k8s.io/decision\":\"allow\",\"authorization.k8s.io/reason\":\"\"}");
    assertThat(event.path("stageTimestamp").asText())
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z");
    assertThat(Files.readString(directory.resolve("audit.log"))).doesNotContain("c2VjcmV0");
  }

  @Test
  void bodiesAreRecordedAsThePolicySays() throws Exception {
    send(server.admin(), "POST", MAPS, map("ConfigMap", "\"data\":{\"k\":\"v\"}"));
    send(server.admin(), "GET", MAPS, "");
    send(
        server.admin(),
        "GET",
        MAPS + "?limit=5",
        "",
        "Accept",
        "application/json;as=Table;g=meta.k8s.io;v=v1");
    send(server.admin(), "GET", MAPS + "/none", "");
    JsonNode created = events(MAPS).getFirst();
    assertThat(created.path("requestObject").path("data").path("k").asText()).isEqualTo("v");
    assertThat(created.path("responseObject").path("kind").asText()).isEqualTo("ConfigMap");
    assertThat(created.path("responseObject").path("metadata").has("uid")).isTrue();
    assertThat(created.path("responseObject").path("metadata").has("managedFields")).isFalse();
    JsonNode list = events(MAPS).get(1);
    assertThat(list.path("verb").asText()).isEqualTo("list");
    assertThat(list.path("responseObject").path("items")).hasSize(1);
    JsonNode table = events(MAPS + "?limit=5").getFirst();
    assertThat(table.path("responseObject").path("kind").asText()).isEqualTo("Table");
    JsonNode missing = events(MAPS + "/none").getFirst();
    assertThat(missing.path("responseStatus").path("reason").asText()).isEqualTo("NotFound");
    assertThat(missing.path("responseStatus").has("kind")).isFalse();
    assertThat(missing.path("responseObject").path("kind").asText()).isEqualTo("Status");
  }

  @Test
  void objectsAreRecordedAsTheyWereUnderstood() throws Exception {
    String service =
        """
        {"metadata":{"name":"s","labels":{"a":"b"}},"nonsense":1,
         "spec":{"ports":[{"port":80,"colour":"red"}],"selector":{"a":"b"}}}
        """;
    assertThat(send(server.admin(), "POST", SERVICES, service).statusCode()).isEqualTo(201);
    String strict = SERVICES + "?fieldValidation=Strict";
    assertThat(send(server.admin(), "POST", strict, service).statusCode()).isEqualTo(400);
    String map = map("ConfigMap", "\"data\":{\"k\":\"v\"},\"nonsense\":1");
    send(server.admin(), "POST", MAPS, map);
    HttpResponse<String> put = send(server.admin(), "PUT", MAPS + "/a", map);
    assertThat(put.statusCode()).as(put.body()).isEqualTo(200);

    JsonNode created = events(SERVICES).getLast();
    JsonNode object = created.path("requestObject");
    assertThat(object.path("kind").asText()).isEqualTo("Service");
    assertThat(object.path("apiVersion").asText()).isEqualTo("v1");
    assertThat(object.has("nonsense")).isFalse();
    assertThat(object.path("spec").path("type").asText()).isEqualTo("ClusterIP");
    assertThat(object.path("spec").path("ports"))
        .hasToString("[{\"port\":80,\"protocol\":\"TCP\",\"targetPort\":80}]");
    assertThat(object.path("metadata"))
        .as("what the server adds later is no part of the request")
        .hasToString("{\"name\":\"s\",\"labels\":{\"a\":\"b\"},\"creationTimestamp\":null}");
    assertThat(created.path("objectRef").path("name").asText()).isEqualTo("s");
    JsonNode refused = events(strict).getLast();
    assertThat(refused.path("responseStatus").path("code").asInt()).isEqualTo(400);
    assertThat(refused.has("requestObject")).as("it was not understood").isFalse();
    JsonNode updated = events(MAPS + "/a").getLast().path("requestObject");
    assertThat(updated.path("data")).hasToString("{\"k\":\"v\"}");
    assertThat(updated.has("nonsense")).isFalse();
  }

  @Test
  void reviewsAreRecordedWithoutUnknownFields() throws Exception {
    String reviews = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    HttpResponse<String> answer =
        send(
            server.admin(),
            "POST",
            reviews,
            "{\"nonsense\":1,\"spec\":{\"resourceAttributes\":{\"verb\":\"get\",\"resource\":\"pods\"}}}");
    assertThat(answer.statusCode()).isEqualTo(201);
    JsonNode object = events(reviews).getLast().path("requestObject");
    assertThat(object.path("kind").asText()).isEqualTo("SelfSubjectAccessReview");
    assertThat(object.path("apiVersion").asText()).isEqualTo("authorization.k8s.io/v1");
    assertThat(object.path("spec").path("resourceAttributes").path("verb").asText())
        .isEqualTo("get");
    assertThat(object.has("nonsense")).isFalse();
  }

  @Test
  void patchesAreRecordedAsTheyWereSent() throws Exception {
    send(server.admin(), "POST", MAPS, map("ConfigMap", "\"data\":{\"k\":\"v\"}"));
    String patch = "{\"metadata\":{\"resourceVersion\":null},\"nonsense\":1}";
    server
        .local()
        .send(
            "PATCH",
            MAPS + "/a",
            "application/json",
            "application/merge-patch+json",
            patch.getBytes(UTF_8),
            Duration.ofSeconds(20))
        .body()
        .close();
    JsonNode event = events(MAPS + "/a").getLast();
    assertThat(event.path("requestObject")).hasToString(patch);
    assertThat(event.path("objectRef").has("resourceVersion")).isFalse();
  }

  @Test
  void refusalsImpersonationAndStrangersAreRecorded() throws Exception {
    assertThat(send(server.user("ann"), "GET", PODS, "").statusCode()).isEqualTo(403);
    assertThat(send(server.admin(), "GET", PODS + "/x", "", "Impersonate-User", "bob").statusCode())
        .isEqualTo(403);
    assertThat(
            send(server.anonymous(), "GET", PODS + "/y", "", "Authorization", "Bearer nonsense")
                .statusCode())
        .isEqualTo(401);
    List<JsonNode> refused = events(PODS);
    assertThat(refused)
        .extracting(event -> event.path("stage").asText())
        .containsExactly("RequestReceived", "ResponseComplete");
    assertThat(refused.getLast().path("annotations").path("authorization.k8s.io/decision").asText())
        .isEqualTo("forbid");
    assertThat(refused.getLast().path("responseStatus").path("code").asInt()).isEqualTo(403);
    JsonNode impersonated = events(PODS + "/x").getLast();
    assertThat(impersonated.path("user").path("username").asText()).isEqualTo("kubernetes-admin");
    assertThat(impersonated.path("impersonatedUser").path("username").asText()).isEqualTo("bob");
    List<JsonNode> stranger = events(PODS + "/y");
    assertThat(stranger).hasSize(1);
    assertThat(stranger.getFirst().path("stage").asText()).isEqualTo("ResponseStarted");
    assertThat(stranger.getFirst().path("user")).hasToString("{}");
    assertThat(stranger.getFirst().path("responseStatus").path("code").asInt()).isEqualTo(401);
  }

  @Test
  void aWatchIsRecordedWhenItBeginsAndEndsAndPatchesWithTheirBody() throws Exception {
    String watch = SECRETS + "?watch=1&timeoutSeconds=1";
    send(server.admin(), "GET", watch, "");
    send(server.admin(), "GET", "/healthz", "");
    String ns = "/api/v1/namespaces/default";
    HttpResponse<String> patched =
        send(
            server.admin(),
            "PATCH",
            ns + "?dryRun=All",
            "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
    assertThat(patched.statusCode()).isEqualTo(415);
    server
        .local()
        .send(
            "PATCH",
            ns,
            "application/json",
            "application/merge-patch+json",
            "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}".getBytes(UTF_8),
            Duration.ofSeconds(20))
        .body()
        .close();
    assertThat(events(watch))
        .extracting(event -> event.path("stage").asText())
        .containsExactly("ResponseStarted", "ResponseComplete");
    assertThat(events("/healthz")).isEmpty();
    JsonNode local = events(ns).getLast();
    assertThat(local.path("sourceIPs")).hasToString("[\"127.0.0.1\"]");
    assertThat(local.path("requestObject"))
        .hasToString("{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
    assertThat(local.path("stage").asText()).isEqualTo("ResponseComplete");
    assertThat(local.has("responseObject")).isFalse();
  }

  @Test
  void annotationsOfAdmissionAreRecorded() throws Exception {
    send(
        server.admin(),
        "POST",
        "/api/v1/namespaces",
        "{\"metadata\":{\"name\":\"strict\",\"labels\":"
            + "{\"pod-security.kubernetes.io/enforce\":\"restricted\"}}}");
    send(
        server.admin(),
        "POST",
        "/api/v1/namespaces/strict/serviceaccounts",
        "{\"metadata\":{\"name\":\"default\"}}");
    String pods = "/api/v1/namespaces/strict/pods";
    send(
        server.admin(),
        "POST",
        pods,
        "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"hostPID\":true,\"containers\":"
            + "[{\"name\":\"c\",\"image\":\"i\"}]}}");
    JsonNode event = events(pods).getLast();
    assertThat(event.path("responseStatus").path("code").asInt()).isEqualTo(403);
    assertThat(event.path("annotations").path("pod-security.kubernetes.io/enforce-policy").asText())
        .isEqualTo("restricted:latest");
  }
}
