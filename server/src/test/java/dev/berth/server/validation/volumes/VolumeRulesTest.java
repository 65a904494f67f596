package dev.berth.server.validation.volumes;

import dev.berth.server.validation.pods.PodErrors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VolumeRulesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {name: v}                                          | ''
          {emptyDir: {}}                                     | spec.volumes[0].name: Required value
          {name: a_b, emptyDir: {sizeLimit: -1}}             | spec.volumes[0].emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity # spec.volumes[0].name: Invalid value: "a_b": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
          {name: v, emptyDir: {}, hostPath: {path: /x}}      | spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type
          {name: v, emptyDir: {}, downwardAPI: {}}           | spec.volumes[0].downwarAPI: Forbidden: may not specify more than 1 volume type
          {name: v, hostPath: {path: /a/../b, type: Dir}}    | spec.volumes[0].hostPath.path: Invalid value: "/a/../b": must not contain '..' # spec.volumes[0].hostPath.type: Unsupported value: "Dir": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"
          {name: v, hostPath: {}}                            | spec.volumes[0].hostPath.path: Required value
          {name: v, secret: {secretName: s, defaultMode: 512}} | spec.volumes[0].secret.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive
          {name: v, configMap: {name: m, items: [{key: k, path: ..x, mode: -1}]}} | spec.volumes[0].configMap.items[0].path: Invalid value: "..x": must not start with '..' # spec.volumes[0].configMap.items[0].mode: Invalid value: -1: must be a number between 0 and 0777 (octal), both inclusive
          {name: v, configMap: {items: [{}]}}                | spec.volumes[0].configMap.name: Required value # spec.volumes[0].configMap.items[0].key: Required value # spec.volumes[0].configMap.items[0].path: Required value
          {name: v, downwardAPI: {items: [{path: p, fieldRef: {fieldPath: metadata.labels}}]}} | ''
          {name: v, downwardAPI: {items: [{path: /p}]}}      | spec.volumes[0].downwardAPI.path: Invalid value: "/p": must be a relative path # spec.volumes[0].downwardAPI: Required value: one of fieldRef and resourceFieldRef is required
          {name: v, downwardAPI: {items: [{path: p, resourceFieldRef: {resource: limits.cpu}}]}} | spec.volumes[0].downwardAPI.resourceFieldRef.containerName: Required value
          {name: v, downwardAPI: {items: [{path: p, fieldRef: {fieldPath: spec.nodeName}}]}} | spec.volumes[0].downwardAPI.fieldRef.fieldPath: Unsupported value: "spec.nodeName": supported values: "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"
          {name: v, projected: {sources: [{secret: {name: s}}, {serviceAccountToken: {path: t}}]}} | ''
          {name: v, projected: {sources: [{secret: {name: s}, configMap: {name: m}}]}} | spec.volumes[0].projected.sources[0]: Forbidden: may not specify more than 1 volume type
          {name: v, projected: {sources: [{secret: {name: s, items: [{key: a, path: p}]}}, {configMap: {name: m, items: [{key: a, path: p}]}}]}} | spec.volumes[0].projected: Invalid value: "m": conflicting duplicate paths
          {name: v, projected: {sources: [{serviceAccountToken: {expirationSeconds: 599}}]}} | spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes # spec.volumes[0].projected.path: Required value
          {name: v, projected: {sources: [{clusterTrustBundle: {path: p}}]}} | spec.volumes[0].projected.sources[0].clusterTrustBundlePEM: Required value: either name or signerName must be specified
          {name: v, csi: {driver: Driver.example.com}}       | ''
          {name: v, csi: {driver: 'a b', nodePublishSecretRef: {}}} | spec.volumes[0].csi.driver: Invalid value: "a b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*') # spec.volumes[0].csi.nodePublishSecretRef.name: Required value
          {name: v, image: {}}                               | spec.volumes[0].image.reference: Required value
          {name: v, persistentVolumeClaim: {}}               | spec.volumes[0].persistentVolumeClaim.claimName: Required value
          {name: v, nfs: {server: s, path: p}}               | spec.volumes[0].nfs.path: Invalid value: "p": must be an absolute path
          {name: v, gcePersistentDisk: {partition: 256}}     | spec.volumes[0].persistentDisk.pdName: Required value # spec.volumes[0].persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive
          {name: v, iscsi: {targetPortal: p, iqn: iqn.2015-02.example.com:test, lun: 256}} | spec.volumes[0].iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive
          {name: v, iscsi: {targetPortal: p, iqn: x, chapAuthSession: true}} | spec.volumes[0].iscsi.iqn: Invalid value: "x": must be valid format starting with iqn, eui, or naa # spec.volumes[0].iscsi.secretRef: Required value
          {name: v, fc: {targetWWNs: [a], wwids: [b]}}       | spec.volumes[0].fc.targetWWNs: Invalid value: []string{"a"}: targetWWNs and wwids can not be specified simultaneously # spec.volumes[0].fc.lun: Required value: lun is required if targetWWNs is specified
          {name: v, flexVolume: {driver: d, options: {x.kubernetes.io/a: b}}} | spec.volumes[0].flexVolume.options[x.kubernetes.io/a]: Invalid value: "x.kubernetes.io/a": kubernetes.io and k8s.io namespaces are reserved
          {name: v, flocker: {}}                             | spec.volumes[0].flocker: Required value: one of datasetName and datasetUUID is required
          {name: v, rbd: {}}                                 | spec.volumes[0].rbd.monitors: Required value # spec.volumes[0].rbd.image: Required value
          {name: v, azureDisk: {diskName: d, diskURI: x}}    | spec.volumes[0].azureDisk.diskURI: Unsupported value: "x": supported values: "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"
          {name: v, quobyte: {registry: r, volume: v}}       | spec.volumes[0].quobyte.registry: Invalid value: "r": must be a host:port pair or multiple pairs separated by commas
          {name: v, storageos: {volumeName: A_}}             | spec.volumes[0].storageos.volumeName: Invalid value: "A_": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
          {name: v, ephemeral: {}}                           | spec.volumes[0].ephemeral.volumeClaimTemplate: Required value
          {name: v, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}} | ''
          {name: v, ephemeral: {volumeClaimTemplate: {metadata: {name: x}, spec: {accessModes: [Any]}}}} | spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set # spec.volumes[0].ephemeral.volumeClaimTemplate.spec.accessModes: Unsupported value: "Any": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod" # spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value
          """)
  void sourcesOfVolumes(String volume, String expected) {
    PodErrors.assertMessages(PodErrors.ofVolume(volume), expected);
  }

  @Test
  void namesAreUnique() {
    PodErrors.assertMessages(
        PodErrors.ofVolume("{name: v}, {name: v}"), "spec.volumes[1].name: Duplicate value: \"v\"");
  }

  @Test
  void claimsOfEphemeralVolumesBelongToThem() {
    PodErrors.assertMessages(
        PodErrors.ofVolume(
            "{name: v, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce],"
                + " resources: {requests: {storage: 1}}}}}}, {name: w, persistentVolumeClaim:"
                + " {claimName: web-v}}"),
        "spec.volumes[1].persistentVolumeClaim.claimName: Invalid value: \"web-v\": must not"
            + " reference a PVC that gets created for an ephemeral volume");
  }

  @Test
  void tokensNeedAServiceAccount() {
    PodErrors.assertMessages(
        PodErrors.ofSpec(
            "volumes: [{name: v, projected: {sources: [{serviceAccountToken: {path: t}}]}}]"),
        "spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified"
            + " when serviceAccountName is not set");
  }
}
