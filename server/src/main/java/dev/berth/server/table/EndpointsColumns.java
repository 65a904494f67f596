package dev.berth.server.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/// The table of endpoints.
final class EndpointsColumns {
  /// Like kubectl: three addresses and the number of the others.
  private static final int SHOWN = 3;

  private EndpointsColumns() {}

  static KindColumns sheet() {
    return ColumnSheet.named()
        .text("Endpoints", "Ready addresses, the first few.", EndpointsColumns::addresses)
        .age();
  }

  /// Only ready addresses are shown.
  private static String addresses(ObjectNode endpoints) {
    JsonNode subsets = endpoints.path("subsets");
    if (subsets.isEmpty()) {
      return TableCells.NONE;
    }
    List<String> all = new ArrayList<>();
    for (JsonNode subset : subsets) {
      JsonNode addresses = subset.path("addresses");
      if (subset.path("ports").isEmpty()) {
        addresses.forEach(address -> all.add(TableCells.text(address, "ip")));
      }
      for (JsonNode port : subset.path("ports")) {
        int number = TableCells.number(port, "port");
        addresses.forEach(address -> all.add(hostPort(TableCells.text(address, "ip"), number)));
      }
    }
    return all.size() <= SHOWN
        ? String.join(",", all)
        : String.join(",", all.subList(0, SHOWN)) + " + " + (all.size() - SHOWN) + " more...";
  }

  private static String hostPort(String address, int port) {
    return (address.contains(":") ? "[" + address + "]" : address) + ":" + port;
  }
}
