package io.penstock.broker.system;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.Account;
import io.penstock.broker.Broker;
import io.penstock.broker.ClosedReason;
import io.penstock.broker.Connection;
import io.penstock.broker.MessageTarget;
import io.penstock.broker.RoutedMessage;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Questions this server answers on {@code $SYS.REQ.…}. The system account may ask about everything; every other account
 * has a few of these subjects in its own interest graph, and there they speak of that account alone.
 *
 * <p>Questions are copied on the asker's event loop and answered on one thread of their own.
 */
public final class SystemServices {
    private static final Logger LOG = LoggerFactory.getLogger(SystemServices.class);

    private static final String SERVER_PREFIX = "$SYS.REQ.SERVER.";
    private static final String ACCOUNT_PREFIX = "$SYS.REQ.ACCOUNT.";
    private static final String PING = "PING";
    /** Endpoints that may be asked about one account; {@code INFO} and {@code CONNS} exist only so. */
    private static final Set<String> ACCOUNT_ENDPOINTS =
            Set.of("SUBSZ", "CONNZ", "LEAFZ", "JSZ", "INFO", "STATZ", "CONNS");

    /** Endpoints of the server that nobody plugs in. */
    private static final Set<String> BUILT_IN = Set.of("IDZ", "STATSZ", "KICK", "LDM", "RELOAD");

    private static final int BAD_REQUEST = 400;
    private static final int INTERNAL_ERROR = 500;

    private final Broker broker;
    private final InstantSource clock;
    private final Executor executor;
    private final ReplySender replies;
    private final ServerStats stats;
    private final AccountReports reports;
    private final Map<String, SystemEndpoint> endpoints = new ConcurrentHashMap<>();
    private volatile Reload reload;

    /** Reads the configuration anew. */
    @FunctionalInterface
    public interface Reload {
        /** Fails with the reason when nothing was changed. */
        void run() throws SystemRequestException;
    }

    SystemServices(
            Broker broker,
            InstantSource clock,
            Executor executor,
            ReplySender replies,
            ServerStats stats,
            AccountReports reports) {
        this.broker = broker;
        this.clock = clock;
        this.executor = executor;
        this.replies = replies;
        this.stats = stats;
        this.reports = reports;
        register(
                "ACCOUNTZ",
                request -> reports.accounts(request.options().path("account").asText("")));
        register("INFO", this::accountInfo);
        register("STATZ", this::accountStats);
        register("ACCSTATZ", this::accountStats);
    }

    /** Adds or replaces what answers an endpoint such as {@code VARZ}, {@code CONNZ} or {@code JSZ}. */
    public void register(String endpoint, SystemEndpoint answer) {
        endpoints.put(endpoint, answer);
    }

    /** Adds to {@code STATSZ} what JetStream says of itself; null leaves it out. */
    public void jetStreamStats(Supplier<? extends JsonNode> figures) {
        stats.jetStream(figures);
    }

    /** Sets what {@code $SYS.REQ.SERVER.ID.RELOAD} does. */
    public void onReload(Reload action) {
        this.reload = action;
    }

    /** Subscribes in the system account. */
    void startSystem(Account system) {
        String self = SERVER_PREFIX + broker.identity().id();
        subscribe(system, "$SYS.REQ.SERVER.PING", question -> serverQuestion(question, "STATSZ", true));
        subscribe(
                system,
                "$SYS.REQ.SERVER.PING.*",
                this::answersServer,
                question -> serverQuestion(question, question.token(4), true));
        subscribe(
                system,
                self + ".*",
                this::answersServer,
                question -> serverQuestion(question, question.token(4), false));
        subscribe(system, ACCOUNT_PREFIX + "*.*", this::answersAccount, this::accountQuestion);
        subscribeHere(system, "$SYS.REQ.USER.INFO", this::userInfo);
        subscribeHere(system, "$SYS.DEBUG.SUBSCRIBERS", this::countSubscribers);
    }

