import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Makes one uncompressed jar of many, which a JVM opens faster: {@code MergeJars OUTPUT NATIVE_FOLDER JAR…}. Where jars
 * hold the same file the first wins, except that service files are joined and licences kept apart by jar. Native
 * libraries go into a folder, so that they need not be unpacked at each start.
 */
public final class MergeJars {
    private static final String SERVICES = "META-INF/services/";
    private static final String NATIVE = "META-INF/native/";

    private final Set<String> written = new HashSet<>();
    private final Map<String, StringBuilder> services = new LinkedHashMap<>();
    private final Path natives;
    private final ZipOutputStream out;

    private MergeJars(OutputStream target, Path natives) {
        this.out = new ZipOutputStream(target);
        this.natives = natives;
        out.setMethod(ZipOutputStream.STORED);
    }

    public static void main(String[] arguments) throws IOException {
        Path natives = Path.of(arguments[1]);
        Files.createDirectories(natives);
        try (OutputStream target = Files.newOutputStream(Path.of(arguments[0]))) {
            MergeJars merge = new MergeJars(target, natives);
            merge.add("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n".getBytes(
                    StandardCharsets.UTF_8));
            for (String jar : Arrays.asList(arguments).subList(2, arguments.length)) {
                merge.addAll(Path.of(jar));
            }
            for (Map.Entry<String, StringBuilder> service : merge.services.entrySet()) {
                merge.add(service.getKey(), service.getValue().toString().getBytes(StandardCharsets.UTF_8));
            }
            merge.out.finish();
        }
    }

    private void addAll(Path jar) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                if (!entry.isDirectory()) {
                    try (InputStream in = zip.getInputStream(entry)) {
                        addOne(jar.getFileName().toString(), entry.getName(), in.readAllBytes());
                    }
                }
            }
        }
    }

    private void addOne(String jar, String name, byte[] content) throws IOException {
        String file = name.substring(name.lastIndexOf('/') + 1);
        boolean signature = name.matches("META-INF/[^/]+\\.(SF|RSA|DSA|EC)");
        if (signature || name.equals("META-INF/MANIFEST.MF") || file.equals("module-info.class")) {
            return;
        }
        if (name.startsWith(NATIVE)) {
            Files.write(natives.resolve(file), content);
        } else if (name.startsWith(SERVICES)) {
            services.computeIfAbsent(name, key -> new StringBuilder())
                    .append(new String(content, StandardCharsets.UTF_8))
                    .append('\n');
        } else if (file.startsWith("LICENSE") || file.startsWith("NOTICE")) {
            add("META-INF/licenses/" + jar + "/" + file, content);
        } else {
            add(name, content);
        }
    }

    private void add(String name, byte[] content) throws IOException {
        if (!written.add(name)) {
            return;
        }
        CRC32 crc = new CRC32();
        crc.update(content);
        ZipEntry entry = new ZipEntry(name);
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(content.length);
        entry.setCompressedSize(content.length);
        entry.setCrc(crc.getValue());
        // The same input makes the same file, and with it the same name of the cache.
        entry.setTime(0);
        out.putNextEntry(entry);
        out.write(content);
        out.closeEntry();
    }
}
