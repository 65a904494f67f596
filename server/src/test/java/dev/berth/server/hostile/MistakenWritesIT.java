package dev.berth.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.TestServer;
import dev.berth.server.json.JsonTrees;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Writes whose author meant something else than was written: they are refused, and nothing is
/// written or deleted.
class MistakenWritesIT {
  private static final String NAMESPACE = "/api/v1/namespaces/default";
  private static final String MAP = NAMESPACE + "/configmaps/kept";
  private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
  private static final String SCALE = DEPLOYMENTS + "/kept/scale";
  private static final String MERGE = "application/merge-patch+json";
  private static final String DEPLOYMENT =
      """
      {'metadata':{'name':'kept'},'spec':{'replicas':2,'selector':{'matchLabels':{'a':'b'}},
      'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}}
      """;

  private static final String POD =
      "{'metadata':{'name':'kept'},'spec':{'containers':[{'name':'c','image':'i'}]}}";

  @Test
  void theyAreRefusedAndChangeNothing(@TempDir Path directory) throws Exception {
    try (TestServer server = TestServer.start(directory);
        HttpClient client = server.admin()) {
      Calls calls = new Calls(client, server);
      calls.taken("POST " + NAMESPACE + "/configmaps", "{'metadata':{'name':'kept'}}");
      calls.taken("POST " + DEPLOYMENTS, DEPLOYMENT);
      calls.taken("POST " + NAMESPACE + "/serviceaccounts", "{'metadata':{'name':'default'}}");
      calls.taken("POST " + NAMESPACE + "/pods", POD);
      refusesDeletions(calls);
      refusesUpdates(calls);
      refusesScales(calls);
      refusesOtherKinds(calls);
      calls.taken("GET " + MAP, "");
      assertThat(calls.taken("GET " + NAMESPACE + "/pods/kept", ""))
          .doesNotContain("nodeName", "deletionTimestamp");
      assertThat(calls.taken("GET " + SCALE, "")).contains("\"spec\":{\"replicas\":2}");
    }
  }

  private static void refusesDeletions(Calls calls) throws Exception {
    String cannot = "DeleteOptions in version \"v1\" cannot be handled as a DeleteOptions: json:";
    assertThat(calls.refused("DELETE " + MAP, "{'dryRun':'All'}"))
        .startsWith(cannot + " cannot unmarshal string into Go struct field DeleteOptions.dryRun");
    assertThat(calls.refused("DELETE " + MAP, "{'gracePeriodSeconds':'x'}")).startsWith(cannot);
    assertThat(calls.refused("DELETE " + MAP, "{'preconditions':'x'}")).startsWith(cannot);
    assertThat(calls.refused("DELETE " + MAP, "{'kind':'ConfigMap','apiVersion':'v1'}"))
        .isEqualTo(
            "ConfigMap in version \"v1\" cannot be handled as a DeleteOptions: no kind"
                + " \"ConfigMap\" is registered for version \"v1\"");
    assertThat(calls.refused("DELETE " + MAP + "?gracePeriodSeconds=x", ""))
        .isEqualTo("strconv.ParseInt: parsing \"x\": invalid syntax");
  }

  private static void refusesOtherKinds(Calls calls) throws Exception {
    String pod =
        "{'kind':'Pod','apiVersion':'v1','metadata':{'name':'kept'},'target':{'name':'n'}}";
    String binding = NAMESPACE + "/pods/kept/binding";
    String isNoBinding =
        "Pod in version \"v1\" cannot be handled as a Binding: converting (v1.Pod) to"
            + " (core.Binding): unknown conversion";
    assertThat(calls.refused("POST " + binding, pod)).isEqualTo(isNoBinding);
    assertThat(calls.refused("POST " + NAMESPACE + "/bindings", pod)).isEqualTo(isNoBinding);
    String eviction = NAMESPACE + "/pods/kept/eviction";
    assertThat(calls.refused("POST " + eviction, pod))
        .isEqualTo(
            "Pod in version \"v1\" cannot be handled as a Eviction: converting (v1.Pod) to"
                + " (policy.Eviction): unknown conversion");
    String token = NAMESPACE + "/serviceaccounts/default/token";
    assertThat(calls.refused("POST " + token, pod)).contains("cannot be handled as a TokenRequest");
    assertThat(calls.refused("POST " + token, "{'spec':{'audiences':'x'}}"))
        .isEqualTo(
            "TokenRequest in version \"v1\" cannot be handled as a TokenRequest: json: cannot"
                + " unmarshal string into Go struct field TokenRequestSpec.spec.audiences of type"
                + " []string");
    String reviews = "/apis/authorization.k8s.io/v1/";
    assertThat(calls.refused("POST " + reviews + "subjectaccessreviews", pod))
        .endsWith("converting (v1.Pod) to (authorization.SubjectAccessReview): unknown conversion");
    String strict = "?fieldValidation=Strict";
    for (String path : List.of(binding, eviction, token, reviews + "selfsubjectaccessreviews")) {
      assertThat(calls.refused("POST " + path + strict, "{'extra':1,'spec':{}}"))
          .contains("strict decoding error: unknown field \"extra\"");
    }
  }

