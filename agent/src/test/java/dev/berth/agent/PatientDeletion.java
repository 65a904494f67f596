package dev.berth.agent;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirDeletionStrategy;

/// Deletes a test's directory although a step of an agent that the test stopped as a crash would
/// still creates a file in it: a crash waits for nobody, so neither does the test.
public final class PatientDeletion implements TempDirDeletionStrategy {
  private static final int ATTEMPTS = 500;
  private static final long PAUSE_NANOS = 20_000_000;

  @Override
  public DeletionResult delete(
      Path directory, AnnotatedElementContext element, ExtensionContext context)
      throws IOException {
    DeletionResult result = Standard.INSTANCE.delete(directory, element, context);
    for (int i = 1; i < ATTEMPTS && !result.isSuccessful(); i++) {
      LockSupport.parkNanos(PAUSE_NANOS);
      result = Standard.INSTANCE.delete(directory, element, context);
    }
    return result;
  }
}
