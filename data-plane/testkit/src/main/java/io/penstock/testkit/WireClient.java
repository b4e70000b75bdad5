package io.penstock.testkit;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A client that knows nothing but bytes: sends what it is told and reads the protocol item by item. An item is one
 * control line; for MSG and HMSG the payload follows after a bar, with CR LF written as {@code \r\n}.
 */
public final class WireClient implements AutoCloseable {
    /** What {@link #read} answers when the server has closed the connection. */
    public static final String CLOSED = "(closed)";

    /** What {@link #read} answers when nothing came in time. */
    public static final String SILENCE = "(silence)";

    private final Socket socket;
    private final InputStream in;

    public WireClient(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends these bytes (ISO-8859-1). A connection the server has closed swallows them. */
    public void send(String bytes) {
        try {
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
        } catch (SocketException e) {
            // The answer to a refused connection is read, not written.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next item, {@link #CLOSED} or {@link #SILENCE}. */
    public String read(Duration limit) {
        try {
            socket.setSoTimeout(Math.max(1, (int) limit.toMillis()));
            String line = line();
            String[] fields = line.split(" ");
            if (fields[0].equals("MSG") || fields[0].equals("HMSG")) {
                int size = Integer.parseInt(fields[fields.length - 1]);
                byte[] payload = in.readNBytes(size + 2);
                if (payload.length < size + 2) {
                    return CLOSED;
                }
                return line + "|" + escape(new String(payload, 0, size, StandardCharsets.ISO_8859_1));
            }
            return line;
        } catch (SocketTimeoutException e) {
            return SILENCE;
        } catch (EOFException | SocketException e) {
            return CLOSED;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException();
            }
            line.append((char) b);
        }
        int end = line.length();
        return end > 0 && line.charAt(end - 1) == '\r' ? line.substring(0, end - 1) : line.toString();
    }

    private static String escape(String text) {
        return text.replace("\\", "\\\\")
                .replace("\r", "\\r")
                .replace("\n", "\\n")
                .replace("\t", "\\t");
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
