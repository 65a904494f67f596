package dev.berth.controllers.namespaces;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.Informer;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectMetadata;
import dev.berth.client.ResourceClient;
import dev.berth.client.ResourceType;
import dev.berth.controllers.loops.ControllerContext;
import dev.berth.controllers.loops.ControllerLoop;

/// Keeps the service account `default` in every active namespace; pods use it unless they name
/// another one.
public final class DefaultServiceAccounts {
  private static final String NAME = "default";

  private final ResourceClient<ObjectNode> accounts;
  private final Informer<ObjectMetadata> known;

  private DefaultServiceAccounts(
      ResourceClient<ObjectNode> accounts, Informer<ObjectMetadata> known) {
    this.accounts = accounts;
    this.known = known;
  }

  public static ControllerLoop start(
      ControllerContext context, Informer<ObjectMetadata> namespaces) {
    Informer<ObjectMetadata> known =
        context.informer(
            context.client().metadata(ResourceType.SERVICE_ACCOUNTS), ListQuery.named(NAME));
    DefaultServiceAccounts rule =
        new DefaultServiceAccounts(context.client().json(ResourceType.SERVICE_ACCOUNTS), known);
    return new PerNamespace<>(
        "default-service-accounts",
        context,
        namespaces,
        known,
        account -> account.key().namespace(),
        rule::ensure);
  }

  private void ensure(String namespace) {
    // Only the existence is kept: annotations and pull secrets of the account belong to users.
    if (known.get(new ObjectKey(namespace, NAME)).isEmpty()) {
      ObjectNode account = JsonNodeFactory.instance.objectNode();
      account.put("apiVersion", "v1").put("kind", "ServiceAccount");
      account.putObject("metadata").put("namespace", namespace).put("name", NAME);
      accounts.create(account);
    }
  }
}
