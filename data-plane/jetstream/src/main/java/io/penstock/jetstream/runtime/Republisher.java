package io.penstock.jetstream.runtime;

import io.penstock.jetstream.state.BatchRecord;
import io.penstock.jetstream.state.BatchResult;
import io.penstock.jetstream.state.Headers;
import io.penstock.jetstream.state.PublishResult;
import io.penstock.jetstream.state.StreamMachine;
import io.penstock.protocol.InvalidTransformException;
import io.penstock.protocol.SubjectTransform;
import io.penstock.protocol.Subjects;
import io.penstock.protocol.jetstream.GoTime;
import io.penstock.protocol.jetstream.Republish;
import java.util.Arrays;
import java.util.List;

/** Publishes stored messages again, with headers that tell where they are stored. */
final class Republisher {
    private final AccountRuntime account;
    private final StreamMachine stream;
    private SubjectTransform transform;

    Republisher(AccountRuntime account, StreamMachine stream) {
        this.account = account;
        this.stream = stream;
        configure();
    }

    /** Reads the stream's configuration anew. */
    void configure() {
        Republish config = stream.config().republish();
        transform = null;
        if (config != null) {
            try {
                String source = config.src().isEmpty() ? ">" : Subjects.fromUtf8(config.src());
                transform = SubjectTransform.of(source, Subjects.fromUtf8(config.dest()));
            } catch (InvalidTransformException e) {
                throw new IllegalStateException("stream " + stream.name() + " has an invalid republish", e);
            }
        }
    }

    void republish(PublishCommand command, PublishResult result) {
        byte[] record = command.record();
        int headers = command.headersOffset();
        int payload = command.payloadOffset();
        republish(
                Arrays.copyOfRange(record, headers, headers + command.headersLength()),
                Arrays.copyOfRange(record, payload, payload + command.payloadLength()),
                result);
    }

    void republish(BatchCommit command, BatchResult result) {
        List<BatchRecord.Message> messages =
                BatchRecord.of(command.record(), command.record().length).messages();
        for (int i = 0; i < messages.size(); i++) {
            if (result.messages().get(i).stored) {
                BatchRecord.Message message = messages.get(i);
                republish(
                        command.headersOf(message),
                        command.payloadOf(message),
                        result.messages().get(i));
            }
        }
    }

    private void republish(byte[] headers, byte[] payload, PublishResult result) {
        if (transform == null) {
            return;
        }
        String subject = transform.apply(result.subject, account.host().random()::nextInt);
        if (subject == null) {
            return;
        }
        boolean headersOnly = stream.config().republish().headersOnly();
        String lines = "Nats-Stream: " + stream.config().name() + "\r\nNats-Subject: " + Subjects.toUtf8(result.subject)
                + "\r\nNats-Sequence: " + result.sequence + "\r\nNats-Time-Stamp: " + GoTime.format(result.timestamp)
                + "\r\nNats-Last-Sequence: " + result.previousOnSubject + "\r\n"
                + (headersOnly ? "Nats-Msg-Size: " + payload.length + "\r\n" : "");
        account.send(subject, null, Headers.append(headers, lines), headersOnly ? Headers.NONE : payload);
    }
}
