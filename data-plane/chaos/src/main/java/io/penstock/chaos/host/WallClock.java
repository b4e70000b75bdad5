package io.penstock.chaos.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/** The wall clock of one node, which can be set wrong while its monotonic clock goes on. Needs a C compiler. */
public final class WallClock {
    private static final String SOURCE = "/wallclock.c";

    private final Path library;
    private final Path offset;

    WallClock(Path folder) {
        library = folder.resolve("wallclock.so");
        offset = folder.resolve("wallclock.offset");
        Path source = folder.resolve("wallclock.c");
        try (InputStream in = WallClock.class.getResourceAsStream(SOURCE)) {
            Files.copy(in, source, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Commands.run("cc", "-O2", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl");
        shift(0);
    }

    /** Sets the clock off by so many nanoseconds. */
    public void shift(long nanos) {
        try (RandomAccessFile file = new RandomAccessFile(offset.toFile(), "rw")) {
            ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
            file.write(bytes.putLong(0, nanos).array());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), "PENSTOCK_WALLCLOCK", offset.toString());
    }
}
