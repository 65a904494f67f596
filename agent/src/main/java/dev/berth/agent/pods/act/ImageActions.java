package dev.berth.agent.pods.act;

import dev.berth.agent.events.PodEvents;
import dev.berth.agent.images.ImageDescription;
import dev.berth.agent.images.ImagePuller;
import dev.berth.agent.images.ImageRequest;
import dev.berth.agent.images.PullCredentials;
import dev.berth.agent.images.PullException;
import dev.berth.agent.images.PullListener;
import dev.berth.agent.images.PullSecrets;
import dev.berth.agent.pods.config.ConfigException;
import dev.berth.agent.pods.config.ReferencedObjects;
import dev.berth.agent.pods.config.SandboxConfigs;
import dev.berth.agent.pods.plan.GoDurations;
import dev.berth.agent.pods.plan.PodPart;
import dev.berth.agent.pods.plan.WaitingCause;
import dev.berth.cri.CriException;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Pulls or finds the images of a pod's containers.
public final class ImageActions {
  private final ImagePuller puller;
  private final ImageTargets targets;
  private final SandboxConfigs configs;
  private final ReferencedObjects references;
  private final PodEvents events;

  public ImageActions(
      ImagePuller puller,
      ImageTargets targets,
      SandboxConfigs configs,
      ReferencedObjects references,
      PodEvents events) {
    this.puller = puller;
    this.targets = targets;
    this.configs = configs;
    this.references = references;
    this.events = events;
  }

  StepOutcome pull(StepContext stepContext, String name) throws InterruptedException {
    Pod pod = stepContext.pod();
    Container container = container(stepContext, name);
    try {
      ImageDescription image =
          puller.ensure(
              stepContext.service().imageService(),
              request(stepContext, container),
              new PullEvents(pod, name));
      return new StepOutcome.Pulled(name, image);
    } catch (PullException e) {
      String event = event(e.reason());
      String message = String.valueOf(e.getMessage());
      events.warning(
          pod,
          name,
          event,
          event.equals("Failed")
              ? "Failed to pull image \"%s\": %s".formatted(container.getImage(), message)
              : message);
      events.warning(pod, name, "Failed", "Error: " + e.reason());
      return new StepOutcome.Failed(
          PodPart.container(name),
          e.reason(),
          message,
          e.isOfRegistry() ? WaitingCause.PULL : WaitingCause.LOCAL_IMAGE);
    }
  }

  /// An image that must be pulled, or a service that cannot be asked, counts as not found.
  StepOutcome find(StepContext stepContext, String name) {
    ImageRequest request = request(stepContext, container(stepContext, name));
    try {
      return puller
          .find(
              stepContext.service().imageService(),
              request,
              new PullEvents(stepContext.pod(), name))
          .<StepOutcome>map(image -> new StepOutcome.Pulled(name, image))
          .orElseGet(StepOutcome.Done::new);
    } catch (PullException | CriException _) {
      return new StepOutcome.Done();
    }
  }

  private static Container container(StepContext stepContext, String name) {
    return stepContext
        .container(name)
        .orElseThrow(() -> new ConfigException("there is no container " + name));
  }

  private static String event(String reason) {
    return switch (reason) {
      case "ErrImageNeverPull" -> reason;
      case "InvalidImageName", "ImageInspectError" -> "InspectFailed";
      default -> "Failed";
    };
  }

  private ImageRequest request(StepContext stepContext, Container container) {
    Map<String, String> annotations = stepContext.pod().getMetadata().getAnnotations();
    return new ImageRequest(
        image(container),
        policy(container),
        targets.of(stepContext),
        annotations == null ? Map.of() : annotations,
        credentials(stepContext.pod(), container),
        configs.of(stepContext.pod(), 0));
  }

  /// Static pods may lack an image: no API server validates manifests.
  private static String image(Container container) {
    return Objects.requireNonNullElse(container.getImage(), "");
  }

  /// Upstream's default by the tag, for static pods, which no API server defaulted.
  private static String policy(Container container) {
    String asked = container.getImagePullPolicy();
    if (asked != null && !asked.isEmpty()) {
      return asked;
    }
    String image = image(container);
    boolean latest = image.endsWith(":latest") || !image.matches(".*[:@][^/]*");
    return latest ? "Always" : "IfNotPresent";
  }

  private List<PullCredentials> credentials(Pod pod, Container container) {
    List<Secret> secrets = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (LocalObjectReference ref : pod.getSpec().getImagePullSecrets()) {
      references
          .secret(pod.getMetadata().getNamespace(), ref.getName())
          .ifPresentOrElse(secrets::add, () -> missing.add(ref.getName()));
    }
    if (!missing.isEmpty()) {
      events.warning(
          pod,
          "",
          "FailedToRetrieveImagePullSecret",
          "Unable to retrieve some image pull secrets (%s); attempting to pull the image may not succeed."
              .formatted(String.join(", ", missing)));
    }
    return PullSecrets.find(image(container), secrets);
  }

  private final class PullEvents implements PullListener {
    private final Pod pod;
    private final String container;

    PullEvents(Pod pod, String container) {
      this.pod = pod;
      this.container = container;
    }

    @Override
    public void present(String image) {
      events.normal(
          pod,
          container,
          "Pulled",
          "Container image \"%s\" already present on machine and can be accessed by the pod"
              .formatted(image));
    }

    @Override
    public void pulling(String image) {
      events.normal(pod, container, "Pulling", "Pulling image \"%s\"".formatted(image));
    }

    @Override
    public void pulled(String image, Duration took, Duration waiting, long bytes) {
      events.normal(
          pod,
          container,
          "Pulled",
          "Successfully pulled image \"%s\" in %s (%s including waiting). Image size: %d bytes."
              .formatted(image, GoDurations.measured(took), GoDurations.measured(waiting), bytes));
    }
  }
}
