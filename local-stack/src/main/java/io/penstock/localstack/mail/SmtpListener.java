package io.penstock.localstack.mail;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import org.subethamail.smtp.MessageContext;
import org.subethamail.smtp.MessageHandler;
import org.subethamail.smtp.server.SMTPServer;

/** Accepts every mail for anybody, on loopback only. */
public final class SmtpListener {
    private final SMTPServer server;

    public SmtpListener(MailBox box, int port) {
        server = SMTPServer.port(port)
                .bindAddress(InetAddress.getLoopbackAddress())
                .messageHandlerFactory(context -> new Receiver(box, context))
                .build();
    }

    public void start() {
        server.start();
    }

    /** One SMTP transaction. */
    private record Receiver(MailBox box, MessageContext context) implements MessageHandler {
        @Override
        public void from(String sender) {
            // Anybody may write.
        }

        @Override
        public void recipient(String recipient) {
            // To anybody.
        }

        @Override
        public String data(InputStream content) throws IOException {
            box.add(content.readAllBytes());
            return null;
        }

        @Override
        public void done() {
            // Nothing is held beyond the mail itself.
        }
    }
}
