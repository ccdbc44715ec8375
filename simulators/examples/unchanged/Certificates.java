import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.io.ByteArrayInputStream;
import java.util.Base64;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Downloads the payment platform's certificate with only Java's standard library, from the vendor's address, and
 * verifies the signature of the answer with it. A merchant's program does the same when it starts.
 *
 * <p>The program does not depend on the simulators: options of the JVM set their proxy and a key store with their
 * certificate. The credentials are the environment variables of a world, as GET /sim/v1/catalogue lists them.
 */
public class Certificates {
  static final String HOST = "https://api.mch.weixin.qq.com", PATH = "/v3/certificates";

  public static void main(String[] args) throws Exception {
    var connection = (HttpURLConnection) new URL(HOST + PATH).openConnection();
    connection.setRequestProperty("Authorization", authorization());
    connection.setRequestProperty("Accept", "application/json");
    connection.setRequestProperty("User-Agent", "java");
    if (connection.getResponseCode() != 200) {
      throw new IllegalStateException(new String(connection.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
    }
    var body = new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    var certificate = certificate(body);

    var verifier = Signature.getInstance("SHA256withRSA");
    verifier.initVerify(certificate);
    verifier.update((connection.getHeaderField("Wechatpay-Timestamp") + "\n"
        + connection.getHeaderField("Wechatpay-Nonce") + "\n" + body + "\n").getBytes(StandardCharsets.UTF_8));
    var signature = Base64.getDecoder().decode(connection.getHeaderField("Wechatpay-Signature"));
    System.out.println("certificate " + certificate.getSerialNumber().toString(16).toUpperCase());
    System.out.println("signature " + verifier.verify(signature));
  }

  /** Signs the call as the vendor documents it: method, path, time, nonce and body, each with a line feed. */
  static String authorization() throws Exception {
    var time = System.currentTimeMillis() / 1000;
    var nonce = Long.toHexString(System.nanoTime()) + "0000000000000000";
    var der = Base64.getMimeDecoder().decode(env("MCH_PRIVATE_KEY").replaceAll("-----[A-Z ]+-----", ""));
    PrivateKey key = KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(der));
    var signer = Signature.getInstance("SHA256withRSA");
    signer.initSign(key);
    signer.update(("GET\n" + PATH + "\n" + time + "\n" + nonce + "\n\n").getBytes(StandardCharsets.UTF_8));
    return String.format(
        "WECHATPAY2-SHA256-RSA2048 mchid=\"%s\",nonce_str=\"%s\",signature=\"%s\",timestamp=\"%d\",serial_no=\"%s\"",
        env("MCH_ID"), nonce, Base64.getEncoder().encodeToString(signer.sign()), time, env("MCH_SERIAL"));
  }

  /** Decrypts the certificate with the merchant's APIv3 key. */
  static X509Certificate certificate(String body) throws Exception {
    var cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(env("APIV3_KEY").getBytes(StandardCharsets.UTF_8), "AES"),
        new GCMParameterSpec(128, field(body, "nonce").getBytes(StandardCharsets.UTF_8)));
    cipher.updateAAD(field(body, "associated_data").getBytes(StandardCharsets.UTF_8));
    var pem = cipher.doFinal(Base64.getDecoder().decode(field(body, "ciphertext")));
    return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem));
  }

  static String field(String body, String name) {
    var found = Pattern.compile("\"" + name + "\":\\s*\"([^\"]*)\"").matcher(body);
    if (!found.find()) {
      throw new IllegalStateException("no " + name + " in " + body);
    }
    return found.group(1);
  }

  static String env(String name) {
    return System.getenv("MARQUEE_WECHAT_" + name);
  }
}
