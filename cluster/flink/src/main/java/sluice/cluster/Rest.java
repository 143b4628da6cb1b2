package sluice.cluster;

import static java.net.HttpURLConnection.HTTP_NOT_FOUND;
import static java.net.HttpURLConnection.HTTP_UNAVAILABLE;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;

/** Flink's REST interface, of a master or of several of which one leads. */
final class Rest {
  record Address(String host, int port) {
    private static final int USUAL_PORT = 8081;

    /** With commas between them. */
    static List<Address> parseAll(String text) {
      return Stream.of(text.split(",")).map(String::trim).map(Address::parse).toList();
    }

    private static Address parse(String text) {
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
  /** For which another master may take over. */
  private static final long TAKEOVER_NANOS = 60_000_000_000L;

  /** For which one that leads may not know the jobs yet. */
  private static final long UNKNOWN_NANOS = 15_000_000_000L;

  private static final int LOOK = 200; // ms
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final List<Address> addresses;
  private Address address; // of who answered last
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();

  Rest(List<Address> addresses) {
    this.addresses = addresses;
    address = addresses.get(0);
  }

  /** The master that answered last. */
  Address address() {
    return address;
  }

  JsonNode get(String path) throws IOException, InterruptedException {
    return send("GET", path, "");
  }

  /** Asks until a master answers that knows what is asked for. One that takes over does so late. */
  JsonNode send(String method, String path, String body) throws IOException, InterruptedException {
    for (long begin = System.nanoTime(); ; Thread.sleep(LOOK)) {
      HttpResponse<String> answer = ask(method, path, body);
      if (addresses.size() > 1 && System.nanoTime() - begin < takeover(answer)) {
        continue;
      }
      if (answer == null) {
        throw new UsageException("no cluster answers at " + names());
      }
      if (answer.statusCode() >= 300) {
        throw new UsageException(reason(answer));
      }
      return answer.body().isEmpty() ? MAPPER.createObjectNode() : MAPPER.readTree(answer.body());
    }
  }

  /** For how many ns it is asked again after such an answer, or none. */
  private static long takeover(HttpResponse<String> answer) {
    if (answer == null || answer.statusCode() == HTTP_UNAVAILABLE) {
      return TAKEOVER_NANOS;
    }
    return answer.statusCode() == HTTP_NOT_FOUND ? UNKNOWN_NANOS : 0;
  }

  private String names() {
    return addresses.stream().map(Address::toString).collect(Collectors.joining(", "));
  }

  /** Of the master that answered last, else of another one; null: there is none. */
  private HttpResponse<String> ask(String method, String path, String body)
      throws IOException, InterruptedException {
    List<Address> all = new ArrayList<>(List.of(address));
    addresses.stream().filter(each -> !each.equals(address)).forEach(all::add);
    for (Address each : all) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://" + each + path))
              .timeout(PATIENCE)
              .header("Content-Type", "application/json")
              .method(
                  method,
                  body.isEmpty()
                      ? HttpRequest.BodyPublishers.noBody()
                      : HttpRequest.BodyPublishers.ofString(body))
              .build();
      try {
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        address = each;
        return answer;
      } catch (ConnectException none) {
        // the next one
      } catch (IOException broken) {
        if (addresses.size() == 1 || !method.equals("GET")) {
          throw new IOException(
              each + " broke off, and may have done what it was asked for", broken);
        }
      }
    }
    return null;
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
