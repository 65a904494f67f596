package dev.berth.launch.agent;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.node.NodeOptions;
import dev.berth.agent.pods.PodSettings;
import java.nio.charset.StandardCharsets;

/// The settings of a node in the fields of the kubelet's configuration, for its `/configz`. Clients
/// such as conformance tests read them there.
record EffectiveSettings(AgentConfig config, NodeOptions options) {
  byte[] json() {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    ObjectNode settings = all.putObject("kubeletconfig");
    settings.put("kind", "KubeletConfiguration");
    settings.put("apiVersion", "kubelet.config.k8s.io/v1beta1");
    settings.put("address", options.addresses().getFirst().getHostAddress());
    settings.put("port", config.port());
    settings.put("maxPods", options.maxPods());
    settings.put("nodeStatusUpdateFrequency", "10s").put("nodeStatusReportFrequency", "5m0s");
    settings.put("nodeLeaseDurationSeconds", 40);
    settings.put("streamingConnectionIdleTimeout", "4h0m0s");
    PodSettings rules = config.traits().pods();
    rules.manifests().ifPresent(directory -> settings.put("staticPodPath", directory.toString()));
    settings.put("cgroupsPerQOS", rules.groups().wanted());
    settings.put("cgroupRoot", rules.groups().root());
    settings.put("cgroupDriver", rules.groups().systemd() ? "systemd" : "cgroupfs");
    ObjectNode reserved = settings.putObject("kubeReserved");
    options.reserved().forEach((name, amount) -> reserved.put(name, amount.toString()));
    ArrayNode taints = settings.putArray("registerWithTaints");
    options
        .taints()
        .forEach(
            taint ->
                taints
                    .addObject()
                    .put("key", taint.key())
                    .put("value", taint.value())
                    .put("effect", taint.effect()));
    return all.toString().getBytes(StandardCharsets.UTF_8);
  }
}
