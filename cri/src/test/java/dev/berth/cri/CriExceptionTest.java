package dev.berth.cri;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import org.junit.jupiter.api.Test;

final class CriExceptionTest {
  private static CriException failed(Status status) {
    return new CriException(
        "containerd",
        CriEndpoint.parse("unix:///run/containerd.sock"),
        "Version",
        status.asRuntimeException());
  }

  @Test
  void aRuntimeWithoutCriIsToldFromOneWithoutACall() {
    assertThat(
            failed(
                    Status.UNIMPLEMENTED.withDescription(
                        "unknown service runtime.v1.RuntimeService"))
                .problem())
        .hasToString(
            "runtime service containerd failed in Version: UNIMPLEMENTED: unknown service"
                + " runtime.v1.RuntimeService. Enable CRI in the runtime at"
                + " unix:///run/containerd.sock (containerd: `disabled_plugins`), or use another");
    assertThat(
            failed(Status.UNIMPLEMENTED.withDescription("method Version not implemented"))
                .problem())
        .hasToString(
            "runtime service containerd failed in Version: UNIMPLEMENTED: method Version not"
                + " implemented. Use a runtime that has this call, or update it");
  }
}
