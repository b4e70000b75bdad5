package io.penstock.jetstream.backup;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.internal.EventIds;
import io.penstock.broker.internal.InternalClient.InternalSubscription;
import io.penstock.jetstream.runtime.AccountRuntime;
import io.penstock.jetstream.runtime.ApiCall;
import io.penstock.jetstream.runtime.Engine;
import io.penstock.jetstream.runtime.Host;
import io.penstock.jetstream.runtime.RestoreTarget;
import io.penstock.jetstream.state.Headers;
import io.penstock.protocol.Subjects;
import io.penstock.protocol.jetstream.ApiError;
import io.penstock.protocol.jetstream.ConsumerConfig;
import io.penstock.protocol.jetstream.GoTime;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.JsError;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Begins restores: a subject of the account for the archive's chunks, a file for what comes there. */
public final class Restores {
    private static final Logger LOG = LoggerFactory.getLogger(Restores.class);
    private static final String CREATED = "RESTORE_CREATE";
    private static final String COMPLETE = "RESTORE_COMPLETE";

    private final Sessions sessions;

    public Restores(Sessions sessions) {
        this.sessions = sessions;
    }

    /**
     * What holds for one restore.
     *
     * @param rules what consumers must obey; called on another thread
     * @param consumers most consumers, 0 for any number
     * @param mostBytes most bytes of the archive, -1 for any number
     */
    public record Terms(UnaryOperator<ConsumerConfig> rules, int consumers, long mostBytes) {}

    /** Sends the answer to who sends the archive. */
    public interface Answer {
        /**
         * @param call names where the answer goes
         * @param info the stream, null when it is not there
         * @param error why it is not, or null
         */
        void send(ApiCall call, ObjectNode info, ApiError error);
    }

    /**
     * Begins a restore.
     *
     * @param started hears where the chunks are to go
     * @throws io.penstock.protocol.jetstream.JsException when it cannot begin
     */
    public void begin(ApiCall call, RestoreTarget target, Terms terms, Consumer<String> started, Answer answer) {
        AccountRuntime account = call.account();
        Host host = account.host();
        Engine engine = host.engine(Host.SOLO);
        target.check(0);
        if (!sessions.enter(account)) {
            throw JsError.STREAM_RESTORE.raise(Sessions.tooMany());
        }
        Staging file;
        try {
            file = Staging.create(host.options().disk(), host.options().storeDirectory());
        } catch (IOException e) {
            LOG.error("no file for a restore in {}: {}", host.options().storeDirectory(), e.toString());
            sessions.leave(account);
            throw JsError.TEMP_STORAGE_FAILED.raise();
        }
        String name = target.config().name();
        long start = host.loop().now();
        Receiver receiver = new Receiver(engine.room(), terms.mostBytes(), reply -> {
            account.client().publish(reply, null, Headers.NONE, Headers.NONE);
            account.client().flush();
        });
        String subject = "$JS.SNAPSHOT.RESTORE." + Subjects.fromUtf8(name) + "." + EventIds.next();
        InternalSubscription subscription = account.client().subscribe(subject, receiver::take);
        new RestoreRun(account, target, receiver, file, terms, (info, error) -> {
                    subscription.close();
                    sessions.leave(account);
                    ObjectNode ended = JetStreamJson.object();
                    ended.put("start", GoTime.format(start));
                    ended.put("end", GoTime.format(host.loop().now()));
                    ended.put("bytes", receiver.total());
                    account.advisories().backup(COMPLETE, name, ended, call.origin());
                    if (receiver.lastReply() != null && account.client() != null) {
                        ApiCall last = new ApiCall(
                                account,
                                subject,
                                receiver.lastReply(),
                                Headers.NONE,
                                Headers.NONE,
                                call.origin(),
                                host.loop().steady());
                        answer.send(last, info, error);
                    }
                })
                .start();
        started.accept(subject);
        account.advisories().backup(CREATED, name, JetStreamJson.object(), call.origin());
    }
}
