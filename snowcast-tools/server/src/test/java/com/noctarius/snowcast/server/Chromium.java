// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** A headless Chromium with its own profile. On Debian, it needs the packages chromium and chromium-driver. */
final class Chromium implements AutoCloseable {
    static final Path PICTURES = Path.of("target/pictures");

    private static final Duration DEADLINE = Duration.ofMinutes(3);

    private final ChromeDriver driver;

    private Chromium(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Starts the browser. Skips the test if Chromium or its driver is missing. */
    static Chromium start(Path profile) {
        Optional<Path> browser = find("chromium", "chromium-browser", "google-chrome");
        Optional<Path> remoteControl = find("chromedriver", "chromium.chromedriver");
        if (browser.isEmpty() || remoteControl.isEmpty()) {
            String reason = "The page is not tested in a browser: " + (browser.isEmpty() ? "chromium" : "chromedriver")
                    + " is not on the PATH; on Debian: apt-get install chromium chromium-driver";
            System.out.println(reason);
            Assumptions.abort(reason);
        }
        ChromeOptions options = new ChromeOptions();
        options.setBinary(browser.get().toFile());
        options.addArguments(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
                "--user-data-dir=" + profile);
        return new Chromium(new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(remoteControl.get().toFile())
                        .build(),
                options));
    }

    private static Optional<Path> find(String... names) {
        return Stream.of(System.getenv("PATH").split(":"))
                .flatMap(directory -> Stream.of(names).map(name -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    Chromium open(String url) {
        driver.get(url);
        return this;
    }

    /** Emulates a screen of the given size, in light or dark colours, of a user who prefers less motion. */
    Chromium as(int width, int height, boolean isDark) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(
                                Map.of("name", "prefers-color-scheme", "value", isDark ? "dark" : "light"),
                                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
        return this;
    }

    WebElement find(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    List<WebElement> findAll(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    /** Returns the visible text of an element; empty if the element is hidden. */
    String text(String selector) {
        return find(selector).getText();
    }

    @Nullable
    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    @Nullable
    Object runAsync(String script, Object... arguments) {
        driver.manage().timeouts().scriptTimeout(Duration.ofMinutes(2));
        return driver.executeAsyncScript(script, arguments);
    }

    /**
     * Returns the errors in the browser's log, such as failed scripts and violations of the content security policy.
     */
    List<String> complaints() {
        return driver.manage().logs().get("browser").getAll().stream()
                .filter(entry -> entry.getLevel().equals(Level.SEVERE)) // Axe logs warnings that it is slow.
                .map(Object::toString)
                .toList();
    }

    void await(String selector, String text) throws InterruptedException {
        await(selector + " to show '" + text + "'", () -> text(selector), seen -> seen.contains(text));
    }

    <T> T await(String what, Supplier<T> look, Predicate<T> isThere) throws InterruptedException {
        long end = System.nanoTime() + DEADLINE.toNanos();
        T seen = look.get();
        while (!isThere.test(seen)) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within " + DEADLINE + ": " + what + ", but " + seen
                        + "; the page complains of " + complaints());
            }
            Thread.sleep(50);
            seen = look.get();
        }
        return seen;
    }

    Path picture(String name) {
        try {
            Files.createDirectories(PICTURES);
            return Files.write(PICTURES.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        driver.quit();
    }
}
