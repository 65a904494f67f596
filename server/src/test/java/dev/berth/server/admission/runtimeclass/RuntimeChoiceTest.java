package dev.berth.server.admission.runtimeclass;

import static dev.berth.server.admission.Writes.ADMIN;
import static dev.berth.server.admission.Writes.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.admission.AdmissionChain;
import dev.berth.server.admission.Writes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Which class a pod gets, and who may use it for what.
class RuntimeChoiceTest {
  private static final String DEFAULT = "'runtimeclass.berth.dev/is-default-class':'true'";
  private final FakeCatalog catalog = new FakeCatalog();
  private final List<String> warnings = new ArrayList<>();

  @BeforeEach
  void namespace() {
    namespace("");
  }

  @Test
  void podWithoutAClassGetsTheClustersDefault() {
    catalog.with("runc", DEFAULT).with("kata", "");

    assertThat(classOf(pod("", ""))).isEqualTo("runc");
    assertThat(classOf(pod("", "'runtimeClassName':''"))).isEqualTo("runc");
    assertThat(classOf(pod("", "'runtimeClassName':'kata'"))).isEqualTo("kata");
  }

  @Test
  void defaultOfTheNamespaceComesFirst() {
    catalog.with("runc", DEFAULT).with("kata", "");
    namespace("'runtimeclass.berth.dev/default':'kata'");

    assertThat(classOf(pod("", ""))).isEqualTo("kata");
  }

  @Test
  void missingDefaultOfTheNamespaceIsSaidToBeOne() {
    namespace("'runtimeclass.berth.dev/default':'gone'");

    assertThatThrownBy(() -> admit(pod("", "")))
        .hasMessage(
            "pods \"p\" is forbidden: pod rejected: RuntimeClass \"gone\" not found; it is the"
                + " default of namespace \"t1\" (annotation runtimeclass.berth.dev/default); create it,"
                + " or name another one (there are: none)");
  }

  @Test
  void machinesAndMirrorPodsGetNoDefault() {
    catalog.with("runc", DEFAULT);

    assertThat(classOf(pod("", "'virtualMachine':{}"))).isEmpty();
    assertThat(classOf(pod("'kubernetes.io/config.mirror':'1'", ""))).isEmpty();
  }

  @Test
  void defaultThatIsKeptForOthersIsNoDefaultHere() {
    catalog.with("kata", DEFAULT + ",'runtimeclass.berth.dev/allowed-namespaces':'prod'");

    assertThat(classOf(pod("", ""))).isEmpty();
  }

  @Test
  void classIsKeptForNamespacesByNameAndLabel() {
    catalog.with(
        "kata",
        "'runtimeclass.berth.dev/allowed-namespaces':'prod, stage',"
            + "'runtimeclass.berth.dev/allowed-namespace-selector':'tier in (gold)'");

    assertThatThrownBy(() -> admit(pod("", "'runtimeClassName':'kata'")))
        .hasMessage(
            "pods \"p\" is forbidden: pod rejected: RuntimeClass \"kata\" may not be used in"
                + " namespace \"t1\"; allowed: namespaces prod, stage and namespaces labelled tier"
                + " in (gold)");
    catalog.objects.put("namespaces", json("{'metadata':{'name':'t1','labels':{'tier':'gold'}}}"));
    assertThat(classOf(pod("", "'runtimeClassName':'kata'"))).isEqualTo("kata");
  }

  @Test
  void propertiesFindTheLeastClassThatHasThem() {
    catalog
        .with("kata", "'runtimeclass.berth.dev/provides':'isolation=vm'")
        .with("kata-gpu", "'runtimeclass.berth.dev/provides':'isolation=vm, gpu'")
        .with("idle", "'runtimeclass.berth.dev/provides':'isolation=vm'")
        .offering("kata")
        .offering("kata-gpu", "userNamespaces");

    AdmissionAttributes plain = pod("'berth.dev/runtime-requires':'isolation=vm'", "");
    assertThat(classOf(plain)).isEqualTo("kata");
    assertThat(
            Objects.requireNonNull(plain.object())
                .at("/metadata/annotations")
                .path("berth.dev/runtime-class-chosen")
                .asText())
        .isEqualTo("kata");
    assertThat(classOf(pod("'berth.dev/runtime-requires':'isolation=vm, userNamespaces'", "")))
        .isEqualTo("kata-gpu");
  }

  @Test
  void unmetPropertiesNameTheNearestClasses() {
    catalog
        .with("gvisor", "'runtimeclass.berth.dev/provides':'isolation=kernel'")
        .with("kata", "'runtimeclass.berth.dev/provides':'isolation=vm'")
        .offering("gvisor");

    assertThatThrownBy(() -> admit(pod("'berth.dev/runtime-requires':'isolation=vm'", "")))
        .hasMessage(
            "pods \"p\" is forbidden: pod rejected: no RuntimeClass meets isolation=vm"
                + " (berth.dev/runtime-requires); nearest: \"kata\" is offered by no node (handler"
                + " kata); \"gvisor\" lacks isolation=vm");
    assertThatThrownBy(
            () ->
                admit(
                    pod(
                        "'berth.dev/runtime-requires':'isolation=vm'",
                        "'runtimeClassName':'gvisor'")))
        .hasMessageContaining(
            "RuntimeClass \"gvisor\" does not meet isolation=vm (berth.dev/runtime-requires): it"
                + " lacks isolation=vm");
  }

