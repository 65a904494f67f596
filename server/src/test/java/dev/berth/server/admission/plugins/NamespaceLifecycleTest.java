package dev.berth.server.admission.plugins;

import static dev.berth.server.admission.Writes.ADMIN;
import static dev.berth.server.admission.Writes.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.admission.Writes;
import dev.berth.server.auth.FakeObjects;
import dev.berth.server.errors.ApiException;
import dev.berth.server.kinds.ResourceKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamespaceLifecycleTest {
  private static final ResourceKind NAMESPACES = Writes.kind("namespaces");
  private static final ResourceKind CONFIG_MAPS = Writes.kind("configmaps");

  private final FakeObjects objects = new FakeObjects();
  private final NamespaceLifecycle plugin = new NamespaceLifecycle(objects);

  @Test
  void missingNamespaceIsNotFound() {
    ApiException refusal = refusal(write(Operation.CREATE, CONFIG_MAPS, "nope", "x"));
    assertThat(refusal.status().toJson())
        .isEqualTo(
            json(
                "{'kind':'Status','apiVersion':'v1','metadata':{},'status':'Failure',"
                    + "'message':'namespaces \\'nope\\' not found','reason':'NotFound',"
                    + "'details':{'name':'nope','kind':'namespaces'},'code':404}"));
    assertThat(refusal(write(Operation.UPDATE, CONFIG_MAPS, "nope", "x")).status().code())
        .isEqualTo(404);
  }

  @Test
  void terminatingNamespaceTakesNoNewContentButChangesAndDeletions() {
    objects.put("namespaces", json("{'metadata':{'name':'t1'},'status':{'phase':'Terminating'}}"));

    assertThat(refusal(write(Operation.CREATE, CONFIG_MAPS, "t1", "late")).status().toJson())
        .isEqualTo(
            json(
                "{'kind':'Status','apiVersion':'v1','metadata':{},'status':'Failure','message':"
                    + "'configmaps \\'late\\' is forbidden: unable to create new content in"
                    + " namespace t1 because it is being terminated','reason':'Forbidden',"
                    + "'details':{'name':'late','kind':'configmaps','causes':[{'reason':"
                    + "'NamespaceTerminating','message':'namespace t1 is being terminated',"
                    + "'field':'metadata.namespace'}]},'code':403}"));
    assertThatCode(() -> plugin.mutate(write(Operation.UPDATE, CONFIG_MAPS, "t1", "x")))
        .doesNotThrowAnyException();
    assertThatCode(() -> plugin.mutate(write(Operation.DELETE, CONFIG_MAPS, "t1", "x")))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "kube-system", "kube-public"})
  void builtInNamespacesStay(String name) {
    assertThat(refusal(write(Operation.DELETE, NAMESPACES, name, name)))
        .hasMessage("namespaces \"" + name + "\" is forbidden: this namespace may not be deleted");
  }

  @Test
  void otherNamespacesAndClusterObjectsPass() {
    ResourceKind classes = Writes.kind("runtimeclasses.node.k8s.io");
    assertThatCode(
            () -> {
              plugin.validate(write(Operation.DELETE, NAMESPACES, "t1", "t1"));
              plugin.validate(
                  write(Operation.DELETE, NAMESPACES, "kube-node-lease", "kube-node-lease"));
              plugin.mutate(write(Operation.CREATE, NAMESPACES, "t1", "t1"));
              plugin.mutate(write(Operation.CREATE, classes, "", "kata"));
            })
        .doesNotThrowAnyException();
  }

  private static AdmissionAttributes write(
      Operation operation, ResourceKind kind, String namespace, String name) {
    return Writes.of(
        operation,
        kind,
        "",
        namespace,
        name,
        operation == Operation.DELETE ? null : json("{}"),
        null,
        ADMIN);
  }

  private ApiException refusal(AdmissionAttributes attributes) {
    return catchThrowableOfType(
        ApiException.class,
        () -> {
          plugin.mutate(attributes);
          plugin.validate(attributes);
        });
  }
}
