package dev.berth.agent.runtimes.registration;

import dev.berth.agent.runtimes.registration.DeclaredService.Image;
import dev.berth.api.Problem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Reads the two flags that register runtime services at the start of the agent.
///
/// Either `workloadType:name:url`, several separated by `;`, or one bare URL as in the kubelet.
public final class EndpointFlags {
  public static final String RUNTIME = "--container-runtime-endpoint";
  public static final String IMAGE = "--image-service-endpoint";

  private final List<Problem> problems = new ArrayList<>();
  private boolean runtimesAreIncomplete;

  private EndpointFlags() {}

  /// Reads the services in order; the first of a workload type is its default.
  ///
  /// @param images empty when every runtime service holds its own images
  /// @throws RegistrationException with every mistake in both flags
  public static List<RuntimeDeclaration> read(String runtimes, String images)
      throws RegistrationException {
    return new EndpointFlags().readBoth(runtimes, images);
  }

  private List<RuntimeDeclaration> readBoth(String runtimes, String images)
      throws RegistrationException {
    List<EndpointFlagPart> services = parts(RUNTIME, runtimes);
    runtimesAreIncomplete = !problems.isEmpty();
    Map<String, Image> imagesByName = images.isBlank() ? Map.of() : images(images, services);
    List<DeclaredService> written = new ArrayList<>();
    for (EndpointFlagPart part : services) {
      written.add(
          new DeclaredService(
              part.where(),
              part.workloadType(),
              part.name(),
              part.url(),
              imagesByName.get(part.name()),
              List.of(),
              part.legacy()));
    }
    return new DeclarationRules(problems).check(written);
  }

  private List<EndpointFlagPart> parts(String flag, String value) {
    if (value.isBlank()) {
      problems.add(
          new Problem(
              flag + " cannot be used", "it names no runtime service", EndpointFlagPart.SYNTAX));
      return List.of();
    }
    String[] texts = value.split(";", -1);
    List<EndpointFlagPart> parts = new ArrayList<>();
    for (int i = 0; i < texts.length; i++) {
      String text = texts[i].strip();
      String where =
          texts.length == 1
              ? "%s=%s".formatted(flag, text)
              : "%s, part %d (\"%s\")".formatted(flag, i + 1, text);
      EndpointFlagPart.parse(where, text, texts.length == 1, problems::add).ifPresent(parts::add);
    }
    return parts;
  }

  /// An image endpoint belongs to the runtime service of the same name.
  private Map<String, Image> images(String value, List<EndpointFlagPart> services) {
    Map<String, String> types = new LinkedHashMap<>();
    services.forEach(service -> types.putIfAbsent(service.name(), service.workloadType()));
    Map<String, Image> images = new HashMap<>();
    Set<String> named = new HashSet<>();
    for (EndpointFlagPart part : parts(IMAGE, value)) {
      EndpointFlagPart owned = part.legacy() ? adopt(part, services) : part;
      String type = types.get(owned.name());
      if (!named.add(owned.name())) {
        add(
            part,
            "runtime service \"%s\" has an image endpoint already".formatted(owned.name()),
            "Give each runtime service one image endpoint at most");
      } else if (type == null) {
        refuseStranger(part, services);
      } else if (!type.equals(owned.workloadType())) {
        add(
            part,
            "runtime service \"%s\" has workload type %s, not \"%s\""
                .formatted(owned.name(), type, owned.workloadType()),
            "Write %s:%s:%s".formatted(type, owned.name(), owned.url()));
      } else {
        images.put(owned.name(), new Image(part.where(), owned.url()));
      }
    }
    return images;
  }

  /// A bare URL is the image endpoint of the only runtime service, however that was written.
  private static EndpointFlagPart adopt(EndpointFlagPart image, List<EndpointFlagPart> services) {
    return services.size() == 1 ? services.getFirst().withUrl(image.where(), image.url()) : image;
  }

  private void refuseStranger(EndpointFlagPart image, List<EndpointFlagPart> services) {
    if (runtimesAreIncomplete) {
      return; // It may belong to an invalid part of the other flag.
    }
    String names = services.stream().map(EndpointFlagPart::name).collect(Collectors.joining(", "));
    if (image.legacy()) {
      add(
          image,
          "a bare URL does not say whose images these are (runtime services: %s)".formatted(names),
          EndpointFlagPart.SYNTAX);
    } else {
      add(
          image,
          "there is no runtime service \"%s\" (there are: %s)".formatted(image.name(), names),
          "Use the name of a runtime service in " + RUNTIME);
    }
  }

  private void add(EndpointFlagPart part, String why, String remedy) {
    problems.add(new Problem(part.where() + " cannot be used", why, remedy));
  }
}
