package io.penstock.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.localstack.mail.MailBox;
import io.penstock.localstack.mail.MailPages;
import io.penstock.localstack.mail.SmtpListener;
import jakarta.mail.Message;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.MimeMessage;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MailSinkTest {
    @TempDir
    Path folder;

    private final Ports ports = Ports.random(1);

    @BeforeEach
    void start() throws Exception {
        MailBox box = new MailBox(folder);
        new SmtpListener(box, ports.smtp()).start();
        new MailPages(box, ports.mail()).start();
    }

    @Test
    void showsAMailThatCameOverSmtp() throws Exception {
        send("Your code is 123456", "Welcome <b>there</b>");

        String listed = get("/api/messages");

        assertThat(listed).contains("Your code is 123456", "ada@example.com", "Welcome <b>there</b>");
        assertThat(get("/")).contains("<title>Mail");
    }

    @Test
    void keepsMailsOverARestart() throws Exception {
        send("first", "1");

        assertThat(new MailBox(folder)).isNotNull();
        assertThat(get("/api/messages")).contains("first");
    }

    @Test
    void aMailThatIsNotThereIsNotFound() throws Exception {
        assertThat(status("/api/messages/12345")).isEqualTo(404);
        assertThat(status("/api/messages/..%2F..%2Fsecrets")).isEqualTo(404);
    }

    private void send(String subject, String html) throws Exception {
        Properties properties = new Properties();
        properties.put("mail.smtp.host", "127.0.0.1");
        properties.put("mail.smtp.port", Integer.toString(ports.smtp()));
        MimeMessage message = new MimeMessage(Session.getInstance(properties));
        message.setFrom("noreply@example.com");
        message.setRecipients(Message.RecipientType.TO, "ada@example.com");
        message.setSubject(subject);
        message.setContent(html, "text/html; charset=utf-8");
        Transport.send(message);
    }

    private String get(String path) throws Exception {
        return request(path).body();
    }

    private int status(String path) throws Exception {
        return request(path).statusCode();
    }

    private HttpResponse<String> request(String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + ports.mail() + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }
}
