package dev.berth.server.kinds.strategies;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.kinds.KindStrategy;
import java.util.List;

/// Drops the fields of coordinated leader election, which Berth does not implement.
public final class LeaseStrategy implements KindStrategy {
  private static final List<String> UNUSED = List.of("strategy", "preferredHolder");

  @Override
  public void prepareCreate(ObjectNode lease) {
    lease.withObjectProperty("spec").remove(UNUSED);
  }

  @Override
  public void prepareUpdate(ObjectNode lease, ObjectNode old) {
    prepareCreate(lease);
  }
}
