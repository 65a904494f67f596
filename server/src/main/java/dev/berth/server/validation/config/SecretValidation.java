package dev.berth.server.validation.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonSyntaxException;
import dev.berth.server.json.JsonTrees;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.KindValidator;
import dev.berth.server.validation.fields.CommonChecks;
import java.util.Base64;

/// The rules of Secret; some types need certain keys.
///
/// Messages never contain a part of a Secret.
public final class SecretValidation implements KindValidator {
  private static final FieldPath DATA = FieldPath.of("data");
  // Without it the token controller does not know whose token to write.
  private static final String SERVICE_ACCOUNT_NAME = "kubernetes.io/service-account.name";

  @Override
  public void onCreate(ObjectNode secret, FieldErrors errors) {
    JsonNode data = secret.path("data");
    if (ConfigMapValidation.checkBinary(data, DATA, errors) > ConfigMapValidation.MAX_SIZE) {
      errors.tooLong(DATA, ConfigMapValidation.MAX_SIZE);
    }
    switch (secret.path("type").asText()) {
      case "kubernetes.io/service-account-token" -> checkServiceAccount(secret, errors);
      case "kubernetes.io/dockercfg" -> checkJson(data, ".dockercfg", errors);
      case "kubernetes.io/dockerconfigjson" -> checkJson(data, ".dockerconfigjson", errors);
      // One of both is enough for upstream, although it reports both as missing.
      case "kubernetes.io/basic-auth" -> {
        if (!data.has("username") && !data.has("password")) {
          require(data, errors, "username", "password");
        }
      }
      case "kubernetes.io/ssh-auth" -> {
        if (data.path("ssh-privatekey").asText().isEmpty()) {
          errors.required(DATA.key("ssh-privatekey"), "");
        }
      }
      case "kubernetes.io/tls" -> require(data, errors, "tls.crt", "tls.key");
      default -> {}
    }
  }

  private static void checkServiceAccount(ObjectNode secret, FieldErrors errors) {
    JsonNode annotations = secret.path("metadata").path("annotations");
    if (annotations.path(SERVICE_ACCOUNT_NAME).asText().isEmpty()) {
      errors.required(FieldPath.of("metadata").child("annotations").key(SERVICE_ACCOUNT_NAME), "");
    }
  }

  private static void require(JsonNode data, FieldErrors errors, String... keys) {
    for (String key : keys) {
      if (!data.has(key)) {
        errors.required(DATA.key(key), "");
      }
    }
  }

  private static void checkJson(JsonNode data, String key, FieldErrors errors) {
    if (!data.has(key)) {
      errors.required(DATA.key(key), "");
      return;
    }
    // The parse stops at the first error; the content itself must never reach a message or a log.
    String problem = jsonProblem(Base64.getDecoder().decode(data.path(key).asText()));
    if (!problem.isEmpty()) {
      errors.invalid(DATA.key(key), "<secret contents redacted>", problem);
    }
  }

  private static String jsonProblem(byte[] content) {
    try {
      return JsonTrees.parse(content).tree().isObject()
          ? ""
          : "json: cannot unmarshal into Go value of type map[string]interface {}";
    } catch (JsonSyntaxException e) {
      // The parser quotes what it found, which is part of the secret.
      return content.length == 0 ? "unexpected end of JSON input" : "invalid JSON";
    }
  }

  @Override
  public void onUpdate(ObjectNode secret, ObjectNode old, FieldErrors errors) {
    CommonChecks.immutable(secret.path("type"), old.path("type"), FieldPath.of("type"), errors);
    ConfigMapValidation.checkFrozen(secret, old, errors, "data");
    onCreate(secret, errors);
  }
}
