package dev.berth.controllers.namespaces;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.Informer;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectMetadata;
import dev.berth.client.ResourceType;
import dev.berth.client.Resources;
import dev.berth.controllers.loops.Loop;
import dev.berth.controllers.loops.Surroundings;

/// Gives every living namespace its service account `default`, which pods use unless they name
/// another.
public final class DefaultServiceAccounts {
  private static final String NAME = "default";

  private final Resources<ObjectNode> accounts;
  private final Informer<ObjectMetadata> known;

  private DefaultServiceAccounts(Resources<ObjectNode> accounts, Informer<ObjectMetadata> known) {
    this.accounts = accounts;
    this.known = known;
  }

  public static Loop start(Surroundings surroundings, Informer<ObjectMetadata> namespaces) {
    Informer<ObjectMetadata> known =
        surroundings.informer(
            surroundings.client().metadata(ResourceType.SERVICE_ACCOUNTS), ListQuery.named(NAME));
    DefaultServiceAccounts rule =
        new DefaultServiceAccounts(
            surroundings.client().json(ResourceType.SERVICE_ACCOUNTS), known);
    return new PerNamespace<>(
        "default-service-accounts",
        surroundings,
        namespaces,
        known,
        account -> account.key().namespace(),
        rule::ensure);
  }

  private void ensure(String namespace) {
    if (known.get(new ObjectKey(namespace, NAME)).isEmpty()) {
      ObjectNode account = JsonNodeFactory.instance.objectNode();
      account.put("apiVersion", "v1").put("kind", "ServiceAccount");
      account.putObject("metadata").put("namespace", namespace).put("name", NAME);
      accounts.create(account);
    }
  }
}
