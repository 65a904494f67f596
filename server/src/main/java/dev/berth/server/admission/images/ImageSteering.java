package dev.berth.server.admission.images;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.RequiredNodeAffinity;
import dev.berth.api.Toleration;
import dev.berth.api.pods.PodPlatform;
import dev.berth.api.pods.PodPlatform.Isolation;
import dev.berth.api.pods.PodRuntime;
import dev.berth.api.pods.PodSource;
import dev.berth.api.pods.WorkloadType;
import dev.berth.registry.placement.CandidateClass;
import dev.berth.registry.placement.ImageEntries;
import dev.berth.registry.placement.ImagePlacement;
import dev.berth.registry.placement.NodePlatforms;
import dev.berth.registry.placement.NodeRules;
import dev.berth.registry.placement.PlacementDecision;
import dev.berth.registry.placement.PlacementRequest;
import dev.berth.registry.placement.PodImagePlatforms;
import dev.berth.registry.platforms.ImageIndex;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.admission.AdmissionPlugin;
import dev.berth.server.admission.NamespaceLabels;
import dev.berth.server.admission.runtimeclass.RuntimeCatalog;
import dev.berth.server.admission.runtimeclass.RuntimeClassPolicy;
import dev.berth.server.auth.ObjectReader;
import dev.berth.server.errors.ApiException;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Narrows the node selector of a new pod to nodes that run its images, chooses the RuntimeClass
/// whose handler does, or refuses a pod that no node could run.
///
/// It concerns pods in namespaces that opt in. Something is chosen for new pods without a
/// RuntimeClass and a selector for platforms. Pods that name their node are refused when it does
/// not run their images. An annotation gives the scheduler the platforms of the images, for other
/// pods with a class or a selector as well, and follows a change of the images. The plugin belongs
/// behind the plugins that choose a class, and before the one that applies it.
public final class ImageSteering implements AdmissionPlugin {
  /// Label of a namespace; its value is a SteeringMode.
  public static final String LABEL = "images.berth.dev/steering";

  /// Annotation of a pod that was steered: the selector or the class that it got.
  public static final String STEERED = "images.berth.dev/steered";

  private static final List<String> PLATFORM_LABELS =
      List.of(PodPlatform.OS_LABEL, PodPlatform.ARCHITECTURE_LABEL, PodPlatform.BUILD_LABEL);

  static final String CLASSES = "runtimeclasses.node.k8s.io";

  private final ObjectReader objects;
  private final RuntimeCatalog catalog;
  private final SteeringSettings settings;
  private final ImageLookups lookups;
  private final PodImages images;

  public ImageSteering(
      ObjectReader objects,
      RuntimeCatalog catalog,
      SteeringSettings settings,
      ImageLookups lookups) {
    this.objects = objects;
    this.catalog = catalog;
    this.settings = settings;
    this.lookups = lookups;
    this.images = new PodImages(objects);
  }

  @Override
  public void mutate(AdmissionAttributes attributes) {
    ObjectNode pod = attributes.whole("", "pods");
    boolean isNew = attributes.operation() == Operation.CREATE;
    if (pod == null
        || !(pod.path("spec") instanceof ObjectNode spec)
        || !(isNew || PodImages.differ(attributes.old(), pod))) {
      return;
    }
    Map<String, String> labels =
        NamespaceLabels.of(objects.read("namespaces", "", attributes.namespace()));
    SteeringMode mode = SteeringMode.of(labels.getOrDefault(LABEL, "")).orElse(settings.mode());
    PodRuntime runtime = PodRuntime.of(pod);
    if (mode == SteeringMode.OFF
        || runtime.workloadType() != WorkloadType.CONTAINER
        || PodSource.isMirror(pod)) {
      return;
    }
    List<ImageEntries> entries = lookUp(attributes, spec);
    annotate(pod, entries == null ? "" : PodImagePlatforms.write(entries));
    Optional<String> handler = handler(runtime.className());
    if (entries == null || handler.isEmpty() || waitsForNodes(pod, spec, runtime)) {
      return;
    }
    PlacementDecision decision =
        ImagePlacement.decide(
            new PlacementRequest(
                handler.get(),
                entries,
                catalog.platforms().ofService(runtime.serviceName()),
                rules(spec, handler.get()),
                () -> classes(attributes.namespace(), labels)));
    apply(decision, isNew && mode == SteeringMode.SELECT, attributes, pod, spec);
  }

  /// A namespace whose label is misspelled would silently not be steered.
  @Override
  public void validate(AdmissionAttributes attributes) {
    ObjectNode namespace = attributes.whole("", "namespaces");
    String mode = NamespaceLabels.of(namespace).getOrDefault(LABEL, "");
    boolean isNew = !NamespaceLabels.of(attributes.old()).getOrDefault(LABEL, "").equals(mode);
    if (!mode.isEmpty() && isNew && SteeringMode.of(mode).isEmpty()) {
      FieldErrors errors = new FieldErrors();
      errors.notSupported(
          FieldPath.of("metadata").child("labels").key(LABEL),
          mode,
          Arrays.stream(SteeringMode.values()).map(SteeringMode::toString).toList());
      throw ApiException.invalid(
          attributes.kind().resource(), attributes.displayName(), errors.toList());
    }
  }

  /// The handler of a class; empty when the class does not exist, which other plugins refuse.
  private Optional<String> handler(String className) {
    return className.isEmpty()
        ? Optional.of("")
        : Optional.ofNullable(objects.read(CLASSES, "", className))
            .map(found -> found.path("handler").asText(""));
  }

