package dev.berth.bench.images;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.registry.placement.ClusterPlatforms;
import dev.berth.registry.placement.NodePlatforms;
import dev.berth.registry.platforms.ImageIndex;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.admission.images.ImageLookups;
import dev.berth.server.admission.images.ImageSteering;
import dev.berth.server.admission.images.SteeringMode;
import dev.berth.server.admission.images.SteeringSettings;
import dev.berth.server.admission.runtimeclass.RuntimeCatalog;
import dev.berth.server.admission.runtimeclass.RuntimeClassPolicy;
import dev.berth.server.auth.ObjectReader;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.catalog.KindOptions;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.schema.ObjectSchema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Measures what steering adds to the creation of a pod when the images are known: the plugin of
/// admission alone, on nodes of six platforms.
final class SteeringBench {
  // A new pod for each call, because the plugin changes it.
  private static final int PODS = 2_000;
  private static final int BLOCKS = 15;
  // Six groups: the cost grows with their number, which is that of a large mixed cluster.
  private static final List<String> PLATFORMS =
      List.of(
          "linux amd64",
          "linux arm64",
          "linux s390x",
          "windows amd64 10.0.17763",
          "windows amd64 10.0.20348",
          "windows amd64 10.0.26100");
  private static final ResourceKind POD_KIND =
      ServedKinds.standard(ObjectSchema.load(), KindOptions.STANDARD).bucket("pods").orElseThrow();
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final ImageIndex index;

  /// @param index of the image that all pods have
  SteeringBench(ImageIndex index) {
    this.index = index;
  }

  /// Median microseconds of the plugin for one pod.
  double micros(int nodes, SteeringMode mode) {
    try (ImageLookups lookups =
        // The registry is a function here: the first pod fills the cache, and the others measure
        // admission.
        new ImageLookups(_ -> index, SteeringSettings.USUAL_LIMIT, System::nanoTime, () -> {})) {
      ImageSteering steering =
          new ImageSteering(
              new NamespaceOnly(),
              new FixedCatalog(nodes),
              new SteeringSettings(mode, Duration.ofSeconds(10), true),
              lookups);
      double[] blocks = new double[BLOCKS];
      for (int block = 0; block < BLOCKS; block++) {
        // Built before the clock starts, and again for each block: a block would otherwise meet
        // pods that are narrowed already.
        List<AdmissionAttributes> pods = new ArrayList<>();
        for (int i = 0; i < PODS; i++) {
          pods.add(pod(i));
        }
        long start = System.nanoTime();
        pods.forEach(steering::mutate);
        blocks[block] = (System.nanoTime() - start) / 1e3 / PODS;
        ObjectNode last = Objects.requireNonNull(pods.getLast().object());
        boolean isNarrowed = last.path("spec").has("nodeSelector");
        if (isNarrowed == (mode == SteeringMode.OFF)) {
          throw new IllegalStateException(
              "the pod is not what mode %s makes of it".formatted(mode));
        }
      }
      return ImageBench.median(blocks);
    }
  }

  private static AdmissionAttributes pod(int number) {
    ObjectNode pod = JSON.objectNode();
    pod.putObject("metadata").put("name", "p" + number);
    pod.putObject("spec")
        .putArray("containers")
        .addObject()
        .put("name", "main")
        .put("image", "registry.example.com/web:1");
    return new AdmissionAttributes(
        Operation.CREATE,
        POD_KIND,
        "",
        "bench",
        "p" + number,
        pod,
        null,
        UserInfo.of("bench"),
        false,
        _ -> {},
        (_, _) -> {});
  }

  /// Nodes with labels of their own, as nodes of a cloud have them.
  private static final class FixedCatalog implements RuntimeCatalog {
    private final ClusterPlatforms platforms;

    FixedCatalog(int count) {
      List<NodePlatforms> nodes = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        String[] words = PLATFORMS.get(i % PLATFORMS.size()).split(" ", 3);
        ObjectNode node = JSON.objectNode();
        ObjectNode metadata = node.putObject("metadata").put("name", "n" + i);
        ObjectNode labels =
            metadata
                .putObject("labels")
                .put("kubernetes.io/hostname", "n" + i)
                .put("example.com/instance", "i-" + i)
                .put("kubernetes.io/os", words[0])
                .put("kubernetes.io/arch", words[1]);
        if (words.length == 3) {
          labels.put("node.kubernetes.io/windows-build", words[2]);
        }
        nodes.add(NodePlatforms.parse(node));
      }
      platforms = new ClusterPlatforms(nodes);
    }

    @Override
    public List<RuntimeClassPolicy> classes() {
      return List.of();
    }

    @Override
    public int nodesOffering(String handler) {
      return 0;
    }

    @Override
    public Set<String> features(String handler) {
      return Set.of();
    }

    @Override
    public ClusterPlatforms platforms() {
      return platforms;
    }
  }

  /// A namespace without labels, and nothing else.
  private static final class NamespaceOnly implements ObjectReader {
    private final ObjectNode namespace = JSON.objectNode();

    @Override
    public @Nullable ObjectNode read(String bucket, String inNamespace, String name) {
      return bucket.equals("namespaces") ? namespace : null;
    }

    @Override
    public List<ObjectNode> all(String bucket) {
      return List.of();
    }

    @Override
    public List<ObjectNode> in(String bucket, String inNamespace) {
      return List.of();
    }

    @Override
    public int visit(String bucket, String inNamespace, Predicate<ObjectNode> visitor) {
      return 0;
    }
  }
}
