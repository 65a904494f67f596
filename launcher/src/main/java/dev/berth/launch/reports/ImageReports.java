package dev.berth.launch.reports;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Problem;
import dev.berth.client.ClientException;
import dev.berth.client.ListQuery;
import dev.berth.client.ResourceType;
import dev.berth.launch.connection.ServerConnection;
import dev.berth.launch.process.LaunchException;
import dev.berth.registry.ImageReference;
import dev.berth.registry.ImageRequest;
import dev.berth.registry.PlatformListing;
import dev.berth.registry.RegistryClient;
import dev.berth.registry.RegistryException;
import dev.berth.registry.RegistrySettings;
import dev.berth.registry.credentials.DockerConfig;
import dev.berth.registry.credentials.RegistryCredentials;
import dev.berth.registry.placement.CandidateClass;
import dev.berth.registry.placement.ImageRemedy;
import dev.berth.registry.placement.NodePlatforms;
import dev.berth.registry.placement.PlatformOffers;
import dev.berth.registry.platforms.ImageIndex;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.IndexEntry;
import dev.berth.registry.platforms.PlatformMatcher;
import dev.berth.registry.platforms.PlatformMismatch;
import dev.berth.registry.platforms.TargetPlatform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reports about the entries of images, and which handlers of a cluster can run them. The registry
/// is asked from this machine, so that the result may differ from a node's behind another proxy or
/// mirror.
public final class ImageReports {
  /// Time limit of the lookup in the registry.
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static final List<String> FIT_COLUMNS =
      List.of("NODE", "HANDLER", "CLASSES", "FITS", "ENTRY", "REASON", "DIGEST");

  private ImageReports() {}

  /// An entry of an image.
  ///
  /// @param size in bytes of the manifest; 0 when the index does not say
  record EntryReport(String platform, String digest, long size) {}

  /// What a handler of a node does with an image.
  ///
  /// @param handler empty for pods without a class
  /// @param entry the platform of the entry that the handler gets; empty when there is none
  record HandlerFit(
      String node,
      String handler,
      List<String> classes,
      boolean fits,
      String entry,
      String digest,
      String reason) {}

  /// The entries of an image, with the credentials of the user's Docker configuration.
  ///
  /// @throws LaunchException when the image cannot be looked up
  public static CommandReport platforms(RegistrySettings registries, String image) {
    PlatformListing listing = lookUp(registries, reference(image));
    List<EntryReport> entries =
        listing.index().manifests().stream()
            .map(entry -> new EntryReport(platform(entry), entry.digest(), entry.size()))
            .toList();
    return new CommandReport(
        "",
        List.of("PLATFORM", "DIGEST", "SIZE"),
        3,
        entries.stream()
            .map(one -> List.of(one.platform(), one.digest(), Long.toString(one.size())))
            .toList(),
        CommandReport.tree(Map.of("image", image, "digest", listing.digest(), "entries", entries)));
  }

  /// What each handler of each node does with an image.
  ///
  /// @throws LaunchException when the image or the cluster cannot be read
  public static CommandReport fit(Path kubeconfig, RegistrySettings registries, String image) {
    ImageReference reference = reference(image);
    List<ObjectNode> nodes;
    List<CandidateClass> classes = new ArrayList<>();
    try (ServerConnection connection = ServerConnection.open(kubeconfig, "berth-cli")) {
      try {
        nodes = connection.client().json(ResourceType.NODES).list(ListQuery.ALL);
        for (ObjectNode one :
            connection.client().json(ResourceType.RUNTIME_CLASSES).list(ListQuery.ALL)) {
          classes.add(CandidateClass.parse(one));
        }
      } catch (ClientException e) {
        throw connection.refusal("cannot read the cluster at " + connection.server(), e);
      }
    }
    List<NodePlatforms> platforms = nodes.stream().map(NodePlatforms::parse).toList();
    List<HandlerFit> fits =
        fits(reference.familiar(), lookUp(registries, reference).index(), platforms, classes);
    return new CommandReport(
        "",
        FIT_COLUMNS,
        6,
        fits.stream().map(ImageReports::row).toList(),
        CommandReport.tree(Map.of("image", image, "handlers", fits)));
  }

