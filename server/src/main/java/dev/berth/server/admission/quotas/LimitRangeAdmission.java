package dev.berth.server.admission.quotas;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.admission.AdmissionPlugin;
import dev.berth.server.auth.ObjectReader;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Applies the LimitRanges of a namespace to pods and claims (upstream's `LimitRanger`): default
/// requests and limits, minimum and maximum amounts, and the ratio of limits to requests.
///
/// Defaults are set in the mutating phase and bounds checked in the validating phase, so that
/// amounts which other plugins add are checked as well.
public final class LimitRangeAdmission implements AdmissionPlugin {
  private static final String BUCKET = "limitranges";

  private final ObjectReader objects;

  public LimitRangeAdmission(ObjectReader objects) {
    this.objects = objects;
  }

  @Override
  public void mutate(AdmissionAttributes write) {
    if (write.newPodSpec() == null) {
      return;
    }
    for (ObjectNode limitRange : objects.in(BUCKET, write.namespace())) {
      LimitDefaults.apply(limitRange, Objects.requireNonNull(write.object()));
    }
  }

  /// Only a resize changes the resources of a pod.
  @Override
  public void validate(AdmissionAttributes write) {
    @Nullable ObjectNode claim = write.whole("", "persistentvolumeclaims");
    @Nullable ObjectNode pod = pod(write);
    if (pod == null && claim == null) {
      return;
    }
    for (ObjectNode limitRange : objects.in(BUCKET, write.namespace())) {
      List<String> problems =
          pod != null
              ? LimitConstraints.ofPod(limitRange, pod.path("spec"))
              : LimitConstraints.ofClaim(limitRange, Objects.requireNonNull(claim).path("spec"));
      if (!problems.isEmpty()) {
        String all = String.join(", ", problems);
        throw write.forbidden(problems.size() == 1 ? all : "[" + all + "]");
      }
    }
  }

  private static @Nullable ObjectNode pod(AdmissionAttributes write) {
    boolean resize = write.isOn("", "pods") && write.subresource().equals("resize");
    boolean created = write.operation() == Operation.CREATE;
    return resize ? write.object() : created ? write.whole("", "pods") : null;
  }
}