  private static void refusesUpdates(Calls calls) throws Exception {
    assertThat(calls.refused("PUT " + MAP, "{'data':{'a':'b'}}"))
        .isEqualTo(
            "the name of the object (kept based on URL) was undeterminable: name must be provided");
    assertThat(calls.refused("PUT " + MAP, "null")).contains("name must be provided");
    String secret = "{'metadata':{'name':'plain'},'data':{'word':'open sesame'}}";
    assertThat(calls.refused("POST " + NAMESPACE + "/secrets", secret))
        .isEqualTo(
            "Secret in version \"v1\" cannot be handled as a Secret: illegal base64 data at input byte 4 (field data.word)");
  }

  private static void refusesScales(Calls calls) throws Exception {
    assertThat(calls.refused("PUT " + SCALE, "{'metadata':{'name':'other'}}"))
        .isEqualTo("the name of the object (other) does not match the name on the URL (kept)");
    String deployment = "{'kind':'Deployment','apiVersion':'apps/v1','metadata':{'name':'kept'}}";
    assertThat(calls.refused("PUT " + SCALE, deployment))
        .startsWith("Deployment in version \"v1\" cannot be handled as a Scale: ");
    String unknown = "{'metadata':{'name':'kept'},'spec':{'replica':1}}";
    assertThat(calls.refused("PUT " + SCALE + "?fieldValidation=Strict", unknown))
        .endsWith("strict decoding error: unknown field \"spec.replica\"");
    assertThat(calls.refused("PATCH " + SCALE + "?fieldValidation=Strict", unknown))
        .endsWith("strict decoding error: unknown field \"spec.replica\"");
    assertThat(calls.refused("PATCH " + SCALE, "{'spec':{'replicas':'1'}}"))
        .contains("cannot unmarshal string into Go struct field ScaleSpec.spec.replicas");
  }

  @Test
  void optionsOfDeletionsMayNameAnyVersionOfThem(@TempDir Path directory) throws Exception {
    try (TestServer server = TestServer.start(directory);
        HttpClient client = server.admin()) {
      Calls calls = new Calls(client, server);
      for (String type :
          List.of(
              "'kind':'DeleteOptions','apiVersion':'v1'",
              "'kind':'DeleteOptions','apiVersion':'meta.k8s.io/v1'",
              "'kind':'DeleteOptions','apiVersion':'apps/v1'",
              "'propagationPolicy':'Background'")) {
        calls.taken("POST " + NAMESPACE + "/configmaps", "{'metadata':{'name':'kept'}}");
        calls.taken("DELETE " + MAP, "{" + type + "}");
      }
    }
  }

  /// Requests with bodies in JSON, single quotes for double ones.
  private record Calls(HttpClient client, TestServer server) {
    String taken(String line, String body) throws Exception {
      HttpResponse<String> answer = send(line, body);
      assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 201);
      return answer.body();
    }

    String refused(String line, String body) throws Exception {
      HttpResponse<String> answer = send(line, body);
      assertThat(answer.statusCode()).as(answer.body()).isIn(400, 422);
      return JsonTrees.parseTrusted(answer.body().getBytes(StandardCharsets.UTF_8))
          .path("message")
          .asText();
    }

    private HttpResponse<String> send(String line, String body) throws Exception {
      String type = line.startsWith("PATCH") ? MERGE : "application/json";
      return Requests.with(client, server, line, type, body.replace('\'', '"'));
    }
  }
}
