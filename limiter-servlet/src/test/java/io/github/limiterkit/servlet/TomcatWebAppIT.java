package io.github.limiterkit.servlet;

import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.tomcat.util.scan.StandardJarScanner;

/** A web application in Tomcat. */
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
