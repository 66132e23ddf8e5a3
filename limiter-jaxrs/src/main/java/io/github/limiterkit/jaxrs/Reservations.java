package io.github.limiterkit.jaxrs;

import io.github.limiterkit.http.Reservation;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request was charged until its outcome is known. Those of the filter before matching and of
 * the one after it lie in the request until there is a response.
 */
final class Reservations {

  private static final String PROPERTY = "io.github.limiterkit.jaxrs.reservations";

  private final List<Reservation> open;

  private Reservations(List<Reservation> open) {
    this.open = open;
  }

  static void keep(@Nullable Reservation reservation, ContainerRequestContext request) {
    if (reservation == null) {
      return;
    }
    List<Reservation> open = new ArrayList<>(2);
    if (request.getProperty(PROPERTY) instanceof Reservations before) {
      open.addAll(before.open);
    }
    open.add(reservation);
    request.setProperty(PROPERTY, new Reservations(open));
  }

  static void settle(ContainerRequestContext request, int status) {
    if (request.getProperty(PROPERTY) instanceof Reservations reservations) {
      reservations.open.forEach(reservation -> reservation.settle(status));
    }
  }
}
