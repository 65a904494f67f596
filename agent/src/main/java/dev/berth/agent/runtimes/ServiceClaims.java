package dev.berth.agent.runtimes;

import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.Problem;
import java.util.Optional;

/// Ensures that one agent at a time acts on the pods of a runtime service.
public interface ServiceClaims {
  /// No checks: for tests, and for services in this process.
  ServiceClaims UNCHECKED =
      new ServiceClaims() {
        @Override
        public Optional<Problem> claim(RuntimeDeclaration service) {
          return Optional.empty();
        }

        @Override
        public void release(RuntimeDeclaration service) {}
      };

  /// Claims a service until it is released. Claims are counted: the service is free after as many
  /// releases.
  ///
  /// @return why the service cannot be claimed; nothing is claimed then
  Optional<Problem> claim(RuntimeDeclaration service);

  void release(RuntimeDeclaration service);
}
