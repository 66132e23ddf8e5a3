package io.github.limiterkit.servlet;

import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.tomcat.util.scan.StandardJarScanner;
import org.junit.jupiter.api.DisplayName;

/** A web application in Tomcat. */
@DisplayName("Tomcat 10.1, Tomcat 11")
class TomcatWebAppIT extends WebAppContract {

  @Override
  App.Running deploy(Path folder) throws Exception {
    return TomcatContainer.start(
        (tomcat, base) -> {
          tomcat.setAddDefaultWebXmlToWebapp(false); // it would ask for JSP
          Context context = tomcat.addWebapp("", folder.toString());
          ((StandardJarScanner) context.getJarScanner()).setScanClassPath(false);
          return context;
        });
  }
}
