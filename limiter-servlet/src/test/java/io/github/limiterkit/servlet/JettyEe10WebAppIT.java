package io.github.limiterkit.servlet;

import java.nio.file.Path;
import org.eclipse.jetty.ee10.annotations.AnnotationConfiguration;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

/** A web application in Jetty with the servlet API of Jakarta EE 10. */
@DisplayName("Jetty 12 ee10")
@Tag("servlet-6.0")
class JettyEe10WebAppIT extends WebAppContract {

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
