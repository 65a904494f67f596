package dev.berth.agent.runtimes;

import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.Problem;
import java.util.Optional;

/// Decides whether this agent may act on a runtime service: no other agent may act on its pods.
public interface ServiceClaims {
  /// Every service may be used; for tests and services in this process.
  ServiceClaims UNCHECKED =
      new ServiceClaims() {
        @Override
        public Optional<Problem> claim(RuntimeDeclaration service) {
          return Optional.empty();
        }

        @Override
        public void release(RuntimeDeclaration service) {}
      };

  /// Claims a service until it is released. A service may be claimed more than once; it is free
  /// after as many releases.
  ///
  /// @return why the service cannot be used; nothing is claimed then
  Optional<Problem> claim(RuntimeDeclaration service);

  void release(RuntimeDeclaration service);
}
