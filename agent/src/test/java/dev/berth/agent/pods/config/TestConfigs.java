package dev.berth.agent.pods.config;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.agent.images.ImageDescription;
import dev.berth.agent.pods.config.linux.LinuxPlatform;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.cri.v1.ContainerConfig;
import dev.berth.cri.v1.PodSandboxConfig;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Configurations of a pod that is called `web`, by its specification.
public final class TestConfigs {
  private static final YAMLMapper YAML =
      YAMLMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
  static final NodeSettings NODE =
      new NodeSettings(
          "node-1",
          List.of("192.0.2.7"),
          Path.of("/logs"),
          Path.of("/pods"),
          new DnsSettings(List.of("10.96.0.10"), "cluster.local", Path.of("/nowhere")),
          new CgroupSettings("/kubepods", false, false),
          new ContainerCapacity(4000, 8L << 30, 0),
          new ContainerCapacity(4000, 8L << 30, 0),
          "",
          "cluster-1");
  static final LinuxPlatform LINUX = new LinuxPlatform(NODE);

  private TestConfigs() {}

  static PodSandboxConfig sandbox(String spec) {
    return new SandboxConfigs(NODE, LINUX).of(pod(spec), 0);
  }

  static ContainerConfig container(String spec) {
    return container(spec, LINUX);
  }

  static ContainerConfig container(String spec, LinuxPlatform platform) {
    Pod pod = pod(spec);
    return new ContainerConfigs(NODE, platform, new FixedReferences())
        .of(
            pod,
            new ContainerContext(
                pod.getSpec().getContainers().getFirst(),
                null,
                ImageDescription.of("sha256:1"),
                ServiceHandler.named("runc")),
            2,
            List.of("10.0.0.9"),
            List.of());
  }

  public static Pod pod(String spec) {
    try {
      return new PodBuilder()
          .withNewMetadata()
          .withName("web")
          .withNamespace("default")
          .withUid("uid-1")
          .addToLabels("app", "shop")
          .endMetadata()
          .withSpec(YAML.readValue(spec, PodSpec.class))
          .build();
    } catch (IOException e) {
      throw new IllegalArgumentException(spec, e);
    }
  }

  public static final class FixedReferences implements ReferencedObjects {
    @Override
    public Optional<ConfigMap> configMap(String namespace, String name) {
      return name.equals("words")
          ? Optional.of(new ConfigMapBuilder().addToData("word", "hello").build())
          : Optional.empty();
    }

    @Override
    public Optional<Secret> secret(String namespace, String name) {
      return name.equals("keys")
          ? Optional.of(new SecretBuilder().addToData("pass", "c2VjcmV0").build())
          : Optional.empty();
    }

    @Override
    public Optional<List<Service>> services() {
      return Optional.of(List.of());
    }
  }
}
