// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.report;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.internal.chartpart.Chart;

/** Charts as SVG that is the same whenever the chart is, and no longer than it must be. */
final class Svg {
    private static final Pattern DOCTYPE = Pattern.compile("<!DOCTYPE[^>]*>\\s*");
    private static final Pattern FRACTION = Pattern.compile("-?\\d+\\.\\d{2,}");
    private static final Pattern CLIP = Pattern.compile("clip-?\\d{3,}");
    private static final int DECIMALS = 2;

    private Svg() {}

    static String of(Chart<?, ?> chart) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        VectorGraphicsEncoder.saveVectorGraphic(chart, bytes, VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
        String svg = bytes.toString(StandardCharsets.UTF_8).replace("\r\n", "\n");
        svg = DOCTYPE.matcher(svg).replaceFirst("");
        svg = FRACTION.matcher(svg).replaceAll(match -> rounded(match.group()));
        // Named by hash codes.
        Map<String, String> clips = new LinkedHashMap<>();
        return CLIP.matcher(svg)
                .replaceAll(match -> clips.computeIfAbsent(match.group(), name -> "c" + (clips.size() + 1)));
    }

    private static String rounded(String number) {
        BigDecimal rounded = new BigDecimal(number).setScale(DECIMALS, RoundingMode.HALF_EVEN);
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }
}
