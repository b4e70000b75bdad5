package io.penstock.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a node takes.
 *
 * @param heapMib what survives a full collection, -1 where there is no such thing
 * @param diskMib allocated on disk below its store
 */
record Footprint(long residentMib, long heapMib, long threads, long descriptors, long diskMib, long files) {
    private static final Pattern USED = Pattern.compile("used (\\d+)K");

    static Footprint of(Node node, boolean java) throws IOException, InterruptedException {
        long heap = -1;
        if (java) {
            jcmd(node.pid(), "GC.run");
            heap = 0;
            Matcher used = USED.matcher(jcmd(node.pid(), "GC.heap_info").split("Metaspace")[0]);
            while (used.find()) {
                heap += Long.parseLong(used.group(1)) / 1024;
            }
        }
        String[] size = run("du", "-sk", node.store().toString()).split("\\s");
        String files =
                run("sh", "-c", "find " + node.store() + " -type f | wc -l").strip();
        return new Footprint(
                Proc.residentMib(node.pid()),
                heap,
                Proc.threads(node.pid()),
                Proc.descriptors(node.pid()),
                Long.parseLong(size[0]) / 1024,
                Long.parseLong(files));
    }

    private static String jcmd(long pid, String command) throws IOException, InterruptedException {
        Path tool = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        return run(tool.toString(), Long.toString(pid), command);
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + output);
        }
        return output;
    }

    @Override
    public String toString() {
        String heap = heapMib < 0 ? "" : String.format("heap %,d MiB, ", heapMib);
        return String.format(
                "%sRSS %,d MiB, %d threads, %,d descriptors, %,d MiB in %,d files",
                heap, residentMib, threads, descriptors, diskMib, files);
    }
}
