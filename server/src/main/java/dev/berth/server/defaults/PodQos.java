package dev.berth.server.defaults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Quantity;
import java.math.BigDecimal;

/// The quality of service that a pod's requests and limits of CPU and memory amount to.
public final class PodQos {
  private static final int CPU = 0;
  private static final int MEMORY = 1;

  private final BigDecimal[] requests = {BigDecimal.ZERO, BigDecimal.ZERO};
  private final BigDecimal[] limits = {BigDecimal.ZERO, BigDecimal.ZERO};
  private boolean limited = true;

  private PodQos() {}

  /// `Guaranteed`, `Burstable` or `BestEffort`.
  public static String of(ObjectNode spec) {
    PodQos sum = new PodQos();
    if (spec.get("resources") instanceof ObjectNode) {
      // Those of the pod as a whole count instead (KEP-2837).
      sum.add(spec);
    } else {
      PodTree.each(spec, "containers", sum::add);
      PodTree.each(spec, "initContainers", sum::add);
      PodTree.object(spec, "virtualMachine", sum::add);
    }
    return sum.qos();
  }

  private void add(ObjectNode container) {
    JsonNode resources = container.path("resources");
    add(requests, resources.path("requests"));
    boolean both = add(limits, resources.path("limits"));
    limited = limited && both;
  }

  /// Adds up and tells whether both amounts were there.
  private static boolean add(BigDecimal[] sums, JsonNode amounts) {
    BigDecimal cpu = amount(amounts, "cpu");
    BigDecimal memory = amount(amounts, "memory");
    sums[CPU] = sums[CPU].add(cpu);
    sums[MEMORY] = sums[MEMORY].add(memory);
    return cpu.signum() > 0 && memory.signum() > 0;
  }

  private static BigDecimal amount(JsonNode amounts, String resource) {
    String text = PodTree.text(amounts, resource);
    return text.isEmpty()
        ? BigDecimal.ZERO
        : Quantity.parse(text)
            .map(Quantity::amount)
            .filter(amount -> amount.signum() > 0)
            .orElse(BigDecimal.ZERO);
  }

  private String qos() {
    if (isZero(requests) && isZero(limits)) {
      return "BestEffort";
    }
    boolean equal =
        requests[CPU].compareTo(limits[CPU]) == 0
            && requests[MEMORY].compareTo(limits[MEMORY]) == 0;
    return limited && equal ? "Guaranteed" : "Burstable";
  }

  private static boolean isZero(BigDecimal[] sums) {
    return sums[CPU].signum() == 0 && sums[MEMORY].signum() == 0;
  }
}
