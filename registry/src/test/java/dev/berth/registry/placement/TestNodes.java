package dev.berth.registry.placement;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.registry.platforms.ImageIndex;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.IndexEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// Nodes and images in short words.
final class TestNodes {
  private static final JsonMapper MAPPER = new JsonMapper();

  private TestNodes() {}

  /// JSON with single quotes.
  static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  /// @param platform such as `windows/amd64 10.0.17763`
  /// @param service the annotation's text for one service, with single quotes; may be empty
  static NodePlatforms node(String name, String platform, String service) {
    ImagePlatform host = ImagePlatform.parseWithVersion(platform).orElseThrow();
    JsonNode node =
        json(
            "{'metadata':{'name':'%s','labels':{'kubernetes.io/hostname':'%s','kubernetes.io/os':'%s','kubernetes.io/arch':'%s'%s}}}"
                .formatted(
                    name,
                    name,
                    host.os(),
                    host.architecture(),
                    host.osVersion().isEmpty()
                        ? ""
                        : ",'node.kubernetes.io/windows-build':'" + host.osVersion() + "'"));
    if (!service.isEmpty()) {
      node.withObject("/metadata")
          .putObject("annotations")
          .put(
              NodePlatforms.SERVICES_ANNOTATION,
              json("{'main':{'workloadType':'container','default':true," + service + "}}")
                  .toString());
    }
    return NodePlatforms.parse(node);
  }

  static ImageEntries image(String name, String... platforms) {
    List<IndexEntry> entries = new ArrayList<>();
    for (String platform : platforms) {
      entries.add(
          new IndexEntry(
              "sha256:" + entries.size(),
              "application/vnd.oci.image.manifest.v1+json",
              1000,
              ImagePlatform.parseWithVersion(platform).orElseThrow(),
              Map.of()));
    }
    return new ImageEntries(name, new ImageIndex(entries));
  }

  /// For a pod whose rules may distinguish any two nodes.
  static PlacementRequest request(
      List<ImageEntries> images,
      List<NodePlatforms> nodes,
      Predicate<NodePlatforms> allowed,
      Predicate<NodePlatforms> preferred,
      List<CandidateClass> classes) {
    return new PlacementRequest(
        "",
        images,
        new ClusterPlatforms(nodes),
        new NodeRules(allowed, preferred, Optional.empty()),
        () -> classes);
  }

  static CandidateClass ofHandler(String name) {
    return new CandidateClass(name, name, Map.of());
  }
}
