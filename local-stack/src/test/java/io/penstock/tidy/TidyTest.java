package io.penstock.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Rules of the house that no other gate checks, over every source file of the repository. */
class TidyTest {
    /** Lines; a file above it has more than one job. */
    private static final int MAX_FILE_LINES = 600;

    /** Files above it that wait to be parted, with the most lines they may have: the list and its numbers only shrink. */
    private static final Map<String, Integer> TO_BE_PARTED = Map.of(
            "TestingReplica.java", 843,
            "Mesh.java", 677,
            "RaftLog.java", 643);

    /** Lines from the opening to the closing brace. */
    private static final int MAX_METHOD_LINES = 80;

    private static final Set<String> SKIPPED_FOLDERS =
            Set.of("target", "node_modules", "dist", ".git", ".penstock", "test-results", "playwright-report", "shots");

    private static final Set<String> SOURCES = Set.of(
            "java",
            "ts",
            "tsx",
            "js",
            "mjs",
            "css",
            "html",
            "sh",
            "xml",
            "sql",
            "py",
            "go",
            "json",
            "md",
            "yml",
            "properties",
            "conf");

    private record Rule(String name, Pattern pattern, Set<String> endings, String remedy) {}

    private static final List<Rule> RULES = List.of(
            rule(
                    "no open ends",
                    "\\b(TODO" + "|FIXME|XXX|HACK)\\b",
                    Set.of("java", "ts", "tsx", "js", "sh"),
                    "do it, or leave the feature out visibly"),
            rule("no sleeping", "Thread\\.sle" + "ep\\(", Set.of("java"), "await a condition with a deadline"),
            rule(
                    "no mocks",
                    "org\\.mock" + "ito|easymock|jmockit",
                    Set.of("java", "xml"),
                    "write a Testing… fake behind a port"),
            rule(
                    "no machine paths",
                    "/(root|home)/[a-z]+/|/wor" + "k/",
                    SOURCES,
                    "take it from the environment or a relative path"),
            rule("no wildcard imports", "^import (static )?[\\w.]+\\.\\*;", Set.of("java"), "import what is used"),
            rule("no printed stack traces", "\\.printStackTrace\\(\\)", Set.of("java"), "log it, with what it means"));

    private static Rule rule(String name, String pattern, Set<String> endings, String remedy) {
        return new Rule(name, Pattern.compile(pattern, Pattern.MULTILINE), endings, remedy);
    }

    @TestFactory
    Stream<DynamicTest> rules() throws IOException {
        List<Path> sources = sources();
        assertThat(sources).as("the walk finds the sources").hasSizeGreaterThan(50);
        Stream<DynamicTest> patterns = RULES.stream()
                .map(rule -> DynamicTest.dynamicTest(
                        rule.name(),
                        () -> assertThat(breaches(rule, sources))
                                .as("%s: %s", rule.name(), rule.remedy())
                                .isEmpty()));
        Stream<DynamicTest> lengths = Stream.of(
                DynamicTest.dynamicTest(
                        "no long files", () -> assertThat(longFiles(sources)).isEmpty()),
                DynamicTest.dynamicTest(
                        "no long methods",
                        () -> assertThat(longMethods(sources)).isEmpty()));
        return Stream.concat(patterns, lengths);
    }

    private static List<String> breaches(Rule rule, List<Path> sources) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path source : sources) {
            if (!rule.endings().contains(ending(source)) || source.endsWith("TidyTest.java")) {
                continue;
            }
            List<String> lines = lines(source);
            for (int i = 0; i < lines.size(); i++) {
                boolean allowed = lines.get(i).contains("tidy: allowed");
                if (!allowed && rule.pattern().matcher(lines.get(i)).find()) {
                    found.add(source + ":" + (i + 1) + ": " + lines.get(i).strip());
                }
            }
        }
        return found;
    }

    private static List<String> longFiles(List<Path> sources) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path source : sources) {
            if (Set.of("java", "ts", "tsx").contains(ending(source)) && !generated(source)) {
                int lines = lines(source).size();
                int most = TO_BE_PARTED.getOrDefault(source.getFileName().toString(), MAX_FILE_LINES);
                if (lines > most) {
                    found.add(source + ": " + lines + " lines");
                }
            }
        }
        return found;
    }

    /** By indentation, which the formatter guarantees: a member starts at four spaces and ends with a brace there. */
    private static List<String> longMethods(List<Path> sources) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path source : sources) {
            if (!ending(source).equals("java")) {
                continue;
            }
            int start = -1;
            List<String> lines = lines(source);
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i);
                if (line.startsWith("    ") && !line.startsWith("     ") && line.endsWith("{")) {
                    start = line.contains("class ")
                                    || line.contains("enum ")
                                    || line.contains("interface ")
                                    || line.contains("record ")
                            ? -1
                            : i;
                } else if (line.equals("    }") && start >= 0) {
                    if (i - start > MAX_METHOD_LINES) {
                        found.add(source + ":" + (start + 1) + ": " + (i - start) + " lines");
                    }
                    start = -1;
                }
            }
        }
        return found;
    }

    private static boolean generated(Path source) throws IOException {
        List<String> lines = lines(source);
        return lines.stream()
                .limit(2)
                .anyMatch(line -> line.toLowerCase(Locale.ROOT).contains("generated"));
    }

    private static List<Path> sources() throws IOException {
        Path root = Path.of("").toAbsolutePath().getParent();
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(Files::isRegularFile)
                    .filter(path -> wanted(root.relativize(path)))
                    .filter(path -> SOURCES.contains(ending(path)))
                    .toList();
        }
    }

    private static boolean wanted(Path relative) {
        for (Path part : relative) {
            if (SKIPPED_FOLDERS.contains(part.toString())) {
                return false;
            }
        }
        return !relative.endsWith("package-lock.json");
    }

    private static String ending(Path path) {
        String name = path.getFileName().toString();
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private static List<String> lines(Path path) throws IOException {
        try {
            return Files.readAllLines(path);
        } catch (MalformedInputException e) {
            return List.of();
        }
    }
}
