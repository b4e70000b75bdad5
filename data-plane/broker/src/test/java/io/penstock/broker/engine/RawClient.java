package io.penstock.broker.engine;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Speaks the bytes that stand in the test. */
final class RawClient implements AutoCloseable {
    static final int DEADLINE_MILLIS = 60_000;

    final Socket socket;
    final String info;
    private final InputStream in;

    RawClient(int port) throws IOException {
        this(new Socket(InetAddress.getLoopbackAddress(), port), true);
    }

    RawClient(Socket socket, boolean readInfo) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(DEADLINE_MILLIS);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
        info = readInfo ? line() : "";
    }

    /** Quiet, with headers and "no responders". */
    static RawClient connect(int port, String fields) throws IOException {
        RawClient client = new RawClient(port);
        client.hello(fields);
        return client;
    }

    void hello(String fields) throws IOException {
        send("CONNECT {\"verbose\":false,\"pedantic\":false,\"headers\":true,\"no_responders\":true"
                + (fields.isEmpty() ? "" : "," + fields) + "}\r\n");
    }

    void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    void publish(String subject, String payload) throws IOException {
        send("PUB " + subject + " " + payload.length() + "\r\n" + payload + "\r\n");
    }

    /** Sends, and gives everything that comes before the answer to a PING. */
    String exchange(String text) throws IOException {
        send(text + "PING\r\n");
        return until("PONG\r\n");
    }

    /** Everything up to and without these bytes. */
    String until(String end) throws IOException {
        byte[] wanted = end.getBytes(StandardCharsets.ISO_8859_1);
        byte[] read = new byte[256];
        int length = 0;
        while (length < wanted.length
                || !Arrays.equals(read, length - wanted.length, length, wanted, 0, wanted.length)) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("closed after: " + new String(read, 0, length, StandardCharsets.ISO_8859_1));
            }
            if (length == read.length) {
                read = Arrays.copyOf(read, length * 2);
            }
            read[length++] = (byte) next;
        }
        return new String(read, 0, length - wanted.length, StandardCharsets.ISO_8859_1);
    }

    /** The next line without its end. */
    String line() throws IOException {
        return until("\r\n");
    }

    /** Everything until the server closes. */
    String untilClosed() throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    /** Exactly so many bytes. */
    byte[] bytes(int count) throws IOException {
        return in.readNBytes(count);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
