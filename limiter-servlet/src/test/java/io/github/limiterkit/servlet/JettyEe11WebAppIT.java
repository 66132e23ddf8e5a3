package io.github.limiterkit.servlet;

import java.nio.file.Path;
import org.eclipse.jetty.ee11.annotations.AnnotationConfiguration;
import org.eclipse.jetty.ee11.webapp.WebAppContext;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

/** A web application in Jetty with the servlet API of Jakarta EE 11. */
@DisplayName("Jetty 12 ee11")
@Tag("servlet-6.1")
class JettyEe11WebAppIT extends WebAppContract {

  @Override
  App.Running deploy(Path folder) throws Exception {
    WebAppContext context = new WebAppContext();
    context.setContextPath("/");
    context.setWar(folder.toString());
    context.setThrowUnavailableOnStartupException(true);
    context.addConfiguration(new AnnotationConfiguration());
    return Jetty.start(context);
  }
}
