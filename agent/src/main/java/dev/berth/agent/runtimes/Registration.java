package dev.berth.agent.runtimes;

import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import java.util.List;

/// A runtime service to be registered, and on whose behalf.
public record Registration(RuntimeDeclaration declaration, Origin origin) {
  public static List<Registration> configured(List<RuntimeDeclaration> declarations) {
    return declarations.stream()
        .map(declaration -> new Registration(declaration, new Origin.Configured()))
        .toList();
  }

  String name() {
    return declaration.name();
  }
}
