import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Collects a payment, refunds it and pays out.
 *
 * <p>MALIPO_URL=http://127.0.0.1:8080 MALIPO_TOKEN=mlp_sbx_… java examples/java/Pay.java
 *
 * <p>Java has no JSON of its own. A program uses a library; here one field is enough.
 */
public class Pay {
  static final String URL = env("MALIPO_URL", "http://127.0.0.1:8080");
  static final HttpClient CLIENT =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  static final String WALLET =
      """
      {"type": "MMO",
       "accountDetails": {"phoneNumber": "260763456789", "provider": "MTN_MOMO_ZMB"}}""";

  public static void main(String[] args) throws Exception {
    // Store each identifier before it is used: it is how you find the payment whatever happens.
    String deposit = uuid();
    complete("deposit", deposit, "\"amount\": \"15\", \"currency\": \"ZMW\", \"payer\": " + WALLET);
    complete("refund", uuid(), "\"depositId\": \"" + deposit + "\"");
    complete("payout", uuid(), "\"amount\": \"15\", \"currency\": \"ZMW\", \"recipient\": " + WALLET);
  }

  /** Starts a payment and waits for its end. */
  static void complete(String kind, String id, String fields) throws Exception {
    String body = "{\"%sId\": \"%s\", %s}".formatted(kind, id, fields);
    String answer = call("POST", "/v2/" + kind + "s", body);
    if (field(answer, "status").equals("REJECTED")) {
      throw new IllegalStateException(field(answer, "failureMessage"));
    }
    long deadline = System.nanoTime() + Duration.ofMinutes(5).toNanos();
    for (long pause = 500; System.nanoTime() < deadline; pause = Math.min(10_000, pause * 2)) {
      String found = call("GET", "/v2/" + kind + "s/" + id, "");
      String status = field(found.substring(found.indexOf("\"data\"")), "status");
      if (status.equals("COMPLETED") || status.equals("FAILED")) {
        System.out.println(kind + " " + id + " " + status);
        return;
      }
      Thread.sleep(pause);
    }
    throw new IllegalStateException(kind + " " + id + " is not final yet; look again later");
  }

  /** Repeats the very same request: its identifier keeps it from starting two payments. */
  static String call(String method, String path, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(URL + path))
            .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .header("Authorization", "Bearer " + System.getenv("MALIPO_TOKEN"))
            .header("Content-Type", "application/json")
            .timeout(Duration.ofSeconds(30))
            .build();
    for (int attempt = 1; attempt <= 5; attempt++) {
      try {
        var response = CLIENT.send(request, BodyHandlers.ofString());
        int status = response.statusCode();
        if (status == 200) return response.body();
        if (status < 500 && status != 429) {
          throw new IllegalStateException(status + " " + response.body());
        }
      } catch (IOException e) {
        System.err.println("attempt " + attempt + ": " + e); // it may have arrived all the same
      }
      Thread.sleep(250L << attempt);
    }
    throw new IOException(method + " " + path + ": no answer; repeat it with the same identifier");
  }

  static String field(String json, String name) {
    var found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
    return found.find() ? found.group(1) : "";
  }

  static String uuid() {
    return UUID.randomUUID().toString();
  }

  static String env(String name, String otherwise) {
    return System.getenv().getOrDefault(name, otherwise);
  }
}
