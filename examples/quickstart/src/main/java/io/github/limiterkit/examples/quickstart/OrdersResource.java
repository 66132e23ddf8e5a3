package io.github.limiterkit.examples.quickstart;

import io.github.limiterkit.jaxrs.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;

/** The orders of whoever shows a key. */
@Path("orders")
@RateLimited("orders")
public final class OrdersResource {

  /**
   * Lists them.
   *
   * @param security who asks
   * @return the orders, or 401 without a known key
   */
  @GET
  @Produces(MediaType.APPLICATION_JSON)
  public Response list(@Context SecurityContext security) {
    if (security.getUserPrincipal() == null) {
      return Response.status(Response.Status.UNAUTHORIZED)
          .entity("{\"error\":\"send X-Api-Key: demo-1\"}")
          .build();
    }
    return Response.ok("[{\"order\":1,\"item\":\"tea\"}]").build();
  }
}
