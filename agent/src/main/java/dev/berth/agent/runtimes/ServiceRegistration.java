package dev.berth.agent.runtimes;

import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import java.util.List;

/// A runtime service to register, with its origin.
public record ServiceRegistration(RuntimeDeclaration declaration, RegistrationOrigin origin) {
  public static List<ServiceRegistration> configured(List<RuntimeDeclaration> declarations) {
    return declarations.stream()
        .map(
            declaration ->
                new ServiceRegistration(declaration, new RegistrationOrigin.Configured()))
        .toList();
  }

  public String name() {
    return declaration.name();
  }
}