  @Test
  void everythingThatTheClassCannotDoIsNamedAtOnce() {
    catalog.with("kata", "'runtimeclass.berth.dev/unsupported':'hostNetwork, privileged, devices'");

    assertThatThrownBy(
            () ->
                admit(
                    pod(
                        "",
                        "'runtimeClassName':'kata','hostNetwork':true,'containers':[{'name':'c',"
                            + "'securityContext':{'privileged':true},"
                            + "'resources':{'limits':{'nvidia.com/gpu':'1'}}}]")))
        .hasMessage(
            "pods \"p\" is forbidden: pod rejected: RuntimeClass \"kata\" (handler kata) does not"
                + " support devices (spec.containers[c]), hostNetwork (spec.hostNetwork),"
                + " privileged (spec.containers[c]); remove that or use another class");
    assertThat(classOf(pod("", "'runtimeClassName':'kata','hostPID':true"))).isEqualTo("kata");
  }

  @Test
  void directoriesOfTheHostAreAFeatureThatAClassMayLack() {
    catalog.with("vm", "'runtimeclass.berth.dev/unsupported':'hostPath'");
    String volumes = "'runtimeClassName':'vm','volumes':[{'name':'%s',%s}]";

    assertThatThrownBy(() -> admit(pod("", volumes.formatted("logs", "'hostPath':{'path':'/'}"))))
        .hasMessageContaining("does not support hostPath (spec.volumes[logs])");
    assertThat(classOf(pod("", volumes.formatted("tmp", "'emptyDir':{}")))).isEqualTo("vm");
  }

  @Test
  void featureThatNoNodeReportsForTheHandlerIsRefused() {
    catalog.with("kata", "").offering("kata");
    String spec = "'runtimeClassName':'kata','hostUsers':false";

    assertThatThrownBy(() -> admit(pod("", spec)))
        .hasMessageContaining("does not support userNamespaces (spec.hostUsers: false)");
    catalog.offering("kata", "userNamespaces");
    assertThat(classOf(pod("", spec))).isEqualTo("kata");
  }

  @Test
  void oldAnnotationMeansTheClassThatIsMappedToIt() {
    catalog.with(
        "gvisor",
        "'runtimeclass.berth.dev/legacy-annotations':'io.kubernetes.cri.untrusted-workload=true'");

    assertThat(classOf(pod("'io.kubernetes.cri.untrusted-workload':'true'", "")))
        .isEqualTo("gvisor");
    assertThat(warnings)
        .containsExactly(
            "metadata.annotations: io.kubernetes.cri.untrusted-workload: \"true\" is deprecated,"
                + " the pod gets RuntimeClass \"gvisor\"; set spec.runtimeClassName");
  }

  @Test
  void oldAnnotationThatNobodyMappedIsAWarningOnly() {
    assertThat(classOf(pod("'experimental.windows.kubernetes.io/isolation-type':'hyperv'", "")))
        .isEmpty();
    assertThat(warnings).hasSize(1).first().asString().contains("has no effect");
    warnings.clear();
    assertThat(classOf(pod("'io.kubernetes.cri-o.TrustedSandbox':'true'", ""))).isEmpty();
    assertThat(warnings).isEmpty();
  }

  @Test
  void secondDefaultOfTheClusterIsRefused() {
    catalog.with("runc", DEFAULT);

    assertThatThrownBy(() -> writeClass("kata", DEFAULT))
        .hasMessage(
            "runtimeclasses.node.k8s.io \"kata\" is forbidden: RuntimeClass \"runc\" is the"
                + " cluster's default already; remove its annotation"
                + " runtimeclass.berth.dev/is-default-class first");
    writeClass("runc", DEFAULT);
  }

  @Test
  void allMistakesInTheAnnotationsOfAClassAreNamed() {
    assertThatThrownBy(
            () ->
                writeClass(
                    "kata",
                    "'runtimeclass.berth.dev/is-default-class':'yes',"
                        + "'runtimeclass.berth.dev/allowed-namespace-selector':'a in',"
                        + "'runtimeclass.berth.dev/unsupported':'hostnet',"
                        + "'runtimeclass.berth.dev/legacy-annotations':'x'"))
        .hasMessageContaining("is-default-class")
        .hasMessageContaining("allowed-namespace-selector")
        .hasMessageContaining("Unsupported value: \"hostnet\"")
        .hasMessageContaining("must be key=value");
  }

  private void namespace(String annotations) {
    catalog.objects.put(
        "namespaces", json("{'metadata':{'name':'t1','annotations':{" + annotations + "}}}"));
  }

  private AdmissionAttributes pod(String annotations, String spec) {
    ObjectNode pod =
        json(
            "{'metadata':{'name':'p','annotations':{%s}},'spec':{%s}}"
                .formatted(annotations, spec));
    return new AdmissionAttributes(
        Operation.CREATE,
        Writes.PODS,
        "",
        "t1",
        "",
        pod,
        null,
        ADMIN,
        false,
        warnings::add,
        (_, _) -> {});
  }

  private void writeClass(String name, String annotations) {
    ObjectNode runtimeClass =
        json(
            "{'metadata':{'name':'%s','annotations':{%s}},'handler':'h'}"
                .formatted(name, annotations));
    new ClassAnnotationCheck(catalog)
        .validate(Writes.create(Writes.kind(ClassOverheadAndScheduling.BUCKET), "", runtimeClass));
  }

  private String classOf(AdmissionAttributes write) {
    admit(write);
    return Objects.requireNonNull(write.object()).at("/spec/runtimeClassName").asText("");
  }

  private void admit(AdmissionAttributes write) {
    AdmissionChain chain =
        new AdmissionChain(
            List.of(
                new ClassFromLegacyAnnotation(catalog),
                new ClassFromRequirements(catalog.objects, catalog),
                new ClassFromDefault(catalog.objects, catalog),
                new ClassOverheadAndScheduling(catalog.objects, catalog),
                new ClassUseCheck(catalog.objects, catalog)));
    chain.mutate(write);
    chain.validate(write);
  }
}
