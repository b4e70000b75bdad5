package io.penstock.benchmarks;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A client with many requests under way. Answers are heard on the connection's thread; what that thread sends in turn
 * goes out when it has nothing left to read, so that a window of requests is one write.
 */
final class ApiConnection implements AutoCloseable {
    /** Hears the answer to a request, on the connection's thread. */
    interface Answer {
        /**
         * @param status of the headers, 503 when nobody took the request, 0 when there is none
         * @param body what was answered; null when the connection is lost
         */
        void answered(int status, byte[] body);
    }

    private static final byte[] LINE = {'\r', '\n'};
    private static final int BUFFER = 256 << 10;

    private final Socket socket;
    private final InputStream in;
    private final Thread reader;
    private final String inbox;
    private final AtomicLong next = new AtomicLong();
    private final Map<Long, Answer> waiting = new ConcurrentHashMap<>();

    /** Guarded by itself. */
    private final OutputStream out;

    private ApiConnection(Socket socket, String inbox) throws IOException {
        this.socket = socket;
        this.inbox = inbox;
        this.in = new BufferedInputStream(socket.getInputStream(), BUFFER);
        this.out = new BufferedOutputStream(socket.getOutputStream(), BUFFER);
        this.reader = new Thread(this::read, "api-connection");
        reader.setDaemon(true);
    }

    static ApiConnection open(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        ApiConnection connection = new ApiConnection(socket, "_INBOX.b" + Long.toString(System.nanoTime(), 36) + ".");
        connection.send("CONNECT {\"verbose\":false,\"headers\":true,\"no_responders\":true,\"lang\":\"bench\","
                + "\"version\":\"1\",\"protocol\":1}\r\nPING\r\nSUB " + connection.inbox + "* 1\r\n");
        connection.reader.start();
        return connection;
    }

    private void send(String text) throws IOException {
        synchronized (out) {
            out.write(text.getBytes(StandardCharsets.ISO_8859_1));
            flushElsewhere();
        }
    }

    private void flushElsewhere() throws IOException {
        if (Thread.currentThread() != reader) {
            out.flush();
        }
    }

    /** Sends a request; the answer is told at most once. */
    void request(String subject, byte[] body, Answer answer) throws IOException {
        long id = next.incrementAndGet();
        waiting.put(id, answer);
        String head = "PUB " + subject + " " + inbox + id + " " + body.length + "\r\n";
        synchronized (out) {
            out.write(head.getBytes(StandardCharsets.ISO_8859_1));
            out.write(body);
            out.write(LINE);
            flushElsewhere();
        }
    }

    private void read() {
        try {
            while (true) {
                if (in.available() == 0) {
                    synchronized (out) {
                        out.flush();
                    }
                }
                String line = line();
                if (line.startsWith("MSG ")) {
                    String[] fields = line.split(" ");
                    byte[] body = in.readNBytes(Integer.parseInt(fields[fields.length - 1]));
                    in.skipNBytes(2);
                    heard(fields[1], 0, body);
                } else if (line.startsWith("HMSG ")) {
                    String[] fields = line.split(" ");
                    int headers = Integer.parseInt(fields[fields.length - 2]);
                    byte[] all = in.readNBytes(Integer.parseInt(fields[fields.length - 1]));
                    in.skipNBytes(2);
                    heard(fields[1], status(all, headers), Arrays.copyOfRange(all, headers, all.length));
                } else if (line.equals("PING")) {
                    send("PONG\r\n");
                }
            }
        } catch (IOException e) {
            waiting.values().forEach(answer -> answer.answered(0, null));
            waiting.clear();
        }
    }

    private void heard(String subject, int status, byte[] body) {
        Answer answer = waiting.remove(Long.parseLong(subject.substring(inbox.length())));
        if (answer != null) {
            answer.answered(status, body);
        }
    }

    private static int status(byte[] message, int headers) {
        if (headers < 12 || message[8] != ' ') {
            return 0;
        }
        return Integer.parseInt(new String(message, 9, 3, StandardCharsets.ISO_8859_1));
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder(64);
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException();
            }
            line.append((char) b);
        }
        line.setLength(Math.max(0, line.length() - 1));
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
