package io.github.limiterkit.examples.outagereplay;

import com.google.common.io.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The report to look at: one file, which needs nothing else. */
final class Report {

  private Report() {}

  static String html(Results results) {
    StringBuilder page = new StringBuilder();
    for (Outage outage : Outage.values()) {
      List<Run> runs = results.runs(outage);
      page.append("<h2>Outage ")
          .append(outage)
          .append(": ")
          .append(outage.title())
          .append("</h2>\n");
      page.append("<p>").append(results.story(outage)).append("</p>\n");
      page.append(Table.html(results.figures(outage)));
      page.append("<div class=\"charts\">\n");
      Charts.of(runs).forEach(chart -> page.append(figure(chart)));
      page.append("</div>\n");
    }
    page.append("<h2>What a divided limit costs</h2>\n<p>").append(Words.CURVE).append("</p>\n");
    page.append("<div class=\"charts\">\n");
    results.curveCharts().forEach(chart -> page.append(figure(chart)));
    page.append("</div>\n");
    return template()
        .replace("@run@", results.about())
        .replace("@setting@", Words.SETTING)
        .replace("@figures@", Words.FIGURES)
        .replace("@strategies@", strategies())
        .replace("@page@", page.toString());
  }

  private static String figure(Chart chart) {
    return "<figure>" + chart.svg() + "</figure>\n";
  }

  private static String strategies() {
    StringBuilder items = new StringBuilder();
    for (Strategy strategy : Strategy.values()) {
      items
          .append("<li><b>")
          .append(strategy.id())
          .append("</b> ")
          .append(strategy.does())
          .append(". Modelled on: ")
          .append(strategy.model())
          .append(".</li>\n");
    }
    return items.toString();
  }

  private static String template() {
    try {
      return Resources.toString(
          Resources.getResource(Report.class, "report.html"), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
