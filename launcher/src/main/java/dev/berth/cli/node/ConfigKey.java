package dev.berth.cli.node;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The field of a KubeletConfiguration that stands for an option of a node.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
@interface ConfigKey {
  /// The name of the field, as in kubelet.config.k8s.io/v1beta1.
  String value();

  ConfigShape shape() default ConfigShape.TEXT;
}
