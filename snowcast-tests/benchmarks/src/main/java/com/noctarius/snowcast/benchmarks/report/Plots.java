// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.report;

import com.noctarius.snowcast.benchmarks.Result;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries;
import org.knowm.xchart.style.CategoryStyler;
import org.knowm.xchart.style.Styler;

/** Figures as bars. */
final class Plots {
    /** Where the logarithmic axis begins: no call is shorter. */
    private static final double SHORTEST_MICROS = 0.01;

    private static final int WIDTH = 900;
    private static final int HEIGHT = 450;
    private static final List<String> PERCENTILES = List.of("p50", "p99", "p99.9");

    private static final Color DARK = new Color(0x0D, 0x11, 0x17);
    private static final Color ON_DARK = new Color(0xC9, 0xD1, 0xD9);

    /** Can be told apart by everybody, also on paper. */
    private static final List<Color> COLORS = List.of(
            new Color(0x00, 0x72, 0xB2),
            new Color(0xE6, 0x9F, 0x00),
            new Color(0x00, 0x9E, 0x73),
            new Color(0x8C, 0x8C, 0x8C),
            new Color(0xCC, 0x79, 0xA7),
            new Color(0xD5, 0x5E, 0x00));

    /** Those that make no IDs of that layout, or are held at a limit far below the others. */
    private static final List<String> NOT_IN_PLOT = List.of(
            "AtomicLong", "FlakeIdGenerator", "snowcast, default layout", "snowcast, tryNext", "snowcast, tryNextOr");

    /** Of the figures by date: as many threads as the machine has processors. */
    private static final String SHOWN_THREADS = ", 2 threads";

    private Plots() {}

    /** Returns the plots that the figures suffice for, by the name of their file: each for a light page and a dark one. */
    static Map<String, CategoryChart> of(Figures figures) {
        return lightAndDark(() -> light(figures));
    }

    /** Returns those of the figures by date. */
    static Map<String, CategoryChart> of(History history) {
        List<Trend> trends = Trend.ofComparisons(history).stream()
                .filter(trend -> trend.what().endsWith(SHOWN_THREADS))
                .toList();
        return trends.isEmpty() ? Map.of() : lightAndDark(() -> Map.of("ratios.svg", ratios(history, trends)));
    }

    private static Map<String, CategoryChart> lightAndDark(Supplier<Map<String, CategoryChart>> light) {
        Map<String, CategoryChart> charts = new LinkedHashMap<>(light.get());
        light.get().forEach((name, chart) -> charts.put(name.replace(".svg", "-dark.svg"), darkened(chart)));
        return charts;
    }

    private static CategoryChart ratios(History history, List<Trend> trends) {
        CategoryChart chart =
                chart("Rate beside that of others in the same run" + SHOWN_THREADS, "", "times the other");
        chart.getStyler().setOverlapped(true);
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
        chart.getStyler().setLegendLayout(Styler.LegendLayout.Vertical);
        chart.getStyler().setDefaultSeriesRenderStyle(CategorySeries.CategorySeriesRenderStyle.Line);
        List<String> days =
                history.byDate().keySet().stream().map(LocalDate::toString).toList();
        for (Trend trend : trends) {
            List<@Nullable Double> ratios = new ArrayList<>();
            history.byDate().keySet().forEach(day -> ratios.add(trend.byDate().get(day)));
            String what = trend.what().substring(0, trend.what().length() - SHOWN_THREADS.length());
            chart.addSeries(what + " " + trend.wanted(), days, ratios);
        }
        return chart;
    }

    private static CategoryChart darkened(CategoryChart chart) {
        CategoryStyler styler = chart.getStyler();
        styler.setChartBackgroundColor(DARK);
        styler.setPlotBackgroundColor(DARK);
        styler.setLegendBackgroundColor(DARK);
        styler.setLegendBorderColor(DARK);
        styler.setChartFontColor(ON_DARK);
        styler.setAxisTickLabelsColor(ON_DARK);
        styler.setAxisTickMarksColor(ON_DARK);
        styler.setErrorBarsColor(ON_DARK);
        styler.setPlotGridLinesColor(new Color(0x44, 0x4C, 0x56));
        return chart;
    }

    private static Map<String, CategoryChart> light(Figures figures) {
        Map<String, CategoryChart> charts = new LinkedHashMap<>();
        Figures rates = figures.of("throughput").ofMetric("rate");
        if (!rates.isEmpty()) {
            charts.put("throughput.svg", throughput(rates));
        }
        Figures half = figures.of("half the limit");
        if (!half.isEmpty()) {
            charts.put("latency.svg", latency(half));
        }
        Figures saturated = figures.of("saturation");
        if (!saturated.isEmpty()) {
            charts.put("saturation-waits.svg", waits(saturated.ofSetting("4 threads")));
            charts.put("saturation-cpu.svg", cores(saturated.ofMetric("cores busy")));
        }
        Figures stale = figures.of("staleness");
        if (!stale.isEmpty()) {
            charts.put("staleness.svg", staleness(stale));
        }
        return charts;
    }

