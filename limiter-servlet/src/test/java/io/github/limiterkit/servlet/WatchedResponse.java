package io.github.limiterkit.servlet;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.util.List;

/** Notes when a field is set to nothing, or all of the response is taken back. */
final class WatchedResponse extends HttpServletResponseWrapper {

  private final List<String> wrong;

  WatchedResponse(HttpServletResponse response, List<String> wrong) {
    super(response);
    this.wrong = wrong;
  }

  @Override
  public void setHeader(String name, String value) {
    note(name, value);
    super.setHeader(name, value);
  }

  @Override
  public void addHeader(String name, String value) {
    note(name, value);
    super.addHeader(name, value);
  }

  @Override
  public void reset() {
    wrong.add("the response was reset");
    super.reset();
  }

  private void note(String name, String value) {
    if (value == null || value.isEmpty()) {
      wrong.add(name + " was set to nothing");
    }
  }
}
