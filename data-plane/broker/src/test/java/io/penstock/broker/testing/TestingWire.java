package io.penstock.broker.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** A client of plain lines: what is sent and received is what stands in the test. */
public final class TestingWire implements AutoCloseable {
    private static final int DEADLINE_MILLIS = 60_000;

    private final Socket socket;
    private final InputStream in;
    private final String info;

    private TestingWire(Socket socket) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        socket.setSoTimeout(DEADLINE_MILLIS);
        this.info = line();
    }

    /** Connects and reads INFO. */
    public static TestingWire open(int port) throws IOException {
        return new TestingWire(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    /** Connects and sends CONNECT with these fields, quiet and without echo of +OK. */
    public static TestingWire connect(int port, String fields) throws IOException {
        TestingWire wire = open(port);
        String rest = fields.isEmpty() ? "" : "," + fields;
        wire.send("CONNECT {\"verbose\":false,\"pedantic\":false,\"headers\":true,\"no_responders\":true,\"protocol\":1"
                + rest + "}");
        return wire;
    }

    /** As {@link #connect}, and waits until the server has answered a PING. */
    public static TestingWire admitted(int port, String fields) throws IOException {
        TestingWire wire = connect(port, fields);
        wire.flush();
        return wire;
    }

    public String info() {
        return info;
    }

    public String nonce() {
        String marker = "\"nonce\":\"";
        int start = info.indexOf(marker) + marker.length();
        return info.substring(start, info.indexOf('"', start));
    }

    public void send(String line) throws IOException {
        socket.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    public void publish(String subject, String reply, String payload) throws IOException {
        send("PUB " + subject + (reply.isEmpty() ? "" : " " + reply) + " " + payload.length() + "\r\n" + payload);
    }

    /** Sends PING and reads until its PONG; anything but INFO and PING in between is an error. */
    public void flush() throws IOException {
        send("PING");
        String line = line();
        while (line.startsWith("INFO ") || line.equals("PING")) {
            line = line();
        }
        if (!line.equals("PONG")) {
            throw new IOException("expected PONG, got " + line);
        }
    }

    /** The next line that is not INFO or PING; null when the server closed the connection. */
    public String next() throws IOException {
        String line = line();
        while (line != null && (line.startsWith("INFO ") || line.equals("PING"))) {
            line = line();
        }
        return line;
    }

    /** The next message: subject, reply or nothing, headers and payload. */
    public Message message() throws IOException {
        String line = next();
        if (line == null || !(line.startsWith("MSG ") || line.startsWith("HMSG "))) {
            throw new IOException("expected a message, got " + line);
        }
        String[] parts = line.split(" ");
        boolean headers = parts[0].equals("HMSG");
        int sizes = headers ? 2 : 1;
        int total = Integer.parseInt(parts[parts.length - 1]);
        int headerLength = headers ? Integer.parseInt(parts[parts.length - 2]) : 0;
        String reply = parts.length - sizes > 3 ? parts[3] : "";
        String body = new String(in.readNBytes(total + 2), StandardCharsets.ISO_8859_1);
        return new Message(
                parts[1], parts[2], reply, body.substring(0, headerLength), body.substring(headerLength, total));
    }

    /** A message as it came. */
    public record Message(String subject, String sid, String reply, String headers, String payload) {}

    /** Subscribes an inbox, asks and gives the first answer. */
    public Message request(String subject, String payload) throws IOException {
        String inbox = "_INBOX." + Long.toHexString(System.nanoTime());
        send("SUB " + inbox + " r" + inbox.substring(7));
        publish(subject, inbox, payload);
        return message();
    }

    /** Whether nothing comes before the answer to a PING; what does come is printed. */
    public boolean isQuiet() throws IOException {
        send("PING");
        String line = next();
        if ("PONG".equals(line)) {
            return true;
        }
        System.out.println("not quiet: " + line);
        return false;
    }

    /** Whether the server closes the connection within the deadline. */
    public boolean isClosed() throws IOException {
        try {
            return next() == null;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    private String line() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int b = in.read();
        while (b >= 0 && b != '\n') {
            if (b != '\r') {
                bytes.write(b);
            }
            b = in.read();
        }
        return b < 0 && bytes.size() == 0 ? null : bytes.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
