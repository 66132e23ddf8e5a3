package io.github.limiterkit.jaxrs;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Charges requests to policies of the kit, by name. Numbers never live only in bytecode.
 *
 * <pre>{@code
 * @Path("orders") @RateLimited("orders")
 * public class OrdersResource {
 *   @GET public List<Order> list() { ... }
 *   @POST @RateLimited({"orders", "order-writes"}) public Response create(Order order) { ... }
 *   @GET @Path("ping") @Unlimited public String ping() { ... }
 * }
 * }</pre>
 *
 * <p>On a method it replaces that of the class. It is found on superclasses and interfaces, too,
 * and on an annotation of your own that carries it. On a locator, or on the class of one, it is for
 * everything beneath. Routes apply besides.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface RateLimited {

  /**
   * The policies.
   *
   * @return names; one that no policy has fails the start
   */
  String[] value();
}