    /** Subscribes in an ordinary account what it may ask about itself. */
    void startAccount(Account account) {
        subscribeHere(account, "$SYS.REQ.USER.INFO", this::userInfo);
        for (String subject :
                List.of("$SYS.REQ.ACCOUNT.PING.CONNZ", "$SYS.REQ.SERVER.PING.CONNZ", "$SYS.REQ.ACCOUNT.PING.STATZ")) {
            String endpoint = lastToken(subject);
            subscribe(
                    account,
                    subject,
                    _ -> endpoints.containsKey(endpoint),
                    question -> ownQuestion(question, endpoint));
        }
    }

    /** What is done with a question, on the services' thread. */
    interface Handler {
        void handle(Question question) throws SystemRequestException;
    }

    /** Subscribes to questions that the node answers to which they are put. */
    private void subscribeHere(Account account, String pattern, Handler handler) {
        var _ = account.subscribeLocal(pattern, null, target(handler, executor));
    }

    private void subscribe(Account account, String pattern, Handler handler) {
        subscribe(account, pattern, _ -> true, handler);
    }

    /** Subscribes; subjects that are not known have no responder, which the asker learns at once. */
    private void subscribe(Account account, String pattern, Predicate<String> known, Handler handler) {
        MessageTarget target = target(handler, executor);
        var _ = account.subscribe(
                pattern, null, message -> known.test(message.subject()) ? target.deliver(message) : 0);
    }

    private boolean answersServer(String subject) {
        String endpoint = lastToken(subject);
        return BUILT_IN.contains(endpoint) || endpoints.containsKey(endpoint);
    }

    private boolean answersAccount(String subject) {
        String endpoint = lastToken(subject);
        return ACCOUNT_ENDPOINTS.contains(endpoint) && (endpoint.equals("CONNS") || endpoints.containsKey(endpoint));
    }

    private static String lastToken(String subject) {
        return subject.substring(subject.lastIndexOf('.') + 1);
    }

    MessageTarget target(Handler handler, Executor on) {
        return (RoutedMessage message) -> {
            Question question = Question.of(message);
            try {
                on.execute(() -> run(question, handler));
                return 1;
            } catch (RejectedExecutionException e) {
                // Too many questions wait; the asker learns at once that nobody answers.
                return 0;
            }
        };
    }

    private void run(Question question, Handler handler) {
        try {
            handler.handle(question);
        } catch (SystemRequestException e) {
            if (!e.isElsewhere()) {
                replies.error(question, e.code(), e.getMessage());
            }
        } catch (RuntimeException e) {
            LOG.error("system service failed on {}", question.subject(), e);
            replies.error(question, INTERNAL_ERROR, "internal error: see the server's log");
        }
    }

    private static ObjectNode options(Question question) throws SystemRequestException {
        ObjectNode options = Json.parse(question.body());
        if (options == null) {
            throw new SystemRequestException(BAD_REQUEST, "the request body is not a JSON object");
        }
        return options;
    }

    private void serverQuestion(Question question, String endpoint, boolean toAll) throws SystemRequestException {
        ObjectNode options = switch (endpoint) {
            // These have a body of their own or none.
            case "IDZ" -> Json.parse(question.body());
            default -> options(question);
        };
        if (toAll && (options == null || !ServerFilter.accepts(options, broker))) {
            return;
        }
        switch (endpoint) {
            case "IDZ" -> replies.raw(question, Json.bytes(id()));
            case "STATSZ" -> replies.raw(question, Json.bytes(stats.statsz()));
            case "KICK" -> disconnect(question, options, toAll);
            case "LDM" -> lameDuck(question, options, toAll);
            case "RELOAD" -> reload(question, toAll);
            default -> answer(question, endpoint, accountOf(endpoint, options), options);
        }
    }

    private static String accountOf(String endpoint, ObjectNode options) {
        String field = "CONNZ".equals(endpoint) ? "acc" : "account";
        String account = options.path(field).asText("");
        return account.isEmpty() ? null : account;
    }

    private ObjectNode id() {
        return Json.object()
                .put("name", broker.identity().name())
                .put("host", broker.options().host())
                .put("id", broker.identity().id());
    }