  /// A pod that chose a class or a platform waits for nodes that may join; the scheduler keeps it
  /// off those that do not run its images. One that names its node never reaches the scheduler, and
  /// one that was steered did not choose.
  private static boolean waitsForNodes(ObjectNode pod, ObjectNode spec, PodRuntime runtime) {
    boolean choseItself =
        !runtime.className().isEmpty()
            || PLATFORM_LABELS.stream().anyMatch(spec.path("nodeSelector")::has);
    return choseItself
        && nodeName(spec).isEmpty()
        && !pod.path("metadata").path("annotations").has(STEERED);
  }

  private static String nodeName(JsonNode spec) {
    return spec.path("nodeName").asText("");
  }

  /// For the scheduler, which keeps the pod off nodes that join later, too. What a user wrote there
  /// is replaced.
  private static void annotate(ObjectNode pod, String platforms) {
    if (!platforms.isEmpty()) {
      pod.withObject("/metadata")
          .withObject("annotations")
          .put(PodImagePlatforms.ANNOTATION, platforms);
    } else if (pod.at("/metadata/annotations") instanceof ObjectNode annotations) {
      annotations.remove(PodImagePlatforms.ANNOTATION);
    }
  }

  /// Null when the images cannot be looked up and the pod passes nevertheless.
  private @Nullable List<ImageEntries> lookUp(AdmissionAttributes attributes, ObjectNode spec) {
    List<ImageQuery> queries = images.of(attributes.namespace(), spec);
    try {
      List<ImageIndex> indexes = lookups.find(queries);
      List<ImageEntries> entries = new ArrayList<>();
      for (int i = 0; i < queries.size(); i++) {
        entries.add(new ImageEntries(queries.get(i).image().familiar(), indexes.get(i)));
      }
      return entries;
    } catch (LookupException e) {
      if (settings.refuseUnknown()) {
        throw attributes.forbidden(
            "pod rejected: the platforms of its images are unknown: " + e.getMessage());
      }
      attributes.warnings().accept("the pod is not steered by its images: " + e.getMessage());
      return null;
    }
  }

  /// @param mayChange whether the pod may get a selector or a class
  private static void apply(
      PlacementDecision decision,
      boolean mayChange,
      AdmissionAttributes attributes,
      ObjectNode pod,
      ObjectNode spec) {
    switch (decision) {
      case PlacementDecision.Fits() -> {}
      case PlacementDecision.Refuse refuse ->
          throw attributes.forbidden("pod rejected: " + refuse.reason());
      case PlacementDecision.Narrow(Map<String, String> selector) -> {
        if (mayChange) {
          select(spec, selector);
          note(pod, "nodeSelector " + selector(selector));
        }
      }
      case PlacementDecision.Choose choose -> {
        if (!mayChange) {
          throw attributes.forbidden("pod rejected: " + choose.reason());
        }
        spec.put(PodRuntime.CLASS_FIELD, choose.className());
        select(spec, choose.selector());
        note(pod, "runtimeClassName " + choose.className());
      }
    }
  }

  private static void select(ObjectNode spec, Map<String, String> selector) {
    if (selector.isEmpty()) {
      return;
    }
    ObjectNode own =
        spec.path("nodeSelector") instanceof ObjectNode present
            ? present
            : spec.putObject("nodeSelector");
    selector.forEach(own::put);
  }

  private static String selector(Map<String, String> selector) {
    return String.join(
        ",",
        selector.entrySet().stream()
            .map(label -> label.getKey() + "=" + label.getValue())
            .sorted()
            .toList());
  }

  private static void note(ObjectNode pod, String text) {
    pod.withObject("/metadata").withObject("annotations").put(STEERED, text);
  }

  /// A version of the system is the scheduler's to compare, which knows the handler's isolation.
  private static NodeRules rules(JsonNode spec, String handler) {
    String named = nodeName(spec);
    if (!named.isEmpty()) {
      // The node itself refuses a pod whose handler it does not have.
      return new NodeRules(
          node -> node.node().equals(named) && !node.targets(handler).isEmpty(),
          _ -> true,
          Optional.empty());
    }
    RequiredNodeAffinity affinity = RequiredNodeAffinity.parse(spec);
    PodPlatform asked = PodPlatform.parse(spec);
    PodPlatform platform = new PodPlatform(asked.os(), "", asked.architecture());
    return new NodeRules(
        node ->
            affinity.matches(node.node(), node.labels())
                && platform.mismatch(node.labels(), Isolation.PROCESS).isEmpty(),
        tolerated(spec),
        affinity.distinguishesNodes() ? Optional.empty() : Optional.of(affinity.labels()));
  }

  private static Predicate<NodePlatforms> tolerated(JsonNode spec) {
    List<Toleration> tolerations = new ArrayList<>();
    spec.path("tolerations").forEach(one -> tolerations.add(Toleration.parse(one)));
    return node -> node.taints().stream().allMatch(taint -> taint.isTolerated(tolerations));
  }

  private List<CandidateClass> classes(String namespace, Map<String, String> labels) {
    List<CandidateClass> classes = new ArrayList<>();
    for (RuntimeClassPolicy policy : catalog.classes()) {
      ObjectNode found = objects.read(CLASSES, "", policy.name());
      if (found != null && policy.allows(namespace, labels)) {
        classes.add(CandidateClass.parse(found));
      }
    }
    return classes;
  }
}
