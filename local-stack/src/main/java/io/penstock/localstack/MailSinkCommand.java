package io.penstock.localstack;

import io.penstock.localstack.mail.MailBox;
import io.penstock.localstack.mail.MailPages;
import io.penstock.localstack.mail.SmtpListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the mail sink; started by {@code up}. */
@Command(
        name = "mail-sink",
        hidden = true,
        mixinStandardHelpOptions = true,
        description = "Takes mails over SMTP and shows them on a web page.")
final class MailSinkCommand implements Callable<Integer> {
    @Option(names = "--smtp-port", required = true, description = "Port for SMTP on loopback.")
    private int smtpPort;

    @Option(names = "--web-port", required = true, description = "Port of the web page on loopback.")
    private int webPort;

    @Option(names = "--folder", required = true, description = "Where mails are kept, one file each.")
    private Path folder;

    @Override
    public Integer call() throws IOException, InterruptedException {
        MailBox box = new MailBox(folder);
        new SmtpListener(box, smtpPort).start();
        new MailPages(box, webPort).start();
        new CountDownLatch(1).await();
        return 0;
    }
}
