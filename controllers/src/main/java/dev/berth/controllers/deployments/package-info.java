/// Deployments: one ReplicaSet for each revision of a template, and the rollout from one to the
/// next.
///
/// Decisions are pure ([dev.berth.controllers.deployments.DeploymentRollout] and what it uses);
/// start with [dev.berth.controllers.deployments.DeploymentController].
@NullMarked
package dev.berth.controllers.deployments;

import org.jspecify.annotations.NullMarked;
