package dev.berth.server.kinds.catalog;

import dev.berth.server.defaults.WorkloadDefaults;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.strategies.JobStrategy;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.server.validation.workloads.JobValidation;

/// The entry of Job.
final class JobKind {
  private JobKind() {}

  static ResourceKind entry(ObjectSchema schema) {
    return KindEntry.of("batch", "Job", "jobs")
        .inAll()
        .version("v1", schema.type("batch.v1.Job"))
        .status()
        .generation()
        .selectable(
            "status.successful",
            job -> Integer.toString(job.path("status").path("succeeded").asInt()))
        .rules(WorkloadDefaults::job, new JobValidation())
        .leniency(AppsKinds::templateLeniency)
        .strategy(new JobStrategy())
        .build();
  }
}
