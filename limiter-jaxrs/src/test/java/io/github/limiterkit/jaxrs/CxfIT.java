package io.github.limiterkit.jaxrs;

import org.apache.cxf.jaxrs.servlet.CXFNonSpringJaxrsServlet;
import org.junit.jupiter.api.DisplayName;

/** The contract on CXF 4, in Jetty. */
@DisplayName("CXF 4.1")
class CxfIT extends RestAdapterContract {

  CxfIT() {
    super(app -> JettyServlet.start(app, new CXFNonSpringJaxrsServlet(app)));
  }

  @Override
  public boolean readsBodiesItself() {
    return true; // up to 16 MB
  }

  @Override
  public boolean runsASecondFeature() {
    return true;
  }
}
