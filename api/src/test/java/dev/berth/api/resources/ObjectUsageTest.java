package dev.berth.api.resources;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.api.ResourceAmounts;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What objects count for, and in which quotas.
class ObjectUsageTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "configmaps|{}|configmaps=1,count/configmaps=1",
        "deployments.apps|{}|count/deployments.apps=1",
        "services|{'spec':{'type':'NodePort','ports':[{},{}]}}"
            + "|count/services=1,services=1,services.loadbalancers=0,services.nodeports=2",
        "services|{'spec':{'type':'LoadBalancer','allocateLoadBalancerNodePorts':false,'ports':[{'nodePort':30000},{}]}}"
            + "|count/services=1,services=1,services.loadbalancers=1,services.nodeports=1",
        "persistentvolumeclaims|{'spec':{'storageClassName':'fast','resources':{'requests':{'storage':'1Gi'}}}}"
            + "|count/persistentvolumeclaims=1,fast.storageclass.storage.k8s.io/persistentvolumeclaims=1,"
            + "fast.storageclass.storage.k8s.io/requests.storage=1Gi,persistentvolumeclaims=1,requests.storage=1Gi",
        "pods|{'status':{'phase':'Succeeded'},'spec':{'containers':[{'resources':{'requests':{'cpu':'1'}}}]}}|count/pods=1",
        "pods|{'spec':{'containers':[{'resources':{'requests':{'cpu':'1','example.com/gpu':'2'},'limits':{'memory':'1Gi'}}}],'overhead':{'cpu':'100m','memory':'16Mi'}}}"
            + "|count/pods=1,cpu=1100m,limits.memory=1040Mi,memory=16Mi,pods=1,requests.cpu=1100m,requests.example.com/gpu=2,requests.memory=16Mi",
        "pods|{'spec':{'containers':[{'resources':{'requests':{'cpu':'1'}}}],'initContainers':[{'restartPolicy':'Always','resources':{'requests':{'cpu':'1'}}},{'resources':{'requests':{'cpu':'3'}}}]}}"
            + "|count/pods=1,cpu=4,pods=1,requests.cpu=4",
        "pods|{'spec':{'virtualMachine':{'resources':{'limits':{'memory':'1Gi'}}},'resources':{'requests':{'cpu':'2'}}}}"
            + "|count/pods=1,cpu=2,limits.memory=1Gi,pods=1,requests.cpu=2",
      })
  void objectsCountForTheirResources(String resource, String object, String usage) {
    assertThat(ObjectUsage.of(resource, json(object))).hasToString(usage);
  }

  @ParameterizedTest
  @CsvSource({
    "pods, pods, true",
    "count/pods, pods, true",
    "limits.memory, pods, true",
    "requests.example.com/gpu, pods, true",
    "requests.storage, pods, false",
    "requests.storage, persistentvolumeclaims, true",
    "gold.storageclass.storage.k8s.io/requests.storage, pods, false",
    "secrets, secrets, true",
    "count/jobs.batch, jobs.batch, true",
    "pods, secrets, false",
  })
  void namesInQuotasAreAboutKinds(String name, String resource, boolean about) {
    assertThat(ObjectUsage.isAbout(name, resource)).isEqualTo(about);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}|{}|true",
        "{'scopes':['BestEffort']}|{}|true",
        "{'scopes':['NotBestEffort']}|{'containers':[{'resources':{'limits':{'cpu':'1'}}}]}|true",
        "{'scopes':['BestEffort']}|{'resources':{'limits':{'cpu':'1'}}}|false",
        "{'scopes':['Terminating']}|{'activeDeadlineSeconds':0}|true",
        "{'scopes':['NotTerminating']}|{'activeDeadlineSeconds':5}|false",
        "{'scopes':['Terminating','BestEffort']}|{}|false",
        "{'scopes':['PriorityClass']}|{'priorityClassName':'high'}|true",
        "{'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':'In','values':['high']}]}}|{'priorityClassName':'high'}|true",
        "{'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':'In','values':['high']}]}}|{}|false",
        "{'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':'NotIn','values':['high']}]}}|{}|true",
        "{'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':'DoesNotExist'}]}}|{'priorityClassName':'high'}|false",
        "{'scopes':['CrossNamespacePodAffinity']}|{'affinity':{'podAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{'namespaces':['a']}]}}}|true",
      })
  void scopesChoosePods(String quota, String spec, boolean included) {
    assertThat(QuotaScopes.include(json(quota), "pods", json("{'spec':" + spec + "}")))
        .isEqualTo(included);
  }

  @Test
  void scopesChooseNothingButPods() {
    assertThat(QuotaScopes.include(json("{'scopes':['NotTerminating']}"), "secrets", json("{}")))
        .isFalse();
  }

  @Test
  void whatIsCountedMustBeSaid() {
    JsonNode spec =
        json(
            "{'containers':[{'name':'b'},{'name':'a','resources':{'requests':{'cpu':'1'}}}],"
                + "'initContainers':[{'name':'i'}]}");
    Set<String> counted = Set.of("pods", "requests.cpu", "limits.memory", "requests.storage");
    assertThat(RequiredResources.missing(counted, spec))
        .contains("must specify limits.memory for: a,b,i; requests.cpu for: b,i");
    assertThat(RequiredResources.missing(Set.of("pods"), spec)).isEmpty();
    assertThat(
            RequiredResources.missing(
                Set.of("limits.memory"),
                json("{'resources':{'limits':{'memory':'1Gi'}},'containers':[{'name':'c'}]}")))
        .isEmpty();
  }

  @Test
  void sumsAreWrittenInTheUnitsOfWhatWasAdded() {
    ResourceAmounts none = ResourceAmounts.of(json("{'limits.memory':'0'}"));
    ResourceAmounts some = ResourceAmounts.of(json("{'limits.memory':'64Mi'}"));
    assertThat(none.plus(some)).hasToString("limits.memory=64Mi");
    assertThat(some.minus(some)).hasToString("limits.memory=0");
    assertThat(some.minus(some).plus(some)).hasToString("limits.memory=64Mi");
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
