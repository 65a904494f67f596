package dev.berth.launch.containerd;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ServicePlanTest {
  private static final Path RUNC = Path.of("/usr/sbin/runc");
  private static final Path CRUN = Path.of("/usr/bin/crun");

  @Test
  void oneContainerdOffersAllHandlersAndRuncByDefault() {
    assertThat(ServicePlan.of(both(), host("")))
        .containsExactly(new ServicePlan("containerd", both(), ""))
        .allMatch(plan -> plan.defaultHandler().equals("runc"));
  }

  @Test
  void crunGetsItsOwnWhereBothVersionsOfControlGroupsAreMounted() {
    assertThat(ServicePlan.of(both(), host("/c/unified")))
        .containsExactly(
            new ServicePlan("containerd", Map.of("runc", RUNC), ""),
            new ServicePlan("containerd-crun", Map.of("crun", CRUN), "/c/unified"));
  }

  @Test
  void crunAloneIsEnough() {
    assertThat(ServicePlan.of(Map.of("crun", CRUN), host("/c/unified")))
        .containsExactly(new ServicePlan("containerd-crun", Map.of("crun", CRUN), "/c/unified"));
  }

  private static Map<String, Path> both() {
    Map<String, Path> handlers = new LinkedHashMap<>();
    handlers.put("runc", RUNC);
    handlers.put("crun", CRUN);
    return handlers;
  }

  private static HostInfo host(String unifiedMount) {
    return new HostInfo(true, true, unifiedMount, true);
  }
}
