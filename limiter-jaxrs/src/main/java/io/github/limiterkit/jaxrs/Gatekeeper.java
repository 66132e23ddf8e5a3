package io.github.limiterkit.jaxrs;

import io.github.limiterkit.http.Field;
import io.github.limiterkit.http.HttpRateLimiter;
import io.github.limiterkit.http.Refusal;
import io.github.limiterkit.http.RequestView;
import io.github.limiterkit.http.ResponseView;
import io.github.limiterkit.http.Verdict;
import io.github.limiterkit.setup.LimiterKit;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the three filters share: they ask here, and what is refused is answered here. */
final class Gatekeeper {

  private final LimiterKit kit;
  private final AddressResolver addresses;

  Gatekeeper(LimiterKit kit, AddressResolver addresses) {
    this.kit = kit;
    this.addresses = addresses;
  }

  LimiterKit kit() {
    return kit;
  }

  private HttpRateLimiter limiter() {
    return kit.http();
  }

  private RequestView view(ContainerRequestContext request) {
    return new RestRequestView(request, addresses);
  }

  /** Asks the policies that need no user. */
  void checkBeforeMatching(ContainerRequestContext request) {
    answer(limiter().checkBeforeAuthentication(view(request), ResponseView.EMPTY), request);
  }

  /** Asks all other policies, and those of the annotations. */
  void checkAfterMatching(ContainerRequestContext request, Collection<String> names) {
    answer(limiter().check(view(request), ResponseView.EMPTY, names), request);
  }

  /** What the fields are beside those of others is said by {@link #setFields}, in the end. */
  private static void answer(Verdict verdict, ContainerRequestContext request) {
    Reservations.keep(verdict.reservation(), request);
    Refusal refusal = verdict.refusal();
    if (refusal == null) {
      return;
    }
    Response.ResponseBuilder response =
        Response.status(refusal.status())
            .header(HttpHeaders.CONTENT_TYPE, refusal.contentType())
            .header(HttpHeaders.CONTENT_LENGTH, refusal.contentLength());
    for (Field field : verdict.fields()) {
      response.header(field.name(), field.value());
    }
    // In answer to HEAD, too: the server drops it, and without it CXF says that its length is 0.
    response.entity(refusal.body().getBytes(StandardCharsets.UTF_8));
    // Never thrown: an exception mapper of the application could make something else of it.
    request.abortWith(response.build());
  }

  /** Says on a response what was decided for its request, in all adapters. */
  void setFields(
      ContainerRequestContext request, MultivaluedMap<String, Object> headers, int status) {
    List<Field> fields =
        limiter().fields(view(request), name -> present(request, headers, name), status);
    for (Field field : fields) {
      headers.putSingle(field.name(), field.value());
    }
  }

  private static Collection<String> present(
      ContainerRequestContext request, MultivaluedMap<String, Object> headers, String name) {
    List<String> lines = new ArrayList<>(outside(request, name));
    List<Object> own = headers.get(name);
    if (own != null) {
      own.forEach(value -> lines.add(String.valueOf(value)));
    }
    return lines;
  }

  private static Collection<String> outside(ContainerRequestContext request, String name) {
    @Nullable Peer peer = Peer.of(request);
    return peer == null ? List.of() : peer.responseHeaders(name);
  }
}
