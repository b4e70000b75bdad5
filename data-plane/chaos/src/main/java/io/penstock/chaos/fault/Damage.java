package io.penstock.chaos.fault;

import io.penstock.chaos.host.ChaosNode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** F10: one file at a time, of another type each time where there is one, in another way each time. */
final class Damage implements Fault.Action {
    private static final int BLOCK = 4096;
    private static final int PIECE = 64 << 10;

    /** How a file is damaged. */
    private enum Way {
        /** One bit is another. */
        FLIPPED_BIT,
        /** The last 37 bytes are missing. */
        TORN_TAIL,
        /** A block is full of zeros. */
        ZEROED_BLOCK,
        /** Nothing is left. */
        EMPTY
    }

    @Override
    public int strike(Scene scene) throws IOException {
        Set<String> types = new HashSet<>();
        int struck = 0;
        ChaosNode victim = scene.anyNode();
        while (!scene.over()) {
            scene.pause(Duration.ofSeconds(4), Duration.ofSeconds(8));
            victim.kill();
            Path file = pick(scene, victim, types);
            Way way = Way.values()[struck % Way.values().length];
            damage(scene, file, way);
            System.err.printf(
                    "  %s: %s of %s%n", victim.name(), way, victim.store().relativize(file));
            struck++;
            victim.start();
            scene.cluster().awaitHealthy(Duration.ofSeconds(30));
            scene.pause(Duration.ofSeconds(2), Duration.ofSeconds(5));
        }
        return struck;
    }

    private static Path pick(Scene scene, ChaosNode victim, Set<String> types) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(victim.store())) {
            files = new ArrayList<>(all.filter(Files::isRegularFile)
                    .filter(path -> path.toFile().length() > 0)
                    .sorted()
                    .toList());
        }
        if (files.isEmpty()) {
            throw new IllegalStateException("nothing to damage in " + victim.store());
        }
        List<Path> fresh =
                files.stream().filter(path -> !types.contains(type(path))).toList();
        List<Path> from = fresh.isEmpty() ? files : fresh;
        Path file = from.get(scene.random().nextInt(from.size()));
        types.add(type(file));
        return file;
    }

    private static String type(Path file) {
        String name = file.getFileName().toString();
        int dot = name.lastIndexOf('.');
        return dot < 0 ? name : name.substring(dot);
    }

    private static void damage(Scene scene, Path file, Way way) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            long length = written(bytes);
            switch (way) {
                case FLIPPED_BIT -> {
                    long at = (long) (scene.random().nextDouble() * length);
                    bytes.seek(at);
                    int old = bytes.read();
                    bytes.seek(at);
                    bytes.write(old ^ 1 << scene.random().nextInt(8));
                }
                case TORN_TAIL -> bytes.setLength(Math.max(0, length - 37));
                case ZEROED_BLOCK -> {
                    long at = (long) (scene.random().nextDouble() * Math.max(1, length - BLOCK));
                    bytes.seek(at);
                    bytes.write(new byte[(int) Math.min(BLOCK, length - at)]);
                }
                case EMPTY -> bytes.setLength(0);
            }
        }
    }

    /** Up to where a file has something: to damage zeros that a journal prepared behind its frames shows nothing. */
    private static long written(RandomAccessFile file) throws IOException {
        byte[] piece = new byte[PIECE];
        for (long end = file.length(); end > 0; end -= Math.min(end, PIECE)) {
            int length = (int) Math.min(end, PIECE);
            file.seek(end - length);
            file.readFully(piece, 0, length);
            for (int i = length; i > 0; i--) {
                if (piece[i - 1] != 0) {
                    return end - length + i;
                }
            }
        }
        return file.length();
    }
}
