package io.github.limiterkit.servlet;

import java.nio.file.Path;
import org.eclipse.jetty.ee10.annotations.AnnotationConfiguration;
import org.eclipse.jetty.ee10.webapp.WebAppContext;

/** A web application in Jetty. */
class JettyWebAppIT extends WebAppContract {

  @Override
  App.Running deploy(Path folder) throws Exception {
    WebAppContext context = new WebAppContext();
    context.setContextPath("/");
    context.setWar(folder.toString());
    context.setThrowUnavailableOnStartupException(true);
    context.addConfiguration(new AnnotationConfiguration());
    return JettyContainer.start(context);
  }
}
