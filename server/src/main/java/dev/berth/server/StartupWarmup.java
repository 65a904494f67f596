package dev.berth.server;

import dev.berth.server.schema.ObjectSchema;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.spec.ECGenParameterSpec;
import java.text.SimpleDateFormat;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/// Loads classes that every start needs, on threads of its own, before the settings are known.
///
/// Each step of a start initializes a part of the JDK; the tables of one elliptic curve alone take
/// a tenth of the start. A thread that needs a class early waits for its initialization, so no work
/// is done twice.
final class StartupWarmup {
  private StartupWarmup() {}

  static void start() {
    List.<Runnable>of(
            StartupWarmup::signatures, StartupWarmup::tls, ObjectSchema::load, StartupWarmup::dates)
        .forEach(Thread.ofPlatform().daemon().name("ahead")::start);
  }

  private static void signatures() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      KeyPair pair = generator.generateKeyPair();
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(pair.getPrivate());
      byte[] signed = signature.sign();
      signature.initVerify(pair.getPublic());
      signature.verify(signed);
    } catch (GeneralSecurityException _) {
      // The real use will say so.
    }
  }

  private static void tls() {
    try {
      CertificateFactory.getInstance("X.509");
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[0], new TrustManager[0], null);
      context.createSSLEngine();
    } catch (GeneralSecurityException _) {
      // The real use will say so.
    }
  }

  /// Loads the date format of the logger; creating the logger here would come before its level is
  /// configured.
  private static void dates() {
    new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", Locale.getDefault());
  }
}
