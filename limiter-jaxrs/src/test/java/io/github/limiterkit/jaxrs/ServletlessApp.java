package io.github.limiterkit.jaxrs;

import io.github.limiterkit.http.HttpPolicy;
import io.github.limiterkit.setup.LimiterKit;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.server.ContainerResponse;
import org.glassfish.jersey.server.ResourceConfig;

/** Jersey without a server, to be loaded where there is no Servlet API; answers in plain text. */
public final class ServletlessApp implements Callable<List<String>> {

  @Override
  public List<String> call() throws Exception {
    HttpPolicy route = HttpPolicy.named("route").limits("2/1h").build();
    HttpPolicy method = HttpPolicy.named("p").limits("9/1h").build();
    try (LimiterKit kit = LimiterKit.inMemory().route("/base/m", route).policy(method).build()) {
      AddressResolver addresses = request -> request.getHeaderString("X-Peer");
      ApplicationHandler jersey =
          new ApplicationHandler(
              new ResourceConfig()
                  .register(new RateLimitFeature(kit, addresses))
                  .register(new Resources.Meta()));
      List<String> answers = new ArrayList<>();
      for (String peer : new String[] {"198.51.100.7", "198.51.100.7", "198.51.100.8", ""}) {
        answers.add(ask(jersey, "/base/m", peer));
      }
      for (String path : new String[] {"/base/m", "/base//m", "/base/%6d", "/base/m/"}) {
        answers.add(ask(jersey, path, "198.51.100.7").substring(0, 3));
      }
      return answers;
    }
  }

  private static String ask(ApplicationHandler jersey, String path, String peer) throws Exception {
    ContainerRequest request =
        new ContainerRequest(
            URI.create("http://localhost/base/"),
            URI.create("http://localhost" + path),
            "GET",
            null,
            new MapPropertiesDelegate(),
            jersey.getConfiguration());
    request.header("X-Peer", peer);
    ContainerResponse response = jersey.apply(request).get();
    return response.getStatus() + " " + response.getHeaderString("RateLimit");
  }
}