    private static CategoryChart throughput(Figures rates) {
        CategoryChart chart = chart("IDs per µs by threads, 16 bits of counter", "", "IDs per µs");
        chart.getStyler().setXAxisLabelRotation(35);
        List<String> subjects = rates.subjects().stream()
                .filter(subject -> !NOT_IN_PLOT.contains(subject))
                .toList();
        for (String setting : rates.settings()) {
            Figures ofSetting = rates.ofSetting(setting);
            List<Double> values = new ArrayList<>();
            List<Double> errors = new ArrayList<>();
            for (String subject : subjects) {
                Result result = ofSetting.ofSubject(subject).results().get(0);
                values.add(result.value());
                errors.add(Double.isNaN(result.error()) ? 0 : result.error());
            }
            chart.addSeries(setting, subjects, values, errors);
        }
        return chart;
    }

    private static CategoryChart latency(Figures half) {
        CategoryChart chart =
                chart("Duration of a call at half the limit, 512 IDs per ms", "", "ns, with the timer's own");
        for (String subject : List.of("snowcast", "Agrona", "CosId", "System.currentTimeMillis")) {
            addPercentiles(chart, subject, half.ofSubject(subject), PERCENTILES);
        }
        return chart;
    }

    private static CategoryChart waits(Figures fourThreads) {
        CategoryChart chart = chart("Wait of a call at the limit, 1,024 IDs per ms, 4 threads", "", "µs (logarithmic)");
        chart.getStyler().setYAxisLogarithmic(true);
        chart.getStyler().setYAxisMin(SHORTEST_MICROS);
        chart.getStyler().setYAxisDecimalPattern("#,##0.##");
        List<String> metrics = new ArrayList<>(PERCENTILES);
        metrics.add("max");
        for (String subject : fourThreads.subjects()) {
            addPercentiles(chart, subject, fourThreads.ofSubject(subject), metrics);
        }
        return chart;
    }

    private static CategoryChart cores(Figures cores) {
        CategoryChart chart = chart("Processors busy at the limit, 1,024 IDs per ms", "", "processors");
        for (String subject : cores.subjects()) {
            Figures ofSubject = cores.ofSubject(subject);
            chart.addSeries(
                    subject,
                    ofSubject.settings(),
                    ofSubject.results().stream().map(Result::value).toList());
        }
        return chart;
    }

    private static CategoryChart staleness(Figures stale) {
        CategoryChart chart =
                chart("Age of a timestamp at full rate, 16 bits of counter", "", "ms and 1 (logarithmic)");
        chart.getStyler().setYAxisLogarithmic(true);
        chart.getStyler().setYAxisMin(1.0);
        chart.getStyler().setYAxisDecimalPattern("#,##0");
        for (String subject : stale.subjects()) {
            List<String> names = new ArrayList<>();
            List<Double> values = new ArrayList<>();
            for (String setting : stale.settings()) {
                for (String metric : List.of("p99", "p99.9", "max")) {
                    names.add(metric + ", " + setting);
                    values.add(1
                            + stale.ofSubject(subject)
                                    .ofSetting(setting)
                                    .ofMetric(metric)
                                    .only()
                                    .orElse(0));
                }
            }
            chart.addSeries(subject, names, values);
        }
        chart.getStyler().setXAxisLabelRotation(35);
        return chart;
    }

    private static void addPercentiles(CategoryChart chart, String subject, Figures figures, List<String> metrics) {
        List<Double> values = new ArrayList<>();
        for (String metric : metrics) {
            values.add(figures.ofMetric(metric).only().orElse(0));
        }
        chart.addSeries(subject, metrics, values);
    }

    private static CategoryChart chart(String title, String xTitle, String yTitle) {
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle(xTitle)
                .yAxisTitle(yTitle)
                .build();
        CategoryStyler styler = chart.getStyler();
        styler.setSeriesColors(COLORS.toArray(Color[]::new));
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setPlotBorderVisible(false);
        styler.setPlotGridVerticalLinesVisible(false);
        // A dash is a shape of its own in the file.
        styler.setPlotGridLinesStroke(new BasicStroke(1));
        styler.setLocale(Locale.ROOT);
        styler.setPlotGridLinesColor(new Color(0xDD, 0xDD, 0xDD));
        styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 17));
        styler.setChartTitleBoxVisible(false);
        styler.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14));
        styler.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
        styler.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
        styler.setLegendPosition(Styler.LegendPosition.OutsideS);
        styler.setLegendLayout(Styler.LegendLayout.Horizontal);
        styler.setLegendBorderColor(Color.WHITE);
        styler.setAvailableSpaceFill(0.8);
        return chart;
    }
}
