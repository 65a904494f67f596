package dev.berth.agent.runtimes.registration;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.api.Problem;
import dev.berth.api.YamlLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/// Runtime services as YAML: a list in the agent's configuration, or one service in a file.
public final class RuntimeYaml {
  /// The list's key in the agent's configuration.
  public static final String KEY = "runtimeServices";

  private static final String EXAMPLE =
      "Write `name`, `workloadType` (container or vm) and `endpoint` (unix:///path), and if needed `imageEndpoint` and `handlers`";

  private static final YAMLMapper MAPPER =
      YAMLMapper.builder(
              YamlLimits.factory()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                  .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                  .build())
          .build();

  private RuntimeYaml() {}

  /// Parses a configuration file; an empty one is an empty object.
  ///
  /// @param file the origin of the text, for messages
  public static JsonNode readDocument(String file, String text) throws RegistrationException {
    JsonNode root = onlyDocument(file, text);
    if (!root.isObject() && !root.isMissingNode() && !root.isNull()) {
      throw refused(file, "it is not a map of fields", "Write `field: value` lines");
    }
    return root;
  }

  /// Reads the services of an agent's configuration, all or none.
  ///
  /// @param file the origin of the text, for messages
  public static List<RuntimeDeclaration> readConfiguration(String file, String text)
      throws RegistrationException {
    JsonNode root = onlyDocument(file, text);
    List<Problem> problems = new ArrayList<>();
    List<DeclaredService> services = new ArrayList<>();
    JsonNode list = root.path(KEY);
    if (!root.isObject() || !list.isArray() || list.isEmpty()) {
      throw refused(file, "it has no list `%s` of runtime services".formatted(KEY), EXAMPLE);
    }
    for (int i = 0; i < list.size(); i++) {
      String where = "%s, %s[%d]".formatted(file, KEY, i);
      YamlService.read(where, list.get(i), problems::add).ifPresent(services::add);
    }
    return new DeclarationRules(problems).check(services);
  }

  /// The one service of a file.
  public static RuntimeDeclaration readService(String file, String text)
      throws RegistrationException {
    List<Problem> problems = new ArrayList<>();
    List<DeclaredService> services = new ArrayList<>();
    YamlService.read(file, onlyDocument(file, text), problems::add).ifPresent(services::add);
    return new DeclarationRules(problems).check(services).getFirst();
  }

  /// Writes a file that `readService` can read.
  public static String write(RuntimeDeclaration service) {
    ObjectNode node = MAPPER.createObjectNode();
    node.put(YamlService.NAME, service.name());
    node.put(YamlService.WORKLOAD_TYPE, service.workloadType().toString());
    node.put(YamlService.ENDPOINT, service.endpoint().toString());
    if (!service.imageEndpoint().equals(service.endpoint())) {
      node.put(YamlService.IMAGE_ENDPOINT, service.imageEndpoint().toString());
    }
    if (!service.handlers().isEmpty()) {
      var handlers = node.putArray(YamlService.HANDLERS);
      service.handlers().forEach(handler -> YamlService.write(handler, handlers.addObject()));
    }
    try {
      return MAPPER.writeValueAsString(node);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode onlyDocument(String file, String text) throws RegistrationException {
    try (MappingIterator<JsonNode> documents = MAPPER.readerFor(JsonNode.class).readValues(text)) {
      JsonNode first = documents.hasNextValue() ? documents.nextValue() : MissingNode.getInstance();
      if (documents.hasNextValue()) {
        throw refused(
            file, "it holds more than one YAML document", "Put each document in its own file");
      }
      return first;
    } catch (JsonProcessingException e) {
      throw refused(file, "it is not YAML: " + atLine(e), EXAMPLE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The parser's message without its quote of the source.
  private static String atLine(JsonProcessingException e) {
    String words = e.getOriginalMessage().lines().findFirst().orElse("unreadable");
    return e.getLocation() == null ? words : words + " in line " + e.getLocation().getLineNr();
  }

  private static RegistrationException refused(String where, String why, String remedy) {
    return new RegistrationException(List.of(new Problem(where + " cannot be used", why, remedy)));
  }
}
