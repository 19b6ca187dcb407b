import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * A receiver of callbacks: verifies each one, and answers 200 once it is safe with us.
 *
 * <p>MALIPO_URL=… MALIPO_TOKEN=… CALLBACK_URL=https://shop.example/callbacks java Receiver.java
 */
public class Receiver {
  static final int PORT = Integer.parseInt(env("PORT", "3000"));
  /** As set at the service: a signature is for one address. */
  static final URI CALLBACK_URL =
      URI.create(env("CALLBACK_URL", "http://127.0.0.1:" + PORT + "/callbacks"));

  static final String LIST =
      "(\"@method\" \"@authority\" \"@path\" \"signature-date\" \"content-digest\" \"content-type\")";
  static final Pattern NAMED = Pattern.compile(";keyid=\"([^\"]+)\";created=(\\d+);expires=(\\d+)$");
  static final Pattern SIGNATURE = Pattern.compile("^sig-pp=:([A-Za-z0-9+/=]+):$");

  public static void main(String[] args) throws IOException {
    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", PORT), 0);
    server.createContext("/", Receiver::receive);
    server.start();
    System.out.println("listening for " + CALLBACK_URL);
  }

  static void receive(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    String wrong;
    try {
      wrong = problem(exchange.getRequestHeaders(), body);
    } catch (Exception e) {
      wrong = e.toString();
    }
    // It may come more than once, and about a payment that is not ours: look the identifier up in
    // our own books, and store what it says, before we answer.
    System.out.println(
        wrong == null
            ? "verified: " + new String(body, StandardCharsets.UTF_8)
            : "refused: " + wrong);
    exchange.sendResponseHeaders(wrong == null ? 200 : 401, -1);
    exchange.close();
  }

  /** What is wrong with a callback, or null. */
  static String problem(Headers headers, byte[] body) throws Exception {
    var sum = MessageDigest.getInstance("SHA-512").digest(body);
    String digest = "sha-512=:" + Base64.getEncoder().encodeToString(sum) + ":";
    if (!digest.equals(headers.getFirst("Content-Digest"))) {
      return "the body is not the one that was signed";
    }
    String params = text(headers, "Signature-Input").replaceFirst("^sig-pp=", "");
    var named = NAMED.matcher(params);
    var signed = SIGNATURE.matcher(text(headers, "Signature"));
    if (!params.startsWith(LIST) || !named.find() || !signed.find()) {
      return "it is not signed as callbacks are";
    }
    long now = Instant.now().getEpochSecond();
    if (now < Long.parseLong(named.group(2)) - 60 || now > Long.parseLong(named.group(3))) {
      return "the signature has expired, or a clock is wrong";
    }
    PublicKey key = publicKey(named.group(1));
    if (key == null) return "the key is none of the service's";
    String base =
        String.join(
            "\n",
            "\"@method\": POST",
            "\"@authority\": " + CALLBACK_URL.getAuthority(),
            "\"@path\": " + CALLBACK_URL.getPath(),
            "\"signature-date\": " + text(headers, "Signature-Date"),
            "\"content-digest\": " + digest,
            "\"content-type\": " + text(headers, "Content-Type"),
            "\"@signature-params\": " + params);
    var verifier = Signature.getInstance("SHA256withECDSA");
    verifier.initVerify(key);
    verifier.update(base.getBytes(StandardCharsets.ISO_8859_1));
    boolean isGood = verifier.verify(Base64.getDecoder().decode(signed.group(1)));
    return isGood ? null : "the signature does not verify";
  }

  /** In production keep the list for some minutes, and fetch it again for an unknown id. */
  static PublicKey publicKey(String id) throws Exception {
    var request =
        HttpRequest.newBuilder(
                URI.create(env("MALIPO_URL", "http://127.0.0.1:8080") + "/v2/public-key/http"))
            .header("Authorization", "Bearer " + System.getenv("MALIPO_TOKEN"))
            .timeout(Duration.ofSeconds(5))
            .build();
    String keys = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    // Java has no JSON of its own; a program uses a library.
    var found =
        Pattern.compile(
                "\"id\":\"" + Pattern.quote(id) + "\",\"key\":\"-----BEGIN PUBLIC KEY-----(.*?)-----END")
            .matcher(keys);
    if (!found.find()) return null;
    byte[] der = Base64.getDecoder().decode(found.group(1).replace("\\n", ""));
    return KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(der));
  }

  static String text(Headers headers, String name) {
    String value = headers.getFirst(name);
    return value == null ? "" : value;
  }

  static String env(String name, String otherwise) {
    return System.getenv().getOrDefault(name, otherwise);
  }
}
