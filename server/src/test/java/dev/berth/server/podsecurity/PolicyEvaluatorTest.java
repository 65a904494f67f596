package dev.berth.server.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.json.JsonTrees;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Every control of the Pod Security Standards, and in which versions it holds.
class PolicyEvaluatorTest {
  /// What a restricted container must say, to be followed by what a row is about.
  private static final String GOOD =
      "'allowPrivilegeEscalation':false,'runAsNonRoot':true,'capabilities':{'drop':['ALL']},"
          + "'seccompProfile':{'type':'RuntimeDefault'}";

  private final PolicyEvaluator evaluator = new PolicyEvaluator();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'hostIPC':true,'hostNetwork':true}|host namespaces (hostNetwork=true, hostIPC=true)",
        "{'volumes':[{'name':'a','hostPath':{'path':'/'}},{'name':'b','hostPath':{'path':'/x'}}]}"
            + "|hostPath volumes (volumes \"a\", \"b\")",
        "{'containers':[{'name':'a','ports':[{'hostPort':80},{'hostPort':9}]},{'name':'b','ports':[{'hostPort':80}]}]}"
            + "|hostPort (containers \"a\", \"b\" use hostPorts 80, 9)",
        "{'initContainers':[{'name':'i','securityContext':{'privileged':true}}],'containers':[{'name':'c','securityContext':{'privileged':true}}],"
            + "'ephemeralContainers':[{'name':'e','securityContext':{'privileged':true}}]}"
            + "|privileged (containers \"i\", \"c\", \"e\" must not set securityContext.privileged=true)",
        "{'containers':[{'name':'c','securityContext':{'capabilities':{'add':['SYS_ADMIN','CHOWN','NET_RAW']}}}]}"
            + "|non-default capabilities (container \"c\" must not include \"NET_RAW\", \"SYS_ADMIN\" in"
            + " securityContext.capabilities.add)",
        "{'securityContext':{'seLinuxOptions':{'type':'foo','role':'r'}},'containers':[{'name':'c','securityContext':{'seLinuxOptions':{'user':'u'}}}]}"
            + "|seLinuxOptions (pod and container \"c\" set forbidden securityContext.seLinuxOptions: type"
            + " \"foo\"; user may not be set; role may not be set)",
        "{'securityContext':{'seccompProfile':{'type':'Unconfined'}}}"
            + "|seccompProfile (pod must not set securityContext.seccompProfile.type to \"Unconfined\")",
        "{'securityContext':{'appArmorProfile':{'type':'Unconfined'}}}"
            + "|forbidden AppArmor profile (pod must not set AppArmor profile type to \"Unconfined\")",
        "{'securityContext':{'sysctls':[{'name':'kernel.msgmax'},{'name':'net.ipv4.tcp_rmem'}]}}"
            + "|forbidden sysctls (kernel.msgmax)",
        "{'securityContext':{'windowsOptions':{'hostProcess':true}}}"
            + "|hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)",
        "{'containers':[{'name':'c','livenessProbe':{'httpGet':{'host':'10.0.0.1'}},'lifecycle':{'preStop':{'tcpSocket':{'host':'b'}}}}]}"
            + "|probe or lifecycle host (container \"c\" uses probe or lifecycle hosts \"10.0.0.1\", \"b\")",
        "{'containers':[{'name':'c','securityContext':{'procMount':'Unmasked'}}]}"
            + "|procMount (container \"c\" must not set securityContext.procMount to \"Unmasked\")",
        "{'hostUsers':false,'containers':[{'name':'c','securityContext':{'procMount':'Unmasked'}}]}|",
        "{'volumes':[{'name':'n','nfs':{}}],'containers':[{'name':'c'}]}|",
      })
  void baselineForbids(String spec, String details) {
    assertThat(baseline("latest", spec)).isEqualTo(details == null ? "" : details);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'containers':[{'name':'c','securityContext':{GOOD}}]}|",
        "{'volumes':[{'name':'n','nfs':{}},{'name':'i','image':{}}]}"
            + "|restricted volume types (volume \"n\" uses restricted volume type \"nfs\")",
        "{'securityContext':{'runAsUser':0},'containers':[{'name':'c','securityContext':{GOOD}}]}"
            + "|runAsUser=0 (pod must not set runAsUser=0)",
        "{'containers':[{'name':'c','securityContext':{GOOD,'runAsNonRoot':false}}]}"
            + "|runAsNonRoot != true (container \"c\" must not set securityContext.runAsNonRoot=false)",
        "{'securityContext':{'runAsNonRoot':true,'seccompProfile':{'type':'Localhost'}},"
            + "'containers':[{'name':'c','securityContext':{'allowPrivilegeEscalation':false,'capabilities':{'drop':['ALL'],'add':['CHOWN','NET_BIND_SERVICE']}}}]}"
            + "|unrestricted capabilities (container \"c\" must not include \"CHOWN\" in"
            + " securityContext.capabilities.add)",
        // Pods for Windows have no capabilities, seccomp or escalation; users they have.
        "{'os':{'name':'windows'},'containers':[{'name':'c'}]}"
            + "|runAsNonRoot != true (pod or container \"c\" must set securityContext.runAsNonRoot=true)",
        // Root of a user namespace is nobody on the node.
        "{'hostUsers':false,'securityContext':{'runAsUser':0,'seccompProfile':{'type':'RuntimeDefault'}},"
            + "'containers':[{'name':'c','securityContext':{'allowPrivilegeEscalation':false,'capabilities':{'drop':['ALL']}}}]}|",
        // Which does not open /proc at this level.
        "{'hostUsers':false,'containers':[{'name':'c','securityContext':{GOOD,'procMount':'Unmasked'}}]}"
            + "|procMount (container \"c\" must not set securityContext.procMount to \"Unmasked\")",
        // A virtual machine is no container; the rest of its pod counts.
        "{'virtualMachine':{'name':'m','image':'i'}}|",
        "{'virtualMachine':{'name':'m','image':'i'},'hostNetwork':true,'volumes':[{'name':'v','hostPath':{}}]}"
            + "|host namespaces (hostNetwork=true), restricted volume types (volume \"v\" uses restricted"
            + " volume type \"hostPath\")",
      })
  void restrictedForbids(String spec, String details) {
    assertThat(restricted("latest", spec)).isEqualTo(details == null ? "" : details);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "v1.26|v1.27|{'securityContext':{'sysctls':[{'name':'net.ipv4.ip_local_reserved_ports'}]}}",
        "v1.28|v1.29|{'securityContext':{'sysctls':[{'name':'net.ipv4.tcp_keepalive_time'}]}}",
        "v1.31|v1.32|{'securityContext':{'sysctls':[{'name':'net.ipv4.tcp_wmem'}]}}",
        "v1.30|v1.31|{'securityContext':{'seLinuxOptions':{'type':'container_engine_t'}}}",
        "v1.34|v1.35|{'hostUsers':false,'containers':[{'name':'c','securityContext':{'procMount':'Unmasked'}}]}",
      })
  void laterVersionsAllowMoreAtBaseline(String before, String since, String spec) {
    assertThat(baseline(before, spec)).isNotEmpty();
    assertThat(baseline(since, spec)).isEmpty();
    assertThat(baseline("v1.99", spec)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "v1.33|v1.34|{'containers':[{'name':'c','readinessProbe':{'tcpSocket':{'host':'h'}},'securityContext':{GOOD}}]}",
        "v1.22|v1.23|{'containers':[{'name':'c','securityContext':{GOOD,'runAsUser':0}}]}",
        "v1.21|v1.22|{'containers':[{'name':'c','securityContext':{GOOD,'capabilities':{}}}]}",
        "v1.18|v1.19|{'containers':[{'name':'c','securityContext':{GOOD,'seccompProfile':null}}]}",
        "v1.7|v1.8|{'containers':[{'name':'c','securityContext':{GOOD,'allowPrivilegeEscalation':true}}]}",
      })
  void laterVersionsForbidMoreAtRestricted(String before, String since, String spec) {
    assertThat(restricted(before, spec)).isEmpty();
    assertThat(restricted(since, spec)).isNotEmpty();
  }

  @Test
  void windowsIsExemptSince25() {
    String spec =
        "{'os':{'name':'windows'},'securityContext':{'runAsNonRoot':true},'containers':[{'name':'c'}]}";
    assertThat(restricted("v1.24", spec))
        .startsWith("allowPrivilegeEscalation != false")
        .contains("unrestricted capabilities", "seccompProfile");
    assertThat(restricted("v1.25", spec)).isEmpty();
  }

  @Test
  void oldVersionsReadAnnotations() {
    JsonNode metadata =
        json(
            "{'annotations':{'seccomp.security.alpha.kubernetes.io/pod':'unconfined',"
                + "'container.seccomp.security.alpha.kubernetes.io/c':'localhost/x'}}");
    JsonNode spec = json("{'containers':[{'name':'c'}]}");
    assertThat(evaluator.evaluate(policy("baseline", "v1.18"), metadata, spec).details())
        .isEqualTo(
            "seccompProfile (forbidden annotation"
                + " seccomp.security.alpha.kubernetes.io/pod=\"unconfined\")");
    assertThat(evaluator.evaluate(policy("baseline", "v1.19"), metadata, spec).isAllowed())
        .isTrue();
    JsonNode armor =
        json(
            "{'annotations':{'container.apparmor.security.beta.kubernetes.io/c':'unconfined',"
                + "'container.apparmor.security.beta.kubernetes.io/d':'localhost/ok'}}");
    assertThat(evaluator.evaluate(policy("baseline", "latest"), armor, spec).details())
        .isEqualTo(
            "forbidden AppArmor profile (annotation must not set AppArmor profile type to"
                + " \"container.apparmor.security.beta.kubernetes.io/c=\"unconfined\"\")");
  }

  @Test
  void reasonsLeaveTheDetailsOut() {
    assertThat(
            evaluator
                .evaluate(
                    policy("restricted", "latest"),
                    json("{}"),
                    json("{'hostPID':true,'containers':[{'name':'c'}]}"))
                .reasons())
        .isEqualTo(
            "host namespaces, allowPrivilegeEscalation != false, unrestricted capabilities,"
                + " runAsNonRoot != true, seccompProfile");
  }

  private String baseline(String version, String spec) {
    return evaluator.evaluate(policy("baseline", version), json("{}"), json(spec)).details();
  }

  private String restricted(String version, String spec) {
    return evaluator.evaluate(policy("restricted", version), json("{}"), json(spec)).details();
  }

  private static LevelVersion policy(String level, String version) {
    return new LevelVersion(
        PolicyLevel.parse(level).orElseThrow(), PolicyVersion.parse(version).orElseThrow());
  }

  private static JsonNode json(String text) {
    return JsonTrees.parseTrusted(
        text.replace("GOOD", GOOD).replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }
}
