package dev.berth.server.kinds.strategies;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.kinds.KindStrategy;
import java.util.List;

/// Reduces references to secrets to their names.
public final class ServiceAccountStrategy implements KindStrategy {
  @Override
  public void prepareCreate(ObjectNode account) {
    for (JsonNode secret : account.path("secrets")) {
      if (secret instanceof ObjectNode reference) {
        reference.retain(List.of("name"));
      }
    }
  }

  @Override
  public void prepareUpdate(ObjectNode account, ObjectNode old) {
    prepareCreate(account);
  }
}
