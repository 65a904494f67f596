/// Tests of the package of the same name.
@org.jspecify.annotations.NullMarked
package dev.berth.agent.pods.manifests;
