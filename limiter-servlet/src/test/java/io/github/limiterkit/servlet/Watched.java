package io.github.limiterkit.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.List;

/** Notes when somebody asks how a request was dispatched after the application has run. */
final class Watched extends HttpServletRequestWrapper {

  /** The attribute that the application sets when it runs. */
  static final String OVER = "over";

  private final List<String> wrong;

  Watched(HttpServletRequest request, List<String> wrong) {
    super(request);
    this.wrong = wrong;
  }

  @Override
  public DispatcherType getDispatcherType() {
    if (getAttribute(OVER) != null) {
      wrong.add("the dispatcher type was asked for after the chain");
    }
    return super.getDispatcherType();
  }
}
