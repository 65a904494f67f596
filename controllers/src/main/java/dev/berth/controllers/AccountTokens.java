package dev.berth.controllers;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiRequest;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Informer;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectMetadata;
import dev.berth.client.ReconcileLoop;
import dev.berth.client.ReconcileLoop.Outcome;
import dev.berth.client.ReconcileLoop.Readiness;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import dev.berth.client.WorkQueue;
import dev.berth.controllers.loops.ControllerContext;
import dev.berth.controllers.loops.ControllerLoop;
import java.util.Base64;
import java.util.Optional;

/// Fills Secrets of type `kubernetes.io/service-account-token` with a token of their account that
/// is valid as long as the Secret exists, and removes Secrets whose account is gone.
///
/// New clusters use projected tokens instead, which expire; these Secrets remain for programs
/// outside of pods. The server makes the token, because only the server has the key.
final class AccountTokens implements ControllerLoop {
  private static final String TYPE = "kubernetes.io/service-account-token";
  private static final String NAME = "kubernetes.io/service-account.name";
  private static final String UID = "kubernetes.io/service-account.uid";
  private static final String JSON = "application/json";

  /// The longest lifetime that the server grants, in seconds: upstream's tokens in Secrets do not
  /// expire.
  private static final long LIFETIME = 1L << 32;

  private final ApiClient client;
  private final String authority;
  private final ResourceClient<ObjectNode> secrets;
  private final ResourceClient<ObjectMetadata> accounts;
  private final Informer<ObjectNode> known;
  private final Informer<ObjectMetadata> knownAccounts;
  private final ReconcileLoop<ObjectKey> loop;

  /// @param authority the certificate authority of the API server, in PEM
  AccountTokens(ControllerContext context, String authority) {
    this.client = context.client();
    this.authority = encoded(authority);
    this.secrets = client.json(ResourceType.SECRETS);
    this.accounts = client.metadata(ResourceType.SERVICE_ACCOUNTS);
    // The field selector keeps other Secrets out of this process: a cluster may have thousands of
    // them.
    this.known = context.informer(secrets, ListQuery.ALL.withFieldSelector("type=" + TYPE));
    this.knownAccounts = context.informer(accounts, ListQuery.ALL);
    WorkQueue<ObjectKey> queue = context.queue();
    known.addHandler(change -> queue.add(secrets.codec().key(change.latest())));
    // Such Secrets are few: every change of an account checks all of them.
    knownAccounts.addHandler(
        _ -> known.list().forEach(secret -> queue.add(secrets.codec().key(secret))));
    this.loop =
        ReconcileLoop.start(
            "account-tokens", queue, 1, Readiness.of(known, knownAccounts), this::fill);
  }

  /// Fills or removes one Secret. An immutable Secret cannot be filled and is left alone.
  private Outcome fill(ObjectKey key) {
    Optional<ObjectNode> found = known.get(key);
    if (found.isEmpty()
        || found.get().at("/metadata").has("deletionTimestamp")
        || found.get().path("immutable").asBoolean()) {
      return ReconcileLoop.SETTLED;
    }
    ObjectNode secret = found.get();
    JsonNode annotations = secret.path("metadata").path("annotations");
    ObjectKey account = new ObjectKey(key.namespace(), annotations.path(NAME).asText());
    // The cache may not have a new account yet, so the server is asked.
    Optional<ObjectMetadata> owner = accounts.find(account);
    String noted = annotations.path(UID).asText();
    // Another UID means another account under the old name, which must not get this Secret.
    if (owner.isEmpty() || !(noted.isEmpty() || noted.equals(owner.get().uid()))) {
      secrets.delete(key, DeleteOptions.ofUid(secret.at("/metadata/uid").asText()));
    } else if (!isFilled(secret, owner.get().uid())) {
      // The update carries the revision of the cache, so that a concurrent change is a conflict and
      // the pass is repeated on the new Secret; the unused token does no harm, because nobody has
      // seen it.
      secrets.update(filled(secret, key, owner.get()));
    }
    return ReconcileLoop.SETTLED;
  }

  private boolean isFilled(ObjectNode secret, String uid) {
    JsonNode data = secret.path("data");
    return !data.path("token").asText().isEmpty()
        && data.path("ca.crt").asText().equals(authority)
        && data.has("namespace")
        && secret.path("metadata").path("annotations").path(UID).asText().equals(uid);
  }

  private ObjectNode filled(ObjectNode secret, ObjectKey key, ObjectMetadata owner) {
    ObjectNode next = secret.deepCopy();
    next.withObject("/metadata/annotations").put(UID, owner.uid());
    ObjectNode data = next.withObjectProperty("data");
    // A token that is there is never replaced: programs outside of the cluster may hold a copy.
    if (data.path("token").asText().isEmpty()) {
      data.put("token", encoded(token(secret, owner.key())));
    }
    data.put("ca.crt", authority).put("namespace", encoded(key.namespace()));
    return next;
  }

  private String token(ObjectNode secret, ObjectKey account) {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    request.put("apiVersion", "authentication.k8s.io/v1").put("kind", "TokenRequest");
    request
        .putObject("spec")
        .put("expirationSeconds", LIFETIME)
        .putObject("boundObjectRef")
        .put("apiVersion", "v1")
        .put("kind", "Secret")
        .put("name", secret.at("/metadata/name").asText())
        .put("uid", secret.at("/metadata/uid").asText());
    String path = ResourceType.SERVICE_ACCOUNTS.path(account) + "/token";
    return client
        .exchange(ApiRequest.of("POST", path, JSON, JSON, request.toString().getBytes(UTF_8)))
        .at("/status/token")
        .asText();
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  @Override
  public ReconcileLoop<?> workers() {
    return loop;
  }

  @Override
  public void close() {
    loop.close();
    known.close();
    knownAccounts.close();
  }
}
