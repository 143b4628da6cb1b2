package sluice.cluster;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;

/** Flink's REST interface. */
final class Rest {
  record Address(String host, int port) {
    private static final int USUAL_PORT = 8081;

    static Address parse(String text) {
      int colon = text.lastIndexOf(':');
      try {
        return colon < 0
            ? new Address(text, USUAL_PORT)
            : new Address(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
      } catch (NumberFormatException wrong) {
        throw new UsageException("`" + text + "` is no address: HOST or HOST:PORT");
      }
    }

    @Override
    public String toString() {
      return host + ":" + port;
    }
  }

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Address address;
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();

  Rest(Address address) {
    this.address = address;
  }

  JsonNode get(String path) throws IOException, InterruptedException {
    return send("GET", path, "");
  }

  JsonNode send(String method, String path, String body) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + address + path))
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer;
    try {
      answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (ConnectException none) {
      throw new UsageException("no cluster answers at " + address);
    }
    if (answer.statusCode() >= 300) {
      throw new UsageException(reason(answer));
    }
    return answer.body().isEmpty() ? MAPPER.createObjectNode() : MAPPER.readTree(answer.body());
  }

  /** The first line of what Flink says. */
  private String reason(HttpResponse<String> answer) {
    try {
      String text = MAPPER.readTree(answer.body()).path("errors").path(0).asText();
      if (!text.isEmpty()) {
        return address + ": " + text.lines().findFirst().orElse(text);
      }
    } catch (IOException noJson) {
      // then its number
    }
    return address + " answers with status " + answer.statusCode();
  }

  static String quoted(String text) throws IOException {
    return MAPPER.writeValueAsString(text);
  }
}
