package dev.berth.agent.node.usage;

import dev.berth.agent.node.machine.MachineInfo.Size;
import dev.berth.agent.usage.ContainerUsage;
import dev.berth.agent.usage.MemoryDetails;
import dev.berth.agent.usage.NodeUsage;
import dev.berth.agent.usage.ResourceText;
import dev.berth.agent.usage.ResourceUsage;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The metrics of `/metrics/cadvisor` that runtimes report; dashboards rely on them.
///
/// @param size of the machine
public record ContainerMetrics(NodeUsage usage, Size size) {
  private static final String LABELS =
      "container=\"%s\",id=\"%s\",image=\"\",name=\"%s\",namespace=\"%s\",pod=\"%s\"";

  public byte[] text() {
    ResourceText text = new ResourceText(usage.time());
    use(text, usage.machine(), LABELS.formatted("", "/", "", "", ""));
    usage.byPod().values().forEach(some -> pod(text, some));
    text.add("machine_cpu_cores", "gauge", "", (double) size.cpus());
    text.add("machine_memory_bytes", "gauge", "", (double) size.memory());
    return text.end(!usage.silent().isEmpty()).getBytes(StandardCharsets.UTF_8);
  }

  private static void pod(ResourceText text, List<ContainerUsage> some) {
    ContainerUsage any = some.getFirst();
    String group = "/pod" + any.podUid();
    use(text, NodeUsage.sum(some), LABELS.formatted("", group, "", any.namespace(), any.pod()));
    for (ContainerUsage one : some) {
      String labels =
          LABELS.formatted(
              one.container(),
              group + "/" + one.container(),
              one.container(),
              one.namespace(),
              one.pod());
      use(text, one.use(), labels);
      text.start(one.madeAt(), labels);
    }
  }

  private static void use(ResourceText text, ResourceUsage use, String labels) {
    text.add(
        "container_cpu_usage_seconds_total", "counter", "cpu=\"total\"," + labels, use.cpu() / 1e9);
    text.add("container_memory_working_set_bytes", "gauge", labels, (double) use.memory());
    MemoryDetails details = use.details();
    if (details.isKnown()) {
      text.add("container_memory_usage_bytes", "gauge", labels, (double) details.usage());
      text.add("container_memory_rss", "gauge", labels, (double) details.resident());
    }
  }
}