    private void accountQuestion(Question question) throws SystemRequestException {
        String account = question.token(3);
        String endpoint = question.token(4);
        ObjectNode options = options(question);
        if (account.equals(PING)) {
            if (ServerFilter.accepts(options, broker)) {
                answer(question, endpoint, accountOf(endpoint, options), options);
            }
            return;
        }
        Account known = broker.accounts().find(account);
        if (known == null && (endpoint.equals("CONNS") || endpoint.equals("STATZ"))) {
            // The servers that have it answer.
            return;
        }
        if (endpoint.equals("CONNS")) {
            replies.raw(question, Json.bytes(reports.connections(known)));
        } else {
            answer(question, endpoint, account, force(endpoint, account, options));
        }
    }

    private void ownQuestion(Question question, String endpoint) throws SystemRequestException {
        ObjectNode options = options(question);
        if (ServerFilter.accepts(options, broker)) {
            String account = question.account().name();
            answer(question, endpoint, account, force(endpoint, account, options));
        }
    }

    // Whatever the body says, the answer speaks of this account.
    private static ObjectNode force(String endpoint, String account, ObjectNode options) {
        switch (endpoint) {
            case "CONNZ" -> options.put("acc", account);
            case "STATZ" -> options.putArray("accounts").add(account);
            case "SUBSZ" -> options.put("account", account).put("subscriptions", true);
            default -> options.put("account", account);
        }
        return options;
    }

    private void answer(Question question, String endpoint, String account, ObjectNode options)
            throws SystemRequestException {
        SystemEndpoint handler = endpoints.get(endpoint);
        if (handler != null) {
            replies.data(question, handler.answer(new SystemRequest(endpoint, account, options)));
        }
    }

    private JsonNode accountInfo(SystemRequest request) throws SystemRequestException {
        if (request.account() == null) {
            throw new SystemRequestException(BAD_REQUEST, "INFO is asked about one account; name it");
        }
        return reports.account(request.account());
    }

    private JsonNode accountStats(SystemRequest request) {
        List<String> names = new ArrayList<>();
        request.options().path("accounts").forEach(name -> names.add(name.asText()));
        boolean unused = request.options().path("include_unused").asBoolean();
        return reports.stats(names, unused || request.account() != null);
    }

    private void userInfo(Question question) {
        Connection connection = question.connection();
        if (connection == null || connection.account() != question.account()) {
            return;
        }
        replies.data(question, UserInfo.of(connection, clock.instant()));
    }

    private void countSubscribers(Question question) {
        String[] parts =
                new String(question.body(), StandardCharsets.ISO_8859_1).strip().split("\\s+");
        if (parts.length == 0 || parts.length > 2 || parts[0].isEmpty()) {
            replies.raw(question, "0".getBytes(StandardCharsets.US_ASCII));
            return;
        }
        String queue = parts.length == 2 ? parts[1] : null;
        int count = reports.subscribers(question.account(), parts[0], queue);
        replies.raw(question, Integer.toString(count).getBytes(StandardCharsets.US_ASCII));
    }

    private Connection named(ObjectNode options, boolean toAll) throws SystemRequestException {
        long id = options.path("cid").asLong(-1);
        if (toAll) {
            throw new SystemRequestException(BAD_REQUEST, "a connection is named on one server; use its id, not PING");
        }
        Connection connection = broker.connection(id);
        if (connection == null) {
            throw new SystemRequestException(INTERNAL_ERROR, "no such client or leafnode id");
        }
        return connection;
    }

    private void disconnect(Question question, ObjectNode options, boolean toAll) throws SystemRequestException {
        named(options, toAll).close(ClosedReason.KICKED);
        replies.data(question, null);
    }

    private void lameDuck(Question question, ObjectNode options, boolean toAll) throws SystemRequestException {
        named(options, toAll).sendLameDuck();
        replies.data(question, null);
    }

    private void reload(Question question, boolean toAll) throws SystemRequestException {
        Reload action = reload;
        if (toAll || action == null) {
            throw new SystemRequestException(
                    INTERNAL_ERROR,
                    toAll ? "reload is asked of one server" : "this server has no configuration to reload");
        }
        action.run();
        replies.data(question, null);
    }
}
