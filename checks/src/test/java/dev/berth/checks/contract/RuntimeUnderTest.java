package dev.berth.checks.contract;

import org.junit.jupiter.api.AfterEach;

/// Gives the tests of the contract a runtime service that has the images of `TestImages`.
interface RuntimeUnderTest {
  Cri cri();

  /// The name of its only handler.
  String handler();

  @AfterEach
  default void removeWhatTheTestMade() {
    cri().clear();
  }
}
