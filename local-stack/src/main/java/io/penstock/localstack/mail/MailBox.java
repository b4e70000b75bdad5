package io.penstock.localstack.mail;

import io.penstock.localstack.StackHome;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Mails as files, the newest last; safe for use by several threads. */
public final class MailBox {
    private static final String SUFFIX = ".eml";

    private final Path folder;
    private final AtomicLong lastId;

    public MailBox(Path folder) throws IOException {
        this.folder = StackHome.create(folder);
        long newest = 0;
        for (String id : ids()) {
            newest = Math.max(newest, Long.parseLong(id));
        }
        lastId = new AtomicLong(newest);
    }

    void add(byte[] mail) throws IOException {
        long now = Clock.systemUTC().millis();
        long id = lastId.updateAndGet(last -> Math.max(last + 1, now));
        Path unfinished = folder.resolve(id + ".part");
        Files.write(unfinished, mail);
        Files.move(unfinished, folder.resolve(id + SUFFIX));
    }

    /** All mails, the newest first. */
    List<Mail> list() throws IOException {
        return ids().stream()
                .sorted(Comparator.comparing(Long::valueOf, Comparator.reverseOrder()))
                .map(this::read)
                .toList();
    }

    /** One mail, or null when there is none of that id. */
    Mail find(String id) throws IOException {
        return ids().contains(id) ? read(id) : null;
    }

    private List<String> ids() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(path -> path.getFileName().toString())
                    .filter(name -> name.toLowerCase(Locale.ROOT).endsWith(SUFFIX))
                    .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                    .toList();
        }
    }

    private Mail read(String id) {
        try (InputStream file = Files.newInputStream(folder.resolve(id + SUFFIX))) {
            return Mail.of(id, new MimeMessage(Session.getInstance(new Properties()), file));
        } catch (IOException | MessagingException e) {
            return Mail.unreadable(id, String.valueOf(e.getMessage()));
        }
    }
}