  /// The results by node and handler; a pure function.
  ///
  /// @param classes all classes of the cluster
  static List<HandlerFit> fits(
      String image, ImageIndex index, List<NodePlatforms> nodes, List<CandidateClass> classes) {
    List<HandlerFit> fits = new ArrayList<>();
    List<CandidateClass> byName =
        classes.stream().sorted(Comparator.comparing(CandidateClass::name)).toList();
    PlatformOffers offers = PlatformOffers.of(nodes, byName);
    for (NodePlatforms node :
        nodes.stream().sorted(Comparator.comparing(NodePlatforms::node)).toList()) {
      for (String handler : node.handlers().keySet().stream().sorted().toList()) {
        List<String> names =
            byName.stream()
                .filter(one -> !handler.isEmpty() && one.handler().equals(handler))
                .map(CandidateClass::name)
                .toList();
        fits.add(fit(image, index, node, handler, names, offers));
      }
    }
    return fits;
  }

  private static HandlerFit fit(
      String image,
      ImageIndex index,
      NodePlatforms node,
      String handler,
      List<String> classes,
      PlatformOffers offers) {
    List<TargetPlatform> targets = node.targets(handler);
    if (targets.isEmpty()) {
      return new HandlerFit(
          node.node(), handler, classes, false, "", "", "the node does not report its platform");
    }
    Optional<IndexEntry> chosen = Optional.empty();
    // Several runtime services of a node may offer the handler; the image must fit with each of
    // them.
    for (TargetPlatform target : targets) {
      chosen = PlatformMatcher.choose(index, target);
      if (chosen.isEmpty()) {
        PlatformMismatch mismatch = PlatformMismatch.of(image, List.of(target), index);
        String reason = mismatch.message(new ImageRemedy(mismatch.platforms()).ofAll(offers));
        return new HandlerFit(node.node(), handler, classes, false, "", "", reason);
      }
    }
    IndexEntry entry = chosen.orElseThrow();
    return new HandlerFit(node.node(), handler, classes, true, platform(entry), entry.digest(), "");
  }

  private static List<String> row(HandlerFit fit) {
    return List.of(
        fit.node(),
        fit.handler().isEmpty() ? "(default)" : fit.handler(),
        text(String.join(",", fit.classes())),
        fit.fits() ? "yes" : "no",
        text(fit.entry()),
        text(fit.reason()),
        text(fit.digest()));
  }

  private static String text(String value) {
    return value.isEmpty() ? "-" : value;
  }

  private static String platform(IndexEntry entry) {
    return entry.platformIfKnown().map(ImagePlatform::toString).orElse("unknown");
  }

  private static ImageReference reference(String image) {
    return ImageReference.parse(image)
        .orElseThrow(
            () ->
                new LaunchException(
                    new Problem(
                        "image %s cannot be looked up".formatted(image),
                        ImageReference.complaint(image),
                        "Write it as in a pod, such as nginx:1.27 or registry.example.com/web:1")));
  }

  private static PlatformListing lookUp(RegistrySettings registries, ImageReference image) {
    try (RegistryClient client = new RegistryClient(registries)) {
      return client.platforms(new ImageRequest(image, credentials(image), LIMIT));
    } catch (RegistryException e) {
      throw new LaunchException(e.problem(), e);
    }
  }

  /// The credentials in the file that `docker login` writes; none without such a file.
  private static List<RegistryCredentials> credentials(ImageReference image) {
    String directory = System.getenv("DOCKER_CONFIG");
    Path file =
        directory == null || directory.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".docker", "config.json")
            : Path.of(directory, "config.json");
    try {
      return DockerConfig.parse(Files.readString(file))
          .map(config -> config.lookup(image.repository()))
          .orElse(List.of());
    } catch (IOException _) {
      return List.of();
    }
  }
}
